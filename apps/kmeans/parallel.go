package kmeans

import (
	"cmp"
	"context"
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

const (
	rounds       = 5 // in which candidates are drawn
	oversampling = 2 // times k candidates are drawn in each, on average
)

// parallel is k-means|| [Bahmani et al. 2012]: in each of a few rounds every
// point becomes a candidate with a chance that grows with its distance from
// the candidates so far; the candidates, weighted with the points near them,
// are clustered in turn.
//
// [Bahmani et al. 2012]: https://doi.org/10.14778/2180912.2180915
func (m *model[T]) parallel(ctx context.Context, seed uint64) error {
	candidates, err := m.candidates(ctx, seed)
	if err != nil {
		return err
	}
	if len(candidates) < m.k { // there are few distinct points
		picked, err := m.plusPlus(ctx, seed)
		if err != nil {
			return err
		}
		return m.setCenters(m.table, picked)
	}
	if err := m.setCenters(m.table, candidates); err != nil {
		return err
	}
	if err := m.assignAll(); err != nil {
		return err
	}
	weights := m.weights()
	defer weights.Free()
	near := add.ByKey(weights, m.labels, len(candidates))
	defer near.Free()
	shares, err := near.Host()
	if err != nil {
		return err
	}
	rows := vector.From(candidates, m.home)
	defer rows.Free()
	points := m.gather.With(chosen[T]{m.table.View(), rows.View()}).ApplyMatrix(matrix.Indices(len(candidates), m.dim, m.home))
	defer points.Free()
	inner, err := Cluster(ctx, points, Options{K: m.k, Init: PlusPlus, Seed: mix(seed), NInit: 4, MaxIter: 30, Weights: shares})
	if err != nil {
		return err
	}
	defer inner.Free()
	m.forget()
	return m.setCenters(inner.Centers, upTo(m.k))
}

// candidates draws about rounds * oversampling * k points.
func (m *model[T]) candidates(ctx context.Context, seed uint64) ([]int, error) {
	weights, dist := m.weights(), far.Apply(vector.Indices(m.n, m.where))
	defer weights.Free()
	defer dist.Free()
	first, err := drawOne(weights, seed)
	picked := []int{first}
	last := picked
	for r := range rounds {
		if err = cmp.Or(err, m.choose(dist, last), ctx.Err()); err != nil {
			return nil, err
		}
		cost, err := total(times.Apply(weights, dist))
		if err != nil {
			return nil, err
		}
		if cost == 0 {
			break
		}
		rates := times.Apply(weights, dist)
		last, err = drawEach(rates, luck{mix(seed + uint64(r) + 1), float64(oversampling*m.k) / cost})
		rates.Free()
		if err != nil {
			return nil, err
		}
		picked = append(picked, last...)
	}
	return picked, nil
}

// luck is how an element is drawn or not.
type luck struct {
	Seed  uint64
	Scale float64 // of its rate, to give its chance
}

func drawn(i int, rate float64, l luck) int {
	if uniform(stream(l.Seed, i)) < rate*l.Scale {
		return 1
	}
	return 0
}

// keeper is where the drawn elements go: element i to place Before[i].
type keeper struct {
	Before vector.View[int]
	List   vector.OutView[int]
}

func keep(i, drawn int, k keeper) {
	if drawn == 1 {
		k.List.Set(k.Before.At(i), i)
	}
}

var (
	lottery = skel.NewZipWith(drawn)
	places  = skel.NewScan(sumInt, 0)
	collect = skel.NewZipVoidWith(keep)
)

// drawEach draws every element with its own chance, and lists those drawn.
func drawEach(rates *vector.Vector[float64], l luck) ([]int, error) {
	indices := vector.Indices(rates.Len(), rates.Distribution())
	hits := lottery.With(l).Apply(indices, rates)
	defer hits.Free()
	n, err := value(count.Apply(hits))
	if err != nil || n == 0 {
		return nil, err
	}
	before := places.Exclusive(hits)
	defer before.Free()
	list := vector.New[int](n, rates.Distribution())
	defer list.Free()
	if err := collect.With(keeper{before.View(), list.OutView()}).Apply(indices, hits); err != nil {
		return nil, err
	}
	known, err := list.Host()
	return slices.Clone(known), err
}
