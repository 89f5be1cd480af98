package pca

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// QR factorizes a matrix, usually a tall one, into q*r by Householder's transformations.
// Of k, the smaller number of its rows and columns, q has k orthonormal columns, and r has
// k rows and is zero below the diagonal. Diagonal elements of r may be negative. They are
// zero, but for rounding, if columns depend on each other.
func QR(a mat.Matrix) (q, r *mat.Dense) {
	rows, cols := a.Dims()
	work := mat.DenseCopyOf(a)
	reflections := triangularize(work.RawMatrix().Data, rows, cols)
	k := min(rows, cols)
	r = mat.DenseCopyOf(work.Slice(0, k, 0, cols))
	q = mat.NewDense(rows, k, nil)
	for j := range k {
		q.Set(j, j, 1)
	}
	for j := len(reflections) - 1; j >= 0; j-- { // Q = P1 P2 ... Pk
		// The reflections after this one leave column j of the identity as it is.
		reflections[j].apply(q.RawMatrix().Data, k, j, make([]float64, k))
	}
	return q, r
}

// reflection is Householder's transformation P = I - v v'/half, where half is v'v/2. It
// changes the rows from first on; v has an element for each of them. A nil v stands for
// the identity.
type reflection struct {
	first int
	v     []float64
	half  float64
}

// reflect returns the reflection that makes x a multiple of the first unit vector, and
// that multiple: P x = diagonal e1.
//
// The vector is v = x/|x| + sign(x1) e1, whose sum does not cancel. If x1 is zero, either
// sign will do; x1/|x1| would be NaN. If x is zero, there is nothing to reflect.
func reflect(x []float64) (r reflection, diagonal float64) {
	length := norm(x)
	if length == 0 {
		return reflection{}, 0
	}
	sign := math.Copysign(1, x[0])
	for i := range x {
		x[i] /= length
	}
	half := 1 + math.Abs(x[0]) // v'v = 1 + 2|x1|/|x| + 1
	x[0] += sign
	return reflection{v: x, half: half}, -sign * length
}

// apply applies the reflection to columns from..cols-1 of a matrix with cols columns,
// stored row by row. It uses work, which has cols elements.
func (p *reflection) apply(a []float64, cols, from int, work []float64) {
	if p.v == nil || from == cols {
		return
	}
	w := work[from:cols]
	clear(w)
	for i, v := range p.v { // w = v'A
		at := (p.first + i) * cols
		floats.AddScaled(w, v, a[at+from:at+cols])
	}
	for i, v := range p.v { // A - v w'/half
		at := (p.first + i) * cols
		floats.AddScaled(a[at+from:at+cols], -v/p.half, w)
	}
}

// triangularize replaces a matrix, stored row by row, by its factor R: P_k ... P_1 A. It
// returns the reflections P_1 to P_k.
func triangularize(a []float64, rows, cols int) (all []reflection) {
	work := make([]float64, cols)
	for j := range min(rows, cols) {
		x := make([]float64, rows-j)
		for i := range x {
			x[i] = a[(j+i)*cols+j]
			a[(j+i)*cols+j] = 0
		}
		p, diagonal := reflect(x)
		p.first = j
		a[j*cols+j] = diagonal
		p.apply(a, cols, j+1, work)
		all = append(all, p)
	}
	return all
}

// norm returns the length of x. It scales x if the sum of squares overflows or underflows.
func norm(x []float64) float64 {
	const small, large = 1e-280, 1e280
	sum := 0.0
	for _, v := range x {
		sum = math.FMA(v, v, sum)
	}
	if sum > small && sum < large {
		return math.Sqrt(sum)
	}
	scale := 0.0
	for _, v := range x {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 || scale-scale != 0 {
		return scale
	}
	sum = 0
	for _, v := range x {
		sum = math.FMA(v/scale, v/scale, sum)
	}
	return scale * math.Sqrt(sum)
}
