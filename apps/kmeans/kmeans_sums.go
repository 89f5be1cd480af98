package kmeans

import (
	"math"
	"math/bits"
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// This file computes the sums of the clusters. Coordinates of float32 without weights are
// rounded to a multiple of a unit of their column, so that their sums are integers. An
// iteration then adds the points that entered a cluster to its sum, and subtracts those that
// left: integers give the same sum, bit for bit, as adding up all points (docs/adr/0030).

// totals are sums of the clusters as integers.
type totals[T number] struct {
	sums   *matrix.Matrix[int]     // a row for each cluster; nil before the first iteration
	scales *vector.Vector[float64] // of each column of the table: the integers of 1
}

// exactShare is the number of coordinates of which at most one may be rounded. Numbers are
// rounded that are small compared with the largest one of their column: with 10^7 points,
// those below 2^-13 of it, as they may be less than 2^24 units.
const exactShare = 1024

// newTotals returns totals for the points, or nil if their sums are in float64.
func newTotals[T number](m *model[T]) (*totals[T], error) {
	if _, ok := any(T(0)).(float32); !ok || !m.finite || m.o.Weights != nil {
		return nil, nil
	}
	scales := slices.Repeat([]float64{1}, m.cols) // weights are 1, and what follows them is 0
	for j, v := range m.extents {
		if v > 0 {
			_, exponent := math.Frexp(float64(v))
			scales[j] = math.Ldexp(1, 62-bits.Len(uint(m.n))-exponent) // n numbers add up to at most 2^62
		}
	}
	t := &totals[T]{scales: vector.From(scales, m.home)}
	points := fixed[T]{m.coordinates().View(), t.scales.View()}
	rounded := m.rounded.With(points).ApplyMatrix(matrix.Indices(m.n, m.dim, m.where))
	defer rounded.Free()
	n, err := value(count.ApplyMatrix(rounded))
	if err != nil || n > m.n*m.dim/exactShare {
		t.free()
		return nil, err
	}
	return t, nil
}

func (t *totals[T]) free() {
	if t == nil {
		return
	}
	t.scales.Free()
	t.discard()
}

// discard frees the sums.
func (t *totals[T]) discard() {
	if t != nil && t.sums != nil {
		t.sums.Free()
		t.sums = nil
	}
}

// fixed has a table whose coordinates are integers.
type fixed[T number] struct {
	Table  matrix.View[T]
	Scales vector.View[float64]
}

func (t *totals[T]) fixed(m *model[T]) fixed[T] { return fixed[T]{m.table.View(), t.scales.View()} }

// integer returns an element of the table.
func integer[T number](at matrix.Index, f fixed[T]) int {
	return int(math.RoundToEven(float64(f.Table.At(at.Row, at.Col)) * f.Scales.At(at.Col)))
}

// rounded returns 1 for an element that is no integer.
func rounded[T number](at matrix.Index, f fixed[T]) int {
	x := float64(f.Table.At(at.Row, at.Col)) * f.Scales.At(at.Col)
	if x != math.RoundToEven(x) {
		return 1
	}
	return 0
}

// changes has a table whose coordinates are integers, and the column of its weights.
type changes[T number] struct {
	Fixed  fixed[T]
	Weight int
}

// change returns the element of row at.Row/2 of the table, if at.Row is odd negative. The
// column after the weights counts the points that entered a cluster.
func change[T number](at matrix.Index, f changes[T]) int {
	if at.Col > f.Weight {
		return 1 - at.Row%2
	}
	x := int(math.RoundToEven(float64(f.Fixed.Table.At(at.Row/2, at.Col)) * f.Fixed.Scales.At(at.Col)))
	if at.Row%2 != 0 {
		return -x
	}
	return x
}

// labellings has the labels before and after an iteration.
type labellings struct{ Before, After vector.View[int32] }

// changed returns the cluster that point i/2 entered or, if i is odd, that it left. It
// returns a negative number if the point did not move.
func changed(i int, m labellings) int32 {
	before, after := m.Before.At(i/2), m.After.At(i/2)
	switch {
	case before == after:
		return -1
	case i%2 == 0:
		return after
	}
	return before
}

// entering returns the cluster that a point entered, and leaving the one that it left, by its
// labels before and after an iteration. They return -1 if the point did not move.
func entering(before, after int32) int32 {
	if before == after {
		return -1
	}
	return after
}

func leaving(before, after int32) int32 {
	if before == after {
		return -1
	}
	return before
}

// move moves the centres to the means of the points with the given labels. It returns the
// number of labels that differ from those before if it is known by then, and the sums of the
// clusters, nil if nothing needs them.
func (m *model[T]) move(before, labels *vector.Vector[int32]) (
	moved *vector.Scalar[int], sums *matrix.Matrix[float64], err error,
) {
	t := m.totals
	switch {
	case t == nil:
		sums = m.sums(labels)
		return nil, sums, m.moveTo(sums)
	case t.sums == nil:
		t.sums = t.rows(m, labels)
	case m.severalDevices():
		moved, err = t.updateInPlace(m, before, labels)
	default:
		moved, err = t.update(m, before, labels)
	}
	if err != nil {
		return moved, nil, err
	}
	f := floats{t.sums.View(), t.scales.View()}
	if m.o.Empty != Keep {
		sums = inFloats.With(f).ApplyMatrix(matrix.Indices(m.k, m.cols, m.home))
	}
	all := matrix.Indices(m.k, m.centers.Rows(), m.home)
	return moved, sums, m.average.With(averages[T]{f, m.centers.OutView()}).ApplyMatrix(all)
}

// rows adds up the rows of the table by the given keys.
func (t *totals[T]) rows(m *model[T], keys *vector.Vector[int32]) *matrix.Matrix[int] {
	rows := m.integer.With(t.fixed(m)).ApplyMatrix(matrix.Indices(m.n, m.cols, m.where))
	defer rows.Free() // so that it is not materialized when the table changes
	return count.RowsByKey(rows, keys, m.k)
}

// update updates the sums by the points that moved, in one pass, and returns their number.
func (t *totals[T]) update(m *model[T], before, labels *vector.Vector[int32]) (*vector.Scalar[int], error) {
	rows := m.change.With(changes[T]{t.fixed(m), m.width}).ApplyMatrix(matrix.Indices(2*m.n, m.cols, m.where))
	defer rows.Free()
	keys := changedLabels.With(labellings{before.View(), labels.View()}).Apply(vector.Indices(2*m.n, m.where))
	defer keys.Free()
	moves := count.RowsByKey(rows, keys, m.k)
	defer moves.Free()
	return m.column(moves, m.width+1), plus.ApplyTo(t.sums.Vector(), t.sums.Vector(), moves.Vector())
}

// updateInPlace is update in two passes, which read the rows of points only where they are. Each device
// of several then reads its own points; in one pass, it cannot know where half an index is.
func (t *totals[T]) updateInPlace(m *model[T], before, labels *vector.Vector[int32]) (*vector.Scalar[int], error) {
	to, from := enteredOf.Apply(before, labels), leftOf.Apply(before, labels)
	defer to.Free()
	defer from.Free()
	in, out := t.rows(m, to), t.rows(m, from)
	defer in.Free()
	defer out.Free()
	moves := minus.Apply(in.Vector(), out.Vector())
	defer moves.Free()
	return m.column(in, m.width), plus.ApplyTo(t.sums.Vector(), t.sums.Vector(), moves)
}

// column adds up a column of moves.
func (m *model[T]) column(moves *matrix.Matrix[int], column int) *vector.Scalar[int] {
	n := entered.With(entries{moves.View(), column}).Apply(vector.Indices(m.k, m.home))
	defer n.Free()
	return count.Apply(n)
}

// entries has the changes of sums, and the column with the numbers of points that entered.
type entries struct {
	Changes matrix.View[int]
	Column  int
}

func enteredBy(c int, e entries) int { return e.Changes.At(c, e.Column) }

// floats has sums as integers.
type floats struct {
	Sums   matrix.View[int]
	Scales vector.View[float64]
}

func differenceInt(a, b int) int { return a - b }

func inFloat(at matrix.Index, f floats) float64 {
	return float64(f.Sums.At(at.Row, at.Col)) / f.Scales.At(at.Col)
}

// averages has sums as integers, and the centres.
type averages[T number] struct {
	Sums    floats
	Centers matrix.OutView[T]
}

// average is update for sums as integers.
func average[T number](at matrix.Index, a averages[T]) {
	if n := a.Sums.Sums.At(at.Row, a.Centers.Rows()); n > 0 {
		a.Centers.Set(at.Col, at.Row, T(inFloat(at, a.Sums)/float64(n)))
	}
}

var (
	changedLabels = skel.NewMapWith(changed)
	enteredOf     = skel.NewZip(entering)
	leftOf        = skel.NewZip(leaving)
	plus          = skel.NewZip(sumInt)
	minus         = skel.NewZip(differenceInt)
	entered       = skel.NewMapWith(enteredBy)
	inFloats      = skel.NewMapWith(inFloat)
)

// weighed is the table and the column of its weights.
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

// sums adds up the rows of the table for each cluster: coordinates times weight,
// and weights.
func (m *model[T]) sums(labels *vector.Vector[int32]) *matrix.Matrix[float64] {
	var rows *matrix.Matrix[float64]
	if m.o.Weights == nil {
		rows = m.widen.ApplyMatrix(m.table)
	} else {
		rows = m.weigh.With(weighed[T]{m.table.View(), m.width}).ApplyMatrix(matrix.Indices(m.n, m.cols, m.where))
	}
	defer rows.Free() // so that it is not materialized when the table changes
	return add.RowsByKey(rows, labels, m.k)
}

// means has the sums of the rows of each cluster's points, and the centres.
type means[T number] struct {
	Sums    matrix.View[float64]
	Centers matrix.OutView[T]
}

// update moves a coordinate of a cluster's centre to the mean of its points.
func update[T number](at matrix.Index, m means[T]) {
	if weight := m.Sums.At(at.Row, m.Centers.Rows()); weight > 0 {
		m.Centers.Set(at.Col, at.Row, T(m.Sums.At(at.Row, at.Col)/weight))
	}
}

// moveTo moves the centres to the means of their points.
func (m *model[T]) moveTo(sums *matrix.Matrix[float64]) error {
	all := matrix.Indices(m.k, m.centers.Rows(), m.home)
	return m.update.With(means[T]{sums.View(), m.centers.OutView()}).ApplyMatrix(all)
}
