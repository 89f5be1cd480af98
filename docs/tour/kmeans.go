package tour

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show assign

type clusters struct{ Points, Centres matrix.View[float32] }

func nearest(i int, c clusters) int32 {
	best, bestDist := int32(0), float32(math.MaxFloat32)
	for k := range c.Centres.Rows() {
		var d float32
		for j := range c.Points.Cols() {
			diff := c.Points.At(i, j) - c.Centres.At(k, j)
			d += diff * diff
		}
		if d < bestDist {
			best, bestDist = int32(k), d
		}
	}
	return best
}

var assign = skel.NewMapWith(nearest)

// end

// show update

func add(x, y float32) float32 { return x + y }
func one(int32) float32        { return 1 }

type means struct {
	Sums   matrix.View[float32]
	Counts vector.View[float32]
	Old    matrix.View[float32]
}

func mean(at matrix.Index, m means) float32 {
	n := m.Counts.At(at.Row)
	if n == 0 { // the centre of an empty cluster stays where it is
		return m.Old.At(at.Row, at.Col)
	}
	return m.Sums.At(at.Row, at.Col) / n
}

var (
	sum     = skel.NewReduce(add, 0)
	ones    = skel.NewMap(one)
	centres = skel.NewMapWith(mean)
)

// end

// show moved

func differ(x, y int32) int {
	if x != y {
		return 1
	}
	return 0
}

var (
	changed = skel.NewZip(differ)
	count   = skel.NewReduce(addInts, 0)
)

// end

// show loop

// kMeans moves the centres until no point changes its cluster. It returns the
// centres and the cluster of each point.
func kMeans(points, centre *matrix.Matrix[float32]) (*matrix.Matrix[float32], *vector.Vector[int32], error) {
	n, k := points.Rows(), centre.Rows()
	label := vector.From(make([]int32, n))
	for first := true; ; first = false {
		next := assign.With(clusters{points.View(), centre.View()}).Apply(vector.Indices(n))
		moved, err := count.Apply(changed.Apply(label, next)).Value()
		if err != nil || moved == 0 && !first {
			return centre, next, err
		}
		sums := sum.RowsByKey(points, next, k)
		counts := sum.ByKey(ones.Apply(next), next, k)
		m := means{sums.View(), counts.View(), centre.View()}
		centre = centres.With(m).ApplyMatrix(matrix.Indices(k, points.Cols()))
		label = next
	}
}

// end
