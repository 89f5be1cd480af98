package kmeans

import (
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Predict returns the nearest centre of every point.
func Predict[T number](points, centers *matrix.Matrix[T]) (*vector.Vector[int32], error) {
	o := Options{K: centers.Rows(), MaxIter: 1, Init: First}
	if points.Cols() != centers.Cols() {
		return nil, inputErrorf("the points have %s and the centres %d", app.Count(points.Cols(), "column"),
			centers.Cols())
	}
	if points.Rows() == 0 || centers.Rows() == 0 || points.Cols() == 0 {
		return nil, inputErrorf("%s and %s of %s: none can be 0", app.Count(points.Rows(), "point"),
			app.Count(centers.Rows(), "centre"), app.Count(points.Cols(), "column"))
	}
	m := newModel[T](points.Rows(), points.Cols(), points.Vector().Distribution(), &o)
	defer m.free()
	if err := m.takePoints(points); err != nil {
		return nil, err
	}
	m.forget()
	if err := m.setCenters(centers, upTo(m.k)); err != nil {
		return nil, err
	}
	m.assignAll()
	if err := m.labels.Wait(); err != nil {
		return nil, err
	}
	labels := m.labels
	m.labels = nil
	return labels, nil
}

// newModel returns a model of n points, which do not belong to it yet.
func newModel[T number](n, dim int, where vector.Distribution, o *Options) *model[T] {
	m := &model[T]{
		skeletons: skeletonsOf[T](), o: o, where: where, home: where, n: n, dim: dim, k: o.K,
	}
	if devs := where.Devices(); len(devs) > 0 { // otherwise the points have an error
		m.home = vector.Single(devs[0])
	}
	m.width = (m.dim + 1) &^ 1
	m.cols = (m.width + 1 + 3) &^ 3
	if o.Weights != nil {
		weights := make([]T, n)
		for i, w := range o.Weights {
			weights[i] = T(w)
		}
		m.weighting = vector.From(weights, where)
	}
	return m
}

// takePoints measures points and makes their table.
func (m *model[T]) takePoints(points *matrix.Matrix[T]) error {
	if err := m.measure(points); err != nil {
		return err
	}
	m.table = m.tableOf(points)
	return m.table.Wait()
}

// tableOf returns the table of points.
func (m *model[T]) tableOf(points *matrix.Matrix[T]) *matrix.Matrix[T] {
	all, p := matrix.Indices(m.n, m.cols, m.where), source[T]{points.View(), m.width}
	if m.weighting == nil {
		return m.tabulate.With(p).ApplyMatrix(all)
	}
	return m.weighted.With(weightedSource[T]{p, m.weighting.View()}).ApplyMatrix(all)
}

// useTable makes the table of a stream's points, and releaseTable frees it. Between them nothing may be read, so
// that the part of each page is made when it is needed, and never saved on the host.
func (m *model[T]) useTable() {
	if m.stream != nil {
		m.table = m.tableOf(m.stream)
	}
}

func (m *model[T]) releaseTable() {
	if m.stream != nil {
		m.table.Free()
		m.table = nil
	}
}

// coordinates returns a matrix whose first columns are the coordinates of the points.
func (m *model[T]) coordinates() *matrix.Matrix[T] {
	if m.stream != nil {
		return m.stream
	}
	return m.table
}

// point returns the coordinates of a point.
func (m *model[T]) point(i int) ([]T, error) {
	all, x := m.coordinates(), make([]T, m.dim)
	return x, all.Vector().Read(i*all.Cols(), x)
}

// weightOf returns the weight of a point.
func (m *model[T]) weightOf(i int) float64 {
	if m.o.Weights == nil {
		return 1
	}
	return float64(T(m.o.Weights[i]))
}

// source has the points of which a table is made.
type source[T number] struct {
	Points matrix.View[T]
	Width  int
}

// tabulate returns an element of the table of points whose weights are 1.
func tabulate[T number](at matrix.Index, s source[T]) T {
	switch {
	case at.Col < s.Points.Cols():
		return s.Points.At(at.Row, at.Col)
	case at.Col == s.Width:
		return 1
	default:
		return 0
	}
}

// weightedSource has points and their weights.
type weightedSource[T number] struct {
	Source  source[T]
	Weights vector.View[T]
}

// tabulateWeighted returns an element of the table of points.
func tabulateWeighted[T number](at matrix.Index, s weightedSource[T]) T {
	if at.Col == s.Source.Width {
		return s.Weights.At(at.Row)
	}
	return tabulate(at, s.Source)
}
