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
	if points.Rows() == 0 || centers.Rows() == 0 {
		return nil, inputErrorf("%s and %s: neither can be 0", app.Count(points.Rows(), "point"),
			app.Count(centers.Rows(), "centre"))
	}
	m := newModel[T](points.Rows(), points.Cols(), points.Vector().Distribution(), &o)
	defer m.free()
	if err := m.checkRange(points); err != nil {
		return nil, err
	}
	if err := m.makeTable(points); err != nil {
		return nil, err
	}
	m.forget()
	if err := m.setCenters(centers, upTo(m.k)); err != nil {
		return nil, err
	}
	if err := m.assignAll(); err != nil {
		return nil, err
	}
	labels := m.labels
	m.labels = nil
	return labels, nil
}

// newModel returns a model of n points, without a table.
func newModel[T number](n, dim int, where vector.Distribution, o *Options) *model[T] {
	m := &model[T]{
		skeletons: skeletonsOf[T](), o: o, where: where, home: where, n: n, dim: dim, k: o.K,
	}
	if devs := where.Devices(); len(devs) > 0 { // otherwise the points have an error
		m.home = vector.Single(devs[0])
	}
	m.width = (m.dim + 1) &^ 1
	m.cols = (m.width + 1 + 3) &^ 3
	return m
}

// makeTable makes the table of the points.
func (m *model[T]) makeTable(points *matrix.Matrix[T]) error {
	o := m.o
	weights := []T{1}
	if o.Weights != nil {
		weights = make([]T, m.n)
		for i, w := range o.Weights {
			weights[i] = T(w)
		}
	}
	w := vector.From(weights, m.home)
	defer w.Free()
	all := matrix.Indices(m.n, m.cols, m.where)
	m.table = m.tabulate.With(source[T]{points.View(), w.View(), m.width}).ApplyMatrix(all)
	return m.table.Wait()
}

// source has the values of which a table is made.
type source[T number] struct {
	Points  matrix.View[T]
	Weights vector.View[T] // one for all points, or one for each
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
