package skel

import (
	"math"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
)

// Cholesky returns the Cholesky factor of each matrix of a stack: the lower triangle L
// with a positive diagonal for which LL' is the matrix. The matrices have as many rows as
// columns, which are p columns if a has p columns, and a has a multiple of p rows. Only
// their lower triangles are read. Above the diagonal, L is zero.
//
// If a matrix is not positive definite, the factor exists up to some column. From that
// column on, the diagonal and the elements below it are NaN, which is no error, so that
// nothing waits for the device. Elements that are infinite or NaN have the same effect.
//
// Element (i, j) is A(i, j) minus L(i, k)*L(j, k) for k = 0, 1, ..., j-1, by a fused
// multiply-add each, and then divided by the diagonal element of column j, or its square
// root if i is j.
//
// Functions that a is pending on are computed by the same kernel. Cholesky panics if a is
// not a stack of square matrices.
func Cholesky[T Float](a matrix.Source[T]) *matrix.Matrix[T] {
	c := newDense("Cholesky", a, a.Cols())
	c.out = []denseShape{c.in[0].denseShape}
	c.run = cholesky[T]
	return matrix.Of(c.results()[0], a.Rows(), a.Cols())
}

// cholesky computes the factors of count matrices.
func cholesky[T Float](m *meta, count int, in []*expr[T], out []*array.Array) error {
	x, d := in[0], m.device()
	p := denseSide(x.n / count)
	if d.Native() {
		to := array.Elements[T](out[0])
		return denseNative(m, "Cholesky", count, p*p*p/6, func(s *scratch, i int) {
			l := to[i*p*p : (i+1)*p*p]
			copy(l, x.chunk(s, i*p*p, (i+1)*p*p))
			choleskyNative(l, p)
		}, x, out[0])
	}
	mem, err := out[0].Memory()
	if err != nil {
		return err
	}
	l := denseLayoutOf(d, p, p*(p+1)/2*driver.SizeOf[T](), denseWidth)
	k := denseProgram[T]("cholesky", "Cholesky")
	defer k.release()
	k.defines += l.defines
	k.accessors = append(k.accessors, accessor{name: "load", ctype: denseType[T](), node: x.node})
	k.grid = l.grid(d, count)
	k.args = append(k.args, mem.Arg(), driver.Value(int64(count)), driver.Value(int32(p)))
	return k.launch(d, x, out[0])
}

// denseSide returns the side of a square matrix of n elements.
func denseSide(n int) int { return int(math.Sqrt(float64(n)) + 0.5) }

// choleskyNative replaces a p x p matrix, stored row by row, by its factor. The elements
// above the diagonal hold the transposed factor until it is complete.
func choleskyNative[T Float](l []T, p int) {
	for j := range p {
		row := l[j*p : (j+1)*p]
		d := T(math.NaN())
		if x := row[j]; x > 0 && x-x == 0 {
			d = T(math.Sqrt(float64(x)))
		}
		row[j] = d
		for i := j + 1; i < p; i++ {
			l[i*p+j] /= d
			row[i] = l[i*p+j]
		}
		for i := j + 1; i < p; i++ {
			subtractMultiple(l[i*p+j+1:i*p+i+1], row[j+1:], row[i])
		}
		clear(row[j+1:])
	}
}

// subtractMultiple subtracts by times x from y, with fused multiply-adds.
func subtractMultiple[T Float](y, x []T, by T) {
	x = x[:len(y)]
	for i := range y {
		y[i] = math32.FMA(-by, x[i], y[i])
	}
}
