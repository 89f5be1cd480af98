package kmeans

import (
	"context"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// skeletons are those that depend on the type of the coordinates.
type skeletons[T number] struct {
	tabulate  *skel.MapWith[matrix.Index, source[T], T]
	magnitude *skel.Map[T, T]
	largest   *skel.Reduce[T]
	assign    *skel.MapWith[int, assignment[T], int32]
	widen     *skel.Map[T, float64]
	weigh     *skel.MapWith[matrix.Index, weighed[T], float64]
	update    *skel.MapVoidWith[matrix.Index, means[T]]
	place     *skel.MapWith[matrix.Index, chosen[T], T]
	transpose *skel.MapWith[matrix.Index, chosen[T], T]
	gather    *skel.MapWith[matrix.Index, chosen[T], T]
	weight    *skel.MapWith[int, weighed[T], float64]
	distance  *skel.MapWith[int, fit[T], float64]
	approach  *skel.ZipWith[int, float64, spread[T], float64]
}

func makeSkeletons[T number]() *skeletons[T] {
	return &skeletons[T]{
		tabulate:  skel.NewMapWith(tabulate[T]),
		magnitude: skel.NewMap(magnitude[T]),
		largest:   skel.NewReduce(larger[T], 0),
		assign:    skel.NewMapWith(assign[T]),
		widen:     skel.NewMap(widen[T]),
		weigh:     skel.NewMapWith(weigh[T]),
		update:    skel.NewMapVoidWith(update[T]),
		place:     skel.NewMapWith(place[T]),
		transpose: skel.NewMapWith(transpose[T]),
		gather:    skel.NewMapWith(gather[T]),
		weight:    skel.NewMapWith(weight[T]),
		distance:  skel.NewMapWith(distance[T]),
		approach:  skel.NewZipWith(approach[T]),
	}
}

var (
	float32s = makeSkeletons[float32]()
	float64s = makeSkeletons[float64]()

	add     = skel.NewReduce(sum, 0)
	times   = skel.NewZip(product)
	count   = skel.NewReduce(sumInt, 0)
	one     = skel.NewMap(alwaysOne)
	none    = skel.NewMap(noLabel)
	far     = skel.NewMap(infinite)
	differs = skel.NewZip(differ)
	relabel = skel.NewMapWith(renumber)
)

func sum(a, b float64) float64                      { return a + b }
func product(a, b float64) float64                  { return a * b }
func sumInt(a, b int) int                           { return a + b }
func differ(a, b int32) int                         { return indicator(a != b) }
func alwaysOne(int) int                             { return 1 }
func noLabel(int) int32                             { return -1 }
func infinite(int) float64                          { return math.Inf(1) }
func renumber(l int32, to vector.View[int32]) int32 { return to.At(int(l)) }

func of[T number]() *skeletons[T] {
	if s, ok := any(float32s).(*skeletons[T]); ok {
		return s
	}
	return any(float64s).(*skeletons[T])
}

// lanes is how many centres are compared at a time, by vector instructions.
const lanes = 8

// model is a clustering under way. The table has a row a point: dim
// coordinates, a zero if that makes their number even, the weight, so that one
// reduction by key sums up all of these, and zeros, so that rows can be read
// as vectors of four.
type model[T number] struct {
	*skeletons[T]
	o          *Options
	where      vector.Distribution // of the points: over all devices, if there are several
	home       vector.Distribution // of what there is little of: the first device
	n, dim, k  int
	width      int // dim, made even: the column of the weights
	cols       int // of the table
	table      *matrix.Matrix[T]
	labels     *vector.Vector[int32]
	centers    *matrix.Matrix[T] // a column a centre; NaN in those that fill up to lanes
	before     *matrix.Matrix[T] // the centres before the last iteration, if anybody needs them
	start      int               // which one it is
	iterations int
	moved      int // labels, in the last iteration
}

// source is what a table is made of.
type source[T number] struct {
	Points  matrix.View[T]
	Weights vector.View[T] // one for all, or one a point
	Width   int
}

func tabulate[T number](at matrix.Index, s source[T]) T {
	switch {
	case at.Col < s.Points.Cols():
		return s.Points.At(at.Row, at.Col)
	case at.Col == s.Width:
		return s.Weights.At(min(at.Row, s.Weights.Len()-1))
	default:
		return 0
	}
}

// newModel makes the table.
func newModel[T number](points *matrix.Matrix[T], o *Options) (*model[T], error) {
	m := &model[T]{skeletons: of[T](), o: o, where: points.Vector().Distribution(), n: points.Rows(), dim: points.Cols(), k: o.K}
	m.home = vector.Single(points.Device())
	m.width = (m.dim + 1) &^ 1
	m.cols = (m.width + 1 + 3) &^ 3
	if err := m.checkRange(points); err != nil {
		return nil, err
	}
	weights := []T{1}
	if o.Weights != nil {
		weights = make([]T, m.n)
		for i, w := range o.Weights {
			weights[i] = T(w)
		}
	}
	w := vector.From(weights, m.home)
	defer w.Free()
	m.table = m.tabulate.With(source[T]{points.View(), w.View(), m.width}).ApplyMatrix(matrix.Indices(m.n, m.cols, m.where))
	return m, m.table.Wait()
}

func (m *model[T]) free() {
	m.table.Free()
	m.discard()
}

// discard frees what belongs to one start.
func (m *model[T]) discard() {
	if m.labels != nil {
		m.labels.Free()
	}
	for _, c := range []*matrix.Matrix[T]{m.centers, m.before} {
		if c != nil {
			c.Free()
		}
	}
	m.labels, m.centers, m.before = nil, nil, nil
}

func magnitude[T number](x T) T { return max(x, -x) }
func larger[T number](a, b T) T { return max(a, b) }

// checkRange finds numbers whose squares are too large, or vanish.
func (m *model[T]) checkRange(points *matrix.Matrix[T]) error {
	magnitudes := m.magnitude.ApplyMatrix(points)
	defer magnitudes.Free()
	largest, err := value(m.largest.ApplyMatrix(magnitudes))
	if err != nil {
		return err
	}
	most, least, name := math.MaxFloat64, 1e-300, "float64"
	if _, ok := any(T(0)).(float32); ok {
		most, least, name = math.MaxFloat32, 1e-34, "float32"
	}
	v := float64(largest)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil // was let in on purpose
	}
	if 2*v >= math.Sqrt(most/float64(m.dim)) || v > 0 && v*v < least {
		return inputErrorf("the largest number is %v; squared distances of such numbers do not fit %s: divide the columns by a unit of their size", largest, name)
	}
	return nil
}

func indicator(b bool) int {
	if b {
		return 1
	}
	return 0
}

func widen[T number](x T) float64 { return float64(x) }

// weighed is the table, and which column has the weights.
type weighed[T number] struct {
	Table  matrix.View[T]
	Weight int
}

// weigh multiplies the coordinates of a row of the table with its weight.
func weigh[T number](at matrix.Index, w weighed[T]) float64 {
	x := float64(w.Table.At(at.Row, at.Col))
	if at.Col < w.Weight {
		return x * float64(w.Table.At(at.Row, w.Weight))
	}
	return x
}

// sums adds up the rows of the table by cluster: coordinates times weight, and
// weights.
func (m *model[T]) sums(labels *vector.Vector[int32]) *matrix.Matrix[float64] {
	var rows *matrix.Matrix[float64]
	if m.o.Weights == nil {
		rows = m.widen.ApplyMatrix(m.table)
	} else {
		rows = m.weigh.With(weighed[T]{m.table.View(), m.width}).ApplyMatrix(matrix.Indices(m.n, m.cols, m.where))
	}
	defer rows.Free() // lest it be put into memory when the table changes
	return add.RowsByKey(rows, labels, m.k)
}

// weights are the weights of the points.
func (m *model[T]) weights() *vector.Vector[float64] {
	return m.weight.With(weighed[T]{m.table.View(), m.width}).Apply(vector.Indices(m.n, m.where))
}

func weight[T number](i int, w weighed[T]) float64 { return float64(w.Table.At(i, w.Weight)) }

// fit is a clustering's points and centres.
type fit[T number] struct {
	Table, Centers matrix.View[T]
	Labels         vector.View[int32]
}

// distance is the squared distance of point i from its centre.
func distance[T number](i int, f fit[T]) float64 {
	d, c := 0.0, int(f.Labels.At(i))
	for j := range f.Centers.Rows() {
		diff := float64(f.Table.At(i, j)) - float64(f.Centers.At(j, c))
		d = math.FMA(diff, diff, d)
	}
	return d
}

// distances are the squared distances of the points from the given centres.
func (m *model[T]) distances(centers *matrix.Matrix[T]) *vector.Vector[float64] {
	return m.distance.With(fit[T]{m.table.View(), centers.View(), m.labels.View()}).Apply(vector.Indices(m.n, m.where))
}

// run is one start: it chooses centres and moves them.
func (m *model[T]) run(ctx context.Context, seed uint64) error {
	m.discard()
	m.iterations, m.moved = 0, m.n
	m.forget()
	if err := m.seed(ctx, seed); err != nil {
		return err
	}
	m.report(0)
	m.remember()
	if err := m.lloyd(ctx); err != nil || m.moved == 0 {
		return err
	}
	return m.assignAll() // the centres moved after the last assignment
}

// assignAll finds the nearest centre of every point.
func (m *model[T]) assignAll() error {
	m.labels.Free()
	m.labels = m.assigned()
	return m.labels.Wait()
}

// forget takes the labels from all points.
func (m *model[T]) forget() {
	if m.labels != nil {
		m.labels.Free()
	}
	m.labels = none.Apply(vector.Indices(m.n, m.where))
}

// value brings a result to the host and frees it.
func value[T any](s *vector.Scalar[T]) (T, error) {
	defer s.Free()
	return s.Value()
}

// report tells whoever wants to know how far the clustering is.
func (m *model[T]) report(iteration int) {
	if m.o.Progress != nil {
		m.o.Progress(m.start, iteration, m.moved)
	}
}

// total adds up a vector and frees it.
func total(v *vector.Vector[float64]) (float64, error) {
	defer v.Free()
	return value(add.Apply(v))
}
