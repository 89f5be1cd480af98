package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Result is a clustering. Its containers are on the devices of the points.
type Result[T number] struct {
	Centers    *matrix.Matrix[T]     // a row for each cluster
	Labels     *vector.Vector[int32] // the cluster of each point
	Sizes      []int                 // the number of points in each cluster
	Inertia    float64               // the sum of weight times squared distance from the centre
	RMSE       float64               // the root of inertia over the sum of the weights
	Iterations int                   // including the last, in which no label moved
	Moved      int                   // labels that moved in the last iteration; 0 unless MaxIter or Threshold ended it
	Start      int                   // the number of the best start, from 0
}

// Free frees the result's containers.
func (r *Result[T]) Free() {
	r.Centers.Free()
	r.Labels.Free()
}

// Cluster divides points, one per row, into o.K clusters on the devices that hold them. It
// needs about as much additional memory as the points have. Errors in the points or the
// options are input errors (app.IsInputError).
func Cluster[T number](ctx context.Context, points *matrix.Matrix[T], o Options) (*Result[T], error) {
	if err := o.check(points.Rows(), points.Cols()); err != nil {
		return nil, err
	}
	m := newModel[T](points.Rows(), points.Cols(), points.Vector().Distribution(), &o)
	if err := m.takePoints(points); err != nil {
		m.free()
		return nil, err
	}
	return m.cluster(ctx)
}

// cluster computes all starts and returns the best. It frees the model.
func (m *model[T]) cluster(ctx context.Context) (_ *Result[T], err error) {
	defer m.free()
	o := m.o
	if m.totals, err = newTotals(m); err != nil {
		return nil, err
	}
	if _, err := o.checkpoint.Load(&m.state); err != nil {
		return nil, err
	}
	return fit.Best(o.NInit, func(i int) (*Result[T], error) {
		m.start = i
		if err := m.run(ctx, o.Seed+uint64(i)); err != nil {
			return nil, err
		}
		return m.result(ctx, o.Seed)
	}, func(a, b *Result[T]) bool { return a.Inertia < b.Inertia })
}

// model is a clustering in progress. The table has a row for each point: its dim
// coordinates, a zero if dim is odd, and its weight, so that one reduction by key sums all
// of them. The row is padded with zeros to a multiple of four, so that it can be read in
// vectors of four.
type model[T number] struct {
	*skeletons[T]
	o          *Options
	where      vector.Distribution // of the points: all devices
	home       vector.Distribution // of small containers: the first device
	n, dim, k  int
	width      int               // dim, rounded up to an even number: the column of the weights
	cols       int               // of the table
	table      *matrix.Matrix[T] // nil if it is made when it is needed, of stream
	stream     *matrix.Matrix[T] // the points, if they do not fit in the memory of the device; otherwise nil
	weighting  *vector.Vector[T] // a weight for each point; nil if all are 1
	extents    []T               // of each coordinate, the largest absolute value
	labels     *vector.Vector[int32]
	centers    *matrix.Matrix[T] // a column for each centre; the padding is NaN
	before     *matrix.Matrix[T] // the centres before the last iteration, if the policy needs them,
	earlier    *matrix.Matrix[T] // and those before the iteration before
	totals     *totals[T]        // nil if the sums of the clusters are in float64
	bounds     *bounds[T]        // nil if every distance is computed
	finite     bool              // no coordinate is NaN or infinite
	start      int               // the number of the start
	iterations int
	moved      int // labels that moved in the last iteration
	steps      int // of the recorded loop
	state      state[T]
	pausing    bool // the iterations stop for a checkpoint
}

// run computes one start: it chooses centres and moves them.
func (m *model[T]) run(ctx context.Context, seed uint64) error {
	m.discard()
	m.iterations, m.moved = 0, m.n
	m.forget()
	if m.start < len(m.state.Ended) {
		return m.restoreEnd(m.state.Ended[m.start])
	}
	var err error
	if p := m.state.Current; p != nil {
		m.state.Current = nil
		err = m.restore(p)
	} else {
		err = m.seed(ctx, seed)
	}
	if err != nil {
		return err
	}
	m.report(m.iterations)
	m.remember()
	if err := m.descend(ctx); err != nil {
		return err
	}
	if m.moved > 0 {
		m.assignAll() // the centres moved after the last assignment
	}
	return m.saveEnd()
}

// lloyd moves the centres until no more than Threshold labels move, or until leave, if it
// is not nil, reports true after an iteration, or it is time for a checkpoint.
func (m *model[T]) lloyd(ctx context.Context, leave func() bool) (err error) {
	ahead := false // the next iteration is enqueued
	last, short, leaving := time.Now(), false, false
	loop := fit.Loop[int, *matrix.Matrix[float64]]{
		Limit:   m.o.MaxIter - m.iterations,
		Enqueue: m.step,
		Settle: func(_, moved int, sums *matrix.Matrix[float64]) (again bool, err error) {
			now := time.Now()
			last, short = now, devices.Agree(now.Sub(last) < shortIteration)
			err = m.settle(moved, sums)
			again = moved > m.o.Threshold
			leaving = leave != nil && leave() || leaving || m.due()
			if leaving && !ahead {
				again = false
			}
			return again, err
		},
		Drop: func(sums *matrix.Matrix[float64]) {
			if sums != nil {
				sums.Free()
			}
		},
		// An iteration after the last one changes nothing but costs time, so it is
		// enqueued ahead only if many labels moved before, or if it takes hardly longer than
		// waiting for the measures of a few iterations. One that loads its points again takes much longer.
		Ahead: func(int) bool {
			worth := short || m.stream == nil && m.moved > m.n/1000
			ahead = !leaving && worth && m.o.Empty == Keep && m.o.Threshold == 0
			return ahead
		},
	}
	_, err = loop.Run(ctx)
	return err
}

// settle completes an iteration in which some labels moved.
func (m *model[T]) settle(moved int, sums *matrix.Matrix[float64]) (err error) {
	m.iterations, m.moved = m.iterations+1, moved
	m.report(m.iterations)
	if moved > 0 && m.o.Empty != Keep {
		err = m.mend(sums)
	}
	m.remember()
	return err
}

// shortIteration is the time below which an iteration is enqueued before it is known whether
// another one is needed. To wait takes 10 to 20 us.
const shortIteration = 150 * time.Microsecond

// step assigns the points and moves the centres. It returns the number of labels that
// moved and the sums of the clusters.
func (m *model[T]) step() (*vector.Scalar[int], *matrix.Matrix[float64], error) {
	if m.bounds != nil {
		return m.bounds.step(m)
	}
	m.useTable()
	defer m.releaseTable()
	labels := m.assigned()
	moved, sums, err := m.move(m.labels, labels) // may compute the labels in the same pass
	return m.replace(labels, moved), sums, err
}

// lanes is the number of centres that are compared at a time, with vector instructions.
const lanes = 8

// assignment has the points and the centres.
type assignment[T number] struct {
	Table   matrix.View[T] // a row for each point: coordinates, weight
	Centers matrix.View[T] // a column for each centre, up to a multiple of lanes; an even number of rows
}

// assign returns the centre nearest to point i, of equally near ones the first. A
// centre that is NaN is never the nearest.
func assign[T number](i int, a assignment[T]) int32 {
	label, least := int32(0), T(math.Inf(1))
	for first := 0; first < a.Centers.Cols(); first += lanes {
		var even, odd [lanes]T // two sums, because each addition waits for the one before
		for j := 0; j < a.Centers.Rows(); j += 2 {
			x, y := a.Table.At(i, j), a.Table.At(i, j+1)
			for c := range lanes {
				dx, dy := x-a.Centers.At(j, first+c), y-a.Centers.At(j+1, first+c)
				even[c], odd[c] = math32.FMA(dx, dx, even[c]), math32.FMA(dy, dy, odd[c])
			}
		}
		for c := range lanes {
			if d := even[c] + odd[c]; d < least {
				label, least = int32(first+c), d
			}
		}
	}
	return label
}

// assigned returns the nearest centre of every point.
func (m *model[T]) assigned() *vector.Vector[int32] {
	all := vector.Indices(m.n, m.where)
	nearest := m.assign.With(assignment[T]{m.table.View(), m.centers.View()})
	if m.totals == nil {
		return nearest.Apply(all)
	}
	labels := vector.Uninitialized[int32](m.n, m.where) // sums as integers are for labels in memory
	_ = nearest.ApplyTo(labels, all)                    // labels keeps an error
	return labels
}

// assignAll assigns every point to its nearest centre. The labels keep an error.
func (m *model[T]) assignAll() {
	m.useTable()
	defer m.releaseTable()
	m.labels.Free()
	m.labels = m.assigned()
}

// replace replaces the labels, and returns the number of those that moved, which is known if
// it is not nil.
func (m *model[T]) replace(labels *vector.Vector[int32], moved *vector.Scalar[int]) *vector.Scalar[int] {
	if moved == nil {
		differ := differs.Apply(m.labels, labels)
		moved = count.Apply(differ)
		differ.Free()
	}
	m.labels.Free()
	m.labels = labels
	return moved
}

// fitted has the points, the centres and the labels of a clustering.
type fitted[T number] struct {
	Points, Centers matrix.View[T]
	Labels          vector.View[int32]
	Dim             int
}

// distance returns the squared distance of point i from its centre.
func distance[T number](i int, f fitted[T]) float64 {
	d, c := 0.0, int(f.Labels.At(i))
	for j := range f.Dim {
		diff := float64(f.Points.At(i, j)) - float64(f.Centers.At(j, c))
		d = math.FMA(diff, diff, d)
	}
	return d
}

// distances returns the squared distances of the points from the given centres.
func (m *model[T]) distances(centers *matrix.Matrix[T]) *vector.Vector[float64] {
	f := fitted[T]{m.coordinates().View(), centers.View(), m.labels.View(), m.dim}
	return m.distance.With(f).Apply(vector.Indices(m.n, m.where))
}

// weights returns the weights of the points.
func (m *model[T]) weights() *vector.Vector[float64] {
	if m.weighting == nil {
		return unit.Apply(vector.Indices(m.n, m.where))
	}
	return m.widen.Apply(m.weighting)
}

// result measures the clustering of the start that just ended, and takes over its
// labels.
func (m *model[T]) result(ctx context.Context, seed uint64) (*Result[T], error) {
	r := &Result[T]{Iterations: m.iterations, Moved: m.moved, Start: m.start}
	weights, distances := m.weights(), m.distances(m.centers)
	inertia, err := total(times.Apply(weights, distances))
	weights.Free()
	distances.Free()
	if err != nil {
		return nil, err
	}
	r.Inertia = inertia
	r.RMSE = math.Sqrt(r.Inertia / m.o.totalWeight(m.n))
	ones := one.Apply(vector.Indices(m.n, m.where))
	defer ones.Free()
	sizes := count.ByKey(ones, m.labels, m.k)
	defer sizes.Free()
	known, err := sizes.Host()
	if err != nil {
		return nil, err
	}
	r.Sizes = slices.Clone(known) // Host returns the vector's own memory
	used := upTo(m.k)
	if slices.Contains(r.Sizes, 0) {
		// With a point in every cluster there are k distinct ones.
		if _, err := m.plusPlus(ctx, seed); err != nil {
			return nil, err
		}
		if m.o.Empty == Drop {
			used = slices.DeleteFunc(used, func(c int) bool { return r.Sizes[c] == 0 })
		}
	}
	kept := vector.From(used, m.home)
	defer kept.Free()
	rows := matrix.Indices(len(used), m.dim, m.home)
	r.Centers = m.transpose.With(chosen[T]{m.centers.View(), kept.View()}).ApplyMatrix(rows)
	if err := r.Centers.Wait(); err != nil {
		return nil, err
	}
	r.Labels, m.labels = m.labels, nil
	if len(used) < m.k {
		return r, m.renumber(r, used)
	}
	return r, nil
}

// forget removes the labels of all points.
func (m *model[T]) forget() {
	if m.labels != nil {
		m.labels.Free()
	}
	m.labels = none.Apply(vector.Indices(m.n, m.where))
}

func (m *model[T]) free() {
	m.totals.free()
	m.discard()
	if m.weighting != nil {
		m.weighting.Free()
	}
	for _, c := range []*matrix.Matrix[T]{m.table, m.stream} { // last, see Buffer.Free of package paged
		if c != nil {
			c.Free()
		}
	}
}

// discard frees the containers of one start.
func (m *model[T]) discard() {
	m.totals.discard()
	if m.labels != nil {
		m.labels.Free()
	}
	for _, c := range []*matrix.Matrix[T]{m.centers, m.before, m.earlier} {
		if c != nil {
			c.Free()
		}
	}
	m.labels, m.centers, m.before, m.earlier = nil, nil, nil, nil
}

// report calls o.Progress.
func (m *model[T]) report(iteration int) {
	if m.o.Progress != nil {
		m.o.Progress(m.start, iteration, m.moved)
	}
}

// value returns the value of a scalar and frees it.
func value[T any](s *vector.Scalar[T]) (T, error) {
	defer s.Free()
	return s.Value()
}

// values returns the values of scalars and frees them.
func values[T any](s []*vector.Scalar[T]) ([]T, error) {
	all, first := make([]T, len(s)), error(nil)
	for i := range s {
		x, err := value(s[i])
		all[i], first = x, cmp.Or(first, err)
	}
	return all, first
}

// total adds up a vector and frees it.
func total(v *vector.Vector[float64]) (float64, error) {
	defer v.Free()
	return value(add.Apply(v))
}

// skeletons holds the skeletons that depend on the type of the coordinates.
type skeletons[T number] struct {
	tabulate  *skel.MapWith[matrix.Index, source[T], T]
	weighted  *skel.MapWith[matrix.Index, weightedSource[T], T]
	magnitude *skel.Map[T, T]
	largest   *skel.Reduce[T]
	assign    *skel.MapWith[int, assignment[T], int32]
	widen     *skel.Map[T, float64]
	weigh     *skel.MapWith[matrix.Index, weighed[T], float64]
	integer   *skel.MapWith[matrix.Index, fixed[T], int]
	rounded   *skel.MapWith[matrix.Index, fixed[T], int]
	change    *skel.MapWith[matrix.Index, changes[T], int]
	average   *skel.MapVoidWith[matrix.Index, averages[T]]
	update    *skel.MapVoidWith[matrix.Index, means[T]]
	place     *skel.MapWith[matrix.Index, chosen[T], T]
	transpose *skel.MapWith[matrix.Index, chosen[T], T]
	gather    *skel.MapWith[matrix.Index, chosen[T], T]
	turned    *skel.MapWith[matrix.Index, matrix.View[T], T]
	distance  *skel.MapWith[int, fitted[T], float64]
	approach  *skel.ZipWith[int, float64, spread[T], float64]
}

func makeSkeletons[T number]() *skeletons[T] {
	return &skeletons[T]{
		tabulate:  skel.NewMapWith(tabulate[T]),
		weighted:  skel.NewMapWith(tabulateWeighted[T]),
		magnitude: skel.NewMap(magnitude[T]),
		largest:   skel.NewReduce(larger[T], 0),
		assign:    skel.NewMapWith(assign[T]),
		widen:     skel.NewMap(widen[T]),
		weigh:     skel.NewMapWith(weigh[T]),
		integer:   skel.NewMapWith(integer[T]),
		rounded:   skel.NewMapWith(rounded[T]),
		change:    skel.NewMapWith(change[T]),
		average:   skel.NewMapVoidWith(average[T]),
		update:    skel.NewMapVoidWith(update[T]),
		place:     skel.NewMapWith(place[T]),
		transpose: skel.NewMapWith(transpose[T]),
		gather:    skel.NewMapWith(gather[T]),
		turned:    skel.NewMapWith(turn[T]),
		distance:  skel.NewMapWith(distance[T]),
		approach:  skel.NewZipWith(approach[T]),
	}
}

func skeletonsOf[T number]() *skeletons[T] {
	if s, ok := any(float32s).(*skeletons[T]); ok {
		return s
	}
	return any(float64s).(*skeletons[T])
}

var (
	float32s = makeSkeletons[float32]()
	float64s = makeSkeletons[float64]()

	add     = skel.NewReduce(sum, 0)
	times   = skel.NewZip(product)
	count   = skel.NewReduce(sumInt, 0)
	one     = skel.NewMap(alwaysOne)
	unit    = skel.NewMap(alwaysUnit)
	none    = skel.NewMap(noLabel)
	differs = skel.NewZip(differ)
)

func turn[T number](at matrix.Index, v matrix.View[T]) T { return v.At(at.Col, at.Row) }

func widen[T number](x T) float64  { return float64(x) }
func magnitude[T number](x T) T    { return max(x, -x) }
func larger[T number](a, b T) T    { return max(a, b) }
func sum(a, b float64) float64     { return a + b }
func product(a, b float64) float64 { return a * b }
func sumInt(a, b int) int          { return a + b }
func alwaysOne(int) int            { return 1 }
func alwaysUnit(int) float64       { return 1 }
func noLabel(int) int32            { return -1 }

func differ(a, b int32) int {
	if a != b {
		return 1
	}
	return 0
}
