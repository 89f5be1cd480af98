package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/fit"
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
	return m.startAt(picked)
}

// startAt makes points the centres.
func (m *model[T]) startAt(picked []int) error {
	from, rows, free, err := m.some(picked)
	if err != nil {
		return err
	}
	defer free()
	return m.setCenters(from, rows)
}

// some returns a matrix on the first device with some points, and their rows in that matrix: the table unless
// it is on several devices.
func (m *model[T]) some(rows []int) (from *matrix.Matrix[T], at []int, free func(), err error) {
	if !m.severalDevices() {
		return m.coordinates(), rows, func() {}, nil
	}
	var host []T
	for _, i := range rows {
		point, err := m.point(i)
		if err != nil {
			return nil, nil, nil, err
		}
		host = append(host, point...)
	}
	few := matrix.From(len(rows), m.dim, host, m.home)
	return few, upTo(len(rows)), few.Free, nil
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// chosen has some rows or columns of a matrix.
type chosen[T number] struct {
	From matrix.View[T]
	Rows vector.View[int]
}

// place puts the chosen rows into columns, and NaN into further columns.
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

// setCenters copies rows of a matrix into the centres.
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

// lot draws the waiting time of element i, which is exponentially distributed with its
// rate. An element is the first with a probability proportional to its rate.
func lot(i int, rate float64, seed uint64) ticket {
	if rate > 0 {
		return ticket{fit.Exponential(fit.Stream(seed, i)) / rate, i}
	}
	return ticket{math.Inf(1), i}
}

func infinite(int) float64 { return math.Inf(1) }

// earlier returns the ticket with the smaller key, of equal ones the first.
func earlier(a, b ticket) ticket {
	if b.Key < a.Key {
		return b
	}
	return a
}

// ticket is a number and the index of its element.
type ticket struct {
	Key   float64
	Index int
}

var (
	lots    = skel.NewZipWith(lot)
	soonest = skel.NewReduce(earlier, ticket{math.Inf(1), -1})
	far     = skel.NewMap(infinite)
)

// draw returns the ticket of an index, which it draws with a probability proportional to its rate. Its key is
// infinite if all rates are 0.
func draw(rates *vector.Vector[float64], seed uint64) *vector.Scalar[ticket] {
	waits := lots.With(seed).Apply(vector.Indices(rates.Len(), rates.Distribution()), rates)
	defer waits.Free()
	return soonest.Apply(waits)
}

// drawOne returns an index with a probability proportional to its rate, or a
// negative number if all rates are 0.
func drawOne(rates *vector.Vector[float64], seed uint64) (int, error) {
	first, err := value(draw(rates, seed))
	if math.IsInf(first.Key, 1) {
		return -1, err
	}
	return first.Index, err
}

// random draws k points without replacement.
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

// spread has the values from which approach computes distances.
type spread[T number] struct {
	Points, From matrix.View[T]
	Rows         vector.View[int] // the rows of From that were chosen last
	Dim          int
}

// approach returns the squared distance of point i from the nearest chosen point. Before
// the last points were chosen, the distance was dist.
func approach[T number](i int, dist float64, s spread[T]) float64 {
	for r := range s.Rows.Len() {
		d, row := 0.0, s.Rows.At(r)
		for j := range s.Dim {
			diff := float64(s.Points.At(i, j)) - float64(s.From.At(row, j))
			d = math.FMA(diff, diff, d)
		}
		dist = min(dist, d)
	}
	return dist
}

// choose updates dist for newly chosen points.
func (m *model[T]) choose(dist *vector.Vector[float64], points []int) error {
	from, at, free, err := m.some(points)
	if err != nil {
		return err
	}
	defer free()
	rows := vector.From(at, m.home)
	defer rows.Free()
	s := spread[T]{m.coordinates().View(), from.View(), rows.View(), m.dim}
	return m.approach.With(s).ApplyTo(dist, vector.Indices(m.n, m.where), dist)
}

// plusPlus draws each point with a probability proportional to its weight times its
// squared distance from the nearest point drawn before [Arthur and Vassilvitskii 2007]. It
// is their greedy variant, which draws a few points each time and takes the one that leaves
// the least inertia.
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
		i, err = m.drawBest(weights, dist, fit.Mix(seed+uint64(len(picked))))
		if i < 0 && err == nil {
			return nil, inputErrorf("k is %d, which is more than the %s", m.k, app.Count(len(picked), "distinct point"))
		}
		picked = append(picked, i)
	}
	return picked, err
}

// drawBest draws some points, more for larger k as in scikit-learn, and returns
// the one that leaves the least inertia, or a negative number if all points are
// chosen.
func (m *model[T]) drawBest(weights, dist *vector.Vector[float64], seed uint64) (best int, err error) {
	rates := times.Apply(weights, dist)
	defer rates.Free()
	draws := make([]*vector.Scalar[ticket], 2+int(math.Log(float64(m.k))))
	for trial := range draws {
		draws[trial] = draw(rates, seed+uint64(trial))
	}
	tickets, err := values(draws)
	if err != nil || slices.ContainsFunc(tickets, func(t ticket) bool { return math.IsInf(t.Key, 1) }) {
		return -1, err
	}
	costs, err := m.costs(weights, dist, tickets)
	if err != nil {
		return -1, err
	}
	least := 0
	for trial, cost := range costs {
		if cost < costs[least] {
			least = trial
		}
	}
	return tickets[least].Index, nil
}

// costs returns the inertia if the point of each ticket alone were chosen too. They are computed in one pass over
// the points.
func (m *model[T]) costs(weights, dist *vector.Vector[float64], tickets []ticket) ([]float64, error) {
	points := make([]int, len(tickets))
	for trial, t := range tickets {
		points[trial] = t.Index
	}
	from, at, free, err := m.some(points)
	if err != nil {
		return nil, err
	}
	defer free()
	costs := make([]*vector.Scalar[float64], len(points))
	for trial := range costs {
		row := vector.From(at[trial:trial+1], m.home)
		s := spread[T]{m.coordinates().View(), from.View(), row.View(), m.dim}
		closer := m.approach.With(s).Apply(vector.Indices(m.n, m.where), dist)
		weighted := times.Apply(weights, closer)
		costs[trial] = add.Apply(weighted)
		weighted.Free()
		closer.Free()
		row.Free()
	}
	return values(costs)
}

const (
	rounds       = 5 // the number of rounds in which candidates are drawn
	oversampling = 2 // on average, oversampling * k candidates are drawn in each round
)

// parallel is k-means|| [Bahmani et al. 2012]. In each of a few rounds, every point becomes
// a candidate with a probability that grows with its distance from the candidates so far.
// Then the candidates are clustered, weighted with the points that are nearest to them.
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
		return m.startAt(picked)
	}
	if err := m.startAt(candidates); err != nil {
		return err
	}
	m.assignAll()
	weights := m.weights()
	defer weights.Free()
	sums := add.ByKey(weights, m.labels, len(candidates))
	defer sums.Free()
	shares, err := sums.Host()
	if err != nil {
		return err
	}
	from, at, free, err := m.some(candidates)
	if err != nil {
		return err
	}
	defer free()
	rows := vector.From(at, m.home)
	defer rows.Free()
	all := matrix.Indices(len(candidates), m.dim, m.home)
	points := m.gather.With(chosen[T]{from.View(), rows.View()}).ApplyMatrix(all)
	defer points.Free()
	inner, err := Cluster(ctx, points, Options{
		K: m.k, Init: PlusPlus, Seed: fit.Mix(seed), NInit: 4, MaxIter: 30, Weights: shares,
	})
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
		last, err = drawEach(rates, luck{fit.Mix(seed + uint64(r) + 1), float64(oversampling*m.k) / cost})
		rates.Free()
		if err != nil {
			return nil, err
		}
		picked = append(picked, last...)
	}
	return picked, nil
}

// luck decides whether an element is drawn.
type luck struct {
	Seed  uint64
	Scale float64 // turns its rate into a probability
}

// drawn returns i if element i is drawn, otherwise a negative number.
func drawn(i int, rate float64, l luck) int {
	if fit.Uniform(fit.Stream(l.Seed, i)) < rate*l.Scale {
		return i
	}
	return -1
}

func isDrawn(i int) bool { return i >= 0 }

var (
	lottery = skel.NewZipWith(drawn)
	collect = skel.NewFilter(isDrawn)
)

// drawEach draws every element with its own probability and returns the drawn ones.
func drawEach(rates *vector.Vector[float64], l luck) ([]int, error) {
	list := collect.Apply(lottery.With(l).Apply(vector.Indices(rates.Len(), rates.Distribution()), rates))
	defer list.Free()
	known, err := list.Host()
	return slices.Clone(known), err
}
