package kmeans

import (
	"context"
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

type assignment[T number] struct {
	Table   matrix.View[T] // a row a point: coordinates, weight
	Centers matrix.View[T] // a column a centre, up to a multiple of lanes; an even number of rows
}

// assign finds the centre nearest to point i. One that is NaN is never it.
func assign[T number](i int, a assignment[T]) int32 {
	label, least := int32(0), T(math.Inf(1))
	for first := 0; first < a.Centers.Cols(); first += lanes {
		var even, odd [lanes]T // a sum waits for the one before: so there are two
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

// means are the sums of the rows of each cluster's points, and the centres.
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

// lloyd moves the centres until no label moves, or as few as are allowed to.
func (m *model[T]) lloyd(ctx context.Context) error {
	return m.repeat(ctx, func() (moved *vector.Scalar[int], sums *matrix.Matrix[float64], err error) {
		labels := m.assigned()
		sums = m.sums(labels) // which computes the labels in passing
		moved = m.replace(labels)
		return moved, sums, m.moveTo(sums)
	})
}

// moveTo moves the centres to the means of their points.
func (m *model[T]) moveTo(sums *matrix.Matrix[float64]) error {
	all := matrix.Indices(m.k, m.centers.Rows(), m.home)
	return m.update.With(means[T]{sums.View(), m.centers.OutView()}).ApplyMatrix(all)
}

// assigned is the nearest centre of every point.
func (m *model[T]) assigned() *vector.Vector[int32] {
	return m.assign.With(assignment[T]{m.table.View(), m.centers.View()}).Apply(vector.Indices(m.n, m.where))
}

// replace puts labels in the place of those before, and counts those that moved.
func (m *model[T]) replace(labels *vector.Vector[int32]) *vector.Scalar[int] {
	differ := differs.Apply(m.labels, labels)
	moved := count.Apply(differ)
	differ.Free()
	m.labels.Free()
	m.labels = labels
	return moved
}
