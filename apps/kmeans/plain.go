package kmeans

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// This file is Lloyd's algorithm in its plain form and needs no other file. It does what
// the hand-written OpenCL versions do, so skelgo compare compares it with them. Cluster,
// which the command runs, also chooses the first centres, handles weights and empty
// clusters, and reads the points only once per iteration.

type plainPoints struct{ Points, Centers matrix.View[float32] }

// plainNearest returns the centre nearest to point i; of equally near ones, the first.
func plainNearest(i int, c plainPoints) int32 {
	label, least := int32(0), float32(math.MaxFloat32)
	for k := range c.Centers.Rows() {
		var d float32
		for j := range c.Points.Cols() {
			diff := c.Points.At(i, j) - c.Centers.At(k, j)
			d += float32(diff * diff)
		}
		if d < least {
			label, least = int32(k), d
		}
	}
	return label
}

type plainMeans struct {
	Sums  matrix.View[float64]
	Sizes vector.View[int]
	Old   matrix.View[float32]
}

// plainMean returns a coordinate of a centre: the mean of its points, or the old
// centre if it has none.
func plainMean(at matrix.Index, m plainMeans) float32 {
	size := m.Sizes.At(at.Row)
	if size == 0 {
		return m.Old.At(at.Row, at.Col)
	}
	return float32(m.Sums.At(at.Row, at.Col) / float64(size))
}

func plainWiden(x float32) float64  { return float64(x) }
func plainOne(int32) int            { return 1 }
func plainAdd(a, b float64) float64 { return a + b }
func plainCount(a, b int) int       { return a + b }
func plainDiffer(a, b int32) (n int) {
	if a != b {
		n = 1
	}
	return n
}

var (
	plainAssign  = skel.NewMapWith(plainNearest)
	plainWide    = skel.NewMap(plainWiden)
	plainOnes    = skel.NewMap(plainOne)
	plainSum     = skel.NewReduce(plainAdd, 0)
	plainSize    = skel.NewReduce(plainCount, 0)
	plainDiffers = skel.NewZip(plainDiffer)
	plainUpdate  = skel.NewMapWith(plainMean)
)

// Plain moves the centres until no label moves, at most maxIter times. It returns the new
// centres and the label of each point.
func Plain(
	points, centers *matrix.Matrix[float32], maxIter int,
) (*matrix.Matrix[float32], *vector.Vector[int32], error) {
	n, k, where := points.Rows(), centers.Rows(), points.Vector().Distribution()
	assign := func() *vector.Vector[int32] {
		return plainAssign.With(plainPoints{points.View(), centers.View()}).Apply(vector.Indices(n, where))
	}
	labels := assign()
	for i := 0; i < maxIter; i++ {
		sums := plainSum.RowsByKey(plainWide.ApplyMatrix(points), labels, k)
		sizes := plainSize.ByKey(plainOnes.Apply(labels), labels, k)
		means := plainMeans{sums.View(), sizes.View(), centers.View()}
		centers = plainUpdate.With(means).ApplyMatrix(matrix.Indices(k, points.Cols(), where))
		next := assign()
		moved, err := plainSize.Apply(plainDiffers.Apply(labels, next)).Value()
		if labels = next; err != nil || moved == 0 {
			return centers, labels, err
		}
	}
	return centers, labels, labels.Wait()
}
