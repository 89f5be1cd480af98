package kmeans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// axes project points onto the plane of a drawing.
type axes struct {
	origin []float64    // is taken off first; nil for none
	rows   [2][]float64 // the directions
	names  [2]string
	strips bool // the height is the cluster's number
}

// project gives a point's place in the plane.
func (a *axes) project(x []float64) (place [2]float64) {
	for d, row := range a.rows {
		for j, v := range x {
			if a.origin != nil {
				v -= a.origin[j]
			}
			place[d] += row[j] * v
		}
	}
	return place
}

// columnAxes are two of the columns themselves.
func columnAxes(dim int, columns [2]int, names [2]string) *axes {
	a := &axes{names: names}
	for d, c := range columns {
		a.rows[d] = make([]float64, dim)
		a.rows[d][c] = 1
	}
	return a
}

// principalAxes are the two directions along which the points differ most:
// the leading eigenvectors of their covariance. The sign of each is such that
// its largest coefficient is positive.
func principalAxes(points [][]float64) (*axes, error) {
	dim := len(points[0])
	a := &axes{origin: make([]float64, dim)}
	for _, x := range points {
		for j, v := range x {
			a.origin[j] += v / float64(len(points))
		}
	}
	centered := mat.NewDense(len(points), dim, nil)
	for i, x := range points {
		for j, v := range x {
			centered.Set(i, j, v-a.origin[j])
		}
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1, centered.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, fmt.Errorf("the principal axes for the plot do not converge; choose two columns with --plot-columns")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	var total float64
	for _, v := range values {
		total += max(v, 0)
	}
	for d, which := range [2]string{"First", "Second"} {
		row := mat.Col(nil, dim-1-d, &vectors)
		if slices.Max(row) < -slices.Min(row) {
			for j := range row {
				row[j] = -row[j]
			}
		}
		a.rows[d] = row
		share := 0.0
		if total > 0 {
			share = 100 * max(values[dim-1-d], 0) / total
		}
		a.names[d] = fmt.Sprintf("%s principal axis (%.3g%% of the variance)", which, share)
	}
	return a, nil
}

// sample picks at most limit of n indices, in order, always the same.
func sample(n, limit int) []int {
	picked := make([]int, 0, min(n, limit))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n { // Knuth's algorithm S: each subset is as likely
		if need := min(n, limit) - len(picked); r.Float64()*float64(n-i) < float64(need) {
			picked = append(picked, i)
		}
	}
	return picked
}

// drawable reports whether a place can be drawn.
func drawable(p [2]float64) bool {
	return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1])
}
