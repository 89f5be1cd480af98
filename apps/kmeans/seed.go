package kmeans

import (
	"cmp"
	"context"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// seed chooses the first centres.
func (m *model[T]) seed(ctx context.Context, seed uint64) error {
	if m.o.Start != nil {
		start := make([]T, 0, m.k*m.dim)
		for _, c := range m.o.Start {
			for _, x := range c {
				start = append(start, T(x))
			}
		}
		rows := matrix.From(m.k, m.dim, start, m.home)
		defer rows.Free()
		return m.setCenters(rows, upTo(m.k))
	}
	var picked []int
	var err error
	switch m.o.Init {
	case First:
		picked = upTo(m.k)
	case Random:
		picked, err = m.random(ctx, seed)
	case Parallel:
		return m.parallel(ctx, seed)
	default:
		picked, err = m.plusPlus(ctx, seed)
	}
	if err != nil {
		return err
	}
	return m.setCenters(m.table, picked)
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// chosen are some rows of a matrix.
type chosen[T number] struct {
	From matrix.View[T]
	Rows vector.View[int]
}

// place puts the chosen rows into columns, and NaN into those beyond.
func place[T number](at matrix.Index, c chosen[T]) T {
	if at.Col >= c.Rows.Len() {
		return T(math.NaN())
	}
	if at.Row >= c.From.Cols() {
		return 0
	}
	return c.From.At(c.Rows.At(at.Col), at.Row)
}

// transpose puts the chosen columns into rows.
func transpose[T number](at matrix.Index, c chosen[T]) T { return c.From.At(at.Col, c.Rows.At(at.Row)) }

// gather puts the chosen rows into rows.
func gather[T number](at matrix.Index, c chosen[T]) T { return c.From.At(c.Rows.At(at.Row), at.Col) }

// setCenters makes rows the centres.
func (m *model[T]) setCenters(from *matrix.Matrix[T], rows []int) error {
	r := vector.From(rows, m.home)
	defer r.Free()
	if m.centers != nil {
		m.centers.Free()
	}
	padded := (len(rows) + lanes - 1) / lanes * lanes
	m.centers = m.place.With(chosen[T]{from.View(), r.View()}).ApplyMatrix(matrix.Indices(m.width, padded, m.home))
	return m.centers.Wait()
}

// lot is how long element i waits, at a rate, for its turn: of several, each
// is the first with the chance of its share in the sum of the rates.
func lot(i int, rate float64, seed uint64) ticket {
	if rate > 0 {
		return ticket{exponential(stream(seed, i)) / rate, i}
	}
	return ticket{math.Inf(1), i}
}

// earlier keeps the smaller key, of equal ones the first.
func earlier(a, b ticket) ticket {
	if b.Key < a.Key {
		return b
	}
	return a
}

var (
	lots    = skel.NewZipWith(lot)
	soonest = skel.NewReduce(earlier, ticket{math.Inf(1), -1})
)

// drawOne gives an index with the chance of its rate; it is negative when all
// rates are 0.
func drawOne(rates *vector.Vector[float64], seed uint64) (int, error) {
	waits := lots.With(seed).Apply(vector.Indices(rates.Len(), rates.Distribution()), rates)
	defer waits.Free()
	first, err := value(soonest.Apply(waits))
	if math.IsInf(first.Key, 1) {
		return -1, err
	}
	return first.Index, err
}

// random draws k points without putting them back.
func (m *model[T]) random(ctx context.Context, seed uint64) ([]int, error) {
	rates := m.weights()
	defer rates.Free()
	var picked []int
	for range m.k {
		i, err := drawOne(rates, seed)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		picked = append(picked, i)
		if err := rates.Set(i, 0); err != nil {
			return nil, err
		}
	}
	return picked, nil
}

// spread is what the squared distances from the nearest chosen point are made
// of.
type spread[T number] struct {
	Table, From matrix.View[T]
	Rows        vector.View[int] // of From, chosen last
	Dim         int
}

// approach is the squared distance of point i from the nearest chosen point,
// which was dist before the last ones were chosen.
func approach[T number](i int, dist float64, s spread[T]) float64 {
	for r := range s.Rows.Len() {
		d, row := 0.0, s.Rows.At(r)
		for j := range s.Dim {
			diff := float64(s.Table.At(i, j)) - float64(s.From.At(row, j))
			d = math.FMA(diff, diff, d)
		}
		dist = min(dist, d)
	}
	return dist
}

func (m *model[T]) spread(rows *vector.Vector[int]) spread[T] {
	return spread[T]{m.table.View(), m.table.View(), rows.View(), m.dim}
}

// choose updates dist for newly chosen points.
func (m *model[T]) choose(dist *vector.Vector[float64], points []int) error {
	rows := vector.From(points, m.home)
	defer rows.Free()
	return m.approach.With(m.spread(rows)).ApplyTo(dist, vector.Indices(m.n, m.where), dist)
}

// plusPlus draws each point with the chance of its weight times its squared
// distance from the nearest point drawn before [Arthur and Vassilvitskii
// 2007]. It is their greedy variant: of a few points drawn, the one is taken
// that leaves the least inertia.
//
// [Arthur and Vassilvitskii 2007]: https://dl.acm.org/doi/10.5555/1283383.1283494
func (m *model[T]) plusPlus(ctx context.Context, seed uint64) ([]int, error) {
	weights, dist := m.weights(), far.Apply(vector.Indices(m.n, m.where))
	defer weights.Free()
	defer dist.Free()
	i, err := drawOne(weights, seed)
	picked := []int{i}
	for err == nil && len(picked) < m.k {
		if err = cmp.Or(m.choose(dist, picked[len(picked)-1:]), ctx.Err()); err != nil {
			break
		}
		i, err = m.drawBest(weights, dist, mix(seed+uint64(len(picked))))
		if i < 0 && err == nil {
			return nil, inputErrorf("k is %d, but there are only %s", m.k, quantity(len(picked), "distinct point"))
		}
		picked = append(picked, i)
	}
	return picked, err
}

// drawBest draws some points, more for larger k as in scikit-learn, and gives
// the one that leaves the least inertia, or a negative number when all points
// are chosen.
func (m *model[T]) drawBest(weights, dist *vector.Vector[float64], seed uint64) (best int, err error) {
	rates := times.Apply(weights, dist)
	defer rates.Free()
	best = -1
	least := math.Inf(1)
	for trial := range 2 + int(math.Log(float64(m.k))) {
		i, err := drawOne(rates, seed+uint64(trial))
		if err != nil || i < 0 {
			return -1, err
		}
		cost, err := m.costWith(weights, dist, i)
		if err != nil {
			return -1, err
		}
		if cost < least || best < 0 {
			best, least = i, cost
		}
	}
	return best, nil
}

// costWith is what the inertia would be if point i were chosen too.
func (m *model[T]) costWith(weights, dist *vector.Vector[float64], i int) (float64, error) {
	rows := vector.From([]int{i}, m.home)
	defer rows.Free()
	closer := m.approach.With(m.spread(rows)).Apply(vector.Indices(m.n, m.where), dist)
	defer closer.Free()
	return total(times.Apply(weights, closer))
}
