package skel

import (
	"math"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
)

// EigenSym returns the eigenvalues and eigenvectors of each symmetric matrix of a stack. If a
// has p columns, row i of values has the p eigenvalues of matrix i, in descending order, and
// vectors is a stack of p x p matrices, whose columns are the eigenvectors in the same order,
// of length 1. The sign of an eigenvector is arbitrary, but the same on all devices. Only the
// lower triangles of a are read. If one has an element that is infinite or NaN, the results
// for that matrix are NaN, which is no error.
//
// Rotations of Jacobi make the elements outside the diagonal zero, pair of rows after pair of
// rows, in the order that kernels/eigensym.cl describes, until a sweep over all pairs finds no
// element that matters. Eigenvalues differ from the exact ones by some units in the last place
// of the largest one.
//
// Functions that a is pending on are computed by the same kernel. EigenSym panics if a is not
// a stack of square matrices.
func EigenSym[T Float](a matrix.Source[T]) (values, vectors *matrix.Matrix[T]) {
	p := a.Cols()
	c := newDense("EigenSym", a, p)
	c.out = []denseShape{{1, p}, {p, p}}
	c.run = eigenSym[T]
	out := c.results()
	return matrix.Of(out[0], c.count, p), matrix.Of(out[1], a.Rows(), p)
}

// eigenSym computes the eigenvalues and eigenvectors of count matrices.
func eigenSym[T Float](m *meta, count int, in []*expr[T], out []*array.Array) error {
	x, d, size := in[0], m.device(), driver.SizeOf[T]()
	p := denseSide(x.n / count)
	if d.Native() {
		return eigenNative(m, count, p, x, out)
	}
	n := p + p%2
	values, err := out[0].Memory()
	if err != nil {
		return err
	}
	vectors, err := out[1].Memory()
	if err != nil {
		return err
	}
	l := eigenLayout(d, (n*(n+1)/2+n)*size, n*p*size, p)
	k := denseProgram[T]("eigensym", "EigenSym")
	defer k.release()
	k.defines += l.defines
	k.accessors = append(k.accessors, accessor{name: "load", ctype: denseType[T](), node: x.node})
	k.grid = l.grid(d, min(count, d.Info().Units*16))
	work, err := d.Alloc(k.grid.Groups * int64((n*(n+1)/2+n+n*p)*size))
	if err != nil {
		return err
	}
	defer work.Free()
	k.args = append(k.args, values.Arg(), vectors.Arg(), driver.Value(int64(count)), driver.Value(int32(p)), work.Arg())
	return k.launch(d, x, out[0], out[1], work)
}

// eigenLayout returns the layout for a triangle and eigenvectors of the given numbers of bytes.
func eigenLayout(d *devices.Device, triangle, vectors, p int) denseLayout {
	const reduction = 3 << 10 // at most, of the kernel's own local memory
	if d.Kind() != driver.CPU && denseFits(d, triangle+vectors+reduction) {
		l := denseLayoutOf(d, p, triangle+vectors, denseWidth)
		l.defines += "#define STAGED_VECTORS\n"
		return l
	}
	if !denseFits(d, triangle+reduction) {
		triangle = math.MaxInt
	}
	return denseLayoutOf(d, p, triangle, denseWidth)
}

// eigenNative is eigenSym on the CPU.
func eigenNative[T Float](m *meta, count, p int, x *expr[T], out []*array.Array) error {
	values, vectors := array.Elements[T](out[0]), array.Elements[T](out[1])
	return denseNative(m, "EigenSym", count, 30*p*p*p, func(s *scratch, i int) {
		j := &jacobi[T]{p: p, n: p + p%2}
		j.a, j.v = take[T](s, j.n*j.n), take[T](s, j.n*p)
		j.angles = take[T](s, j.n)
		j.compute(x.chunk(s, i*p*p, (i+1)*p*p))
		j.results(values[i*p:(i+1)*p], vectors[i*p*p:(i+1)*p*p])
	}, x, out[0], out[1])
}

// jacobi computes the eigenvalues of a matrix; see kernels/eigensym.cl.
type jacobi[T Float] struct {
	p, n   int
	a      []T // n x n, both triangles
	v      []T // the rows are eigenvectors
	angles []T // the cosines and sines of a round
	scale  T
	finite bool
}

// compute rotates the matrix in, whose lower triangle is read, until it is diagonal.
func (j *jacobi[T]) compute(in []T) {
	p, n := j.p, j.n
	clear(j.a)
	clear(j.v)
	most := T(0)
	j.finite = true
	for i := range p {
		j.v[i*p+i] = 1
		for k, x := range in[i*p : i*p+i+1] {
			most = max(most, x, -x)
			j.finite = j.finite && x-x == 0
			j.a[i*n+k], j.a[k*n+i] = x, x
		}
	}
	if !j.finite {
		return
	}
	j.scale = scaleFor(most)
	for i := range j.a {
		j.a[i] *= j.scale
	}
	for sweep, active := 0, true; active && sweep < mostSweeps; sweep++ {
		active = false
		for round := range n - 1 {
			if j.choose(round) {
				active = true
			}
			j.rotate(round)
		}
	}
}

// mostSweeps is MOST_SWEEPS in kernels/eigensym.cl.
const mostSweeps = 30

// pair returns the smaller and the larger index of pair k of a round.
func (j *jacobi[T]) pair(k, round int) (low, high int) {
	m := j.n - 1
	x, y := round+k, round-k
	if x >= m {
		x -= m
	}
	if y < 0 {
		y += m
	}
	if k == 0 {
		y = m
	}
	return min(x, y), max(x, y)
}

// choose computes the angles of a round, and reports whether an element mattered.
func (j *jacobi[T]) choose(round int) bool {
	n, pairs, active := j.n, j.n/2, false
	negligible := T(0x1p-26)
	if driver.SizeOf[T]() == 8 {
		least := 0x1p-55
		negligible = T(least)
	}
	for k := range pairs {
		low, high := j.pair(k, round)
		x, c, s := j.a[high*n+low], T(1), T(0)
		if x != 0 {
			theta := (j.a[high*n+high] - j.a[low*n+low]) / (x + x)
			t := 1 / (max(theta, -theta) + T(math.Sqrt(float64(math32.FMA(theta, theta, 1)))))
			if theta < 0 {
				t = -t
			}
			c = 1 / T(math.Sqrt(float64(math32.FMA(t, t, 1))))
			s = t * c
			j.a[low*n+low] = math32.FMA(-t, x, j.a[low*n+low])
			j.a[high*n+high] = math32.FMA(t, x, j.a[high*n+high])
			j.a[high*n+low], j.a[low*n+high] = 0, 0
			active = active || max(x, -x) > negligible
		}
		j.angles[k], j.angles[pairs+k] = c, s
	}
	return active
}

// rotate applies the rotations of a round to the elements outside the pairs, and to the
// eigenvectors.
func (j *jacobi[T]) rotate(round int) {
	n, pairs, a := j.n, j.n/2, j.a
	for k := range pairs {
		low, high := j.pair(k, round)
		c, s := j.angles[k], j.angles[pairs+k]
		for l := k + 1; l < pairs; l++ {
			left, right := j.pair(l, round)
			d, u := j.angles[l], j.angles[pairs+l]
			w, y := rotated(c, s, a[low*n+left], a[high*n+left])
			x, z := rotated(c, s, a[low*n+right], a[high*n+right])
			w, x = rotated(d, u, w, x)
			y, z = rotated(d, u, y, z)
			a[low*n+left], a[low*n+right], a[high*n+left], a[high*n+right] = w, x, y, z
			a[left*n+low], a[right*n+low], a[left*n+high], a[right*n+high] = w, x, y, z
		}
		top, bottom := j.v[low*j.p:(low+1)*j.p], j.v[high*j.p:(high+1)*j.p]
		bottom = bottom[:len(top)]
		for i, x := range top {
			top[i], bottom[i] = rotated(c, s, x, bottom[i])
		}
	}
}

// rotated returns x and y rotated by the angle with cosine c and sine s.
func rotated[T Float](c, s, x, y T) (left, right T) {
	return math32.FMA(c, x, -T(s*y)), math32.FMA(s, x, T(c*y))
}

// results writes the eigenvalues in descending order, and the eigenvectors as columns.
func (j *jacobi[T]) results(values, vectors []T) {
	p, n := j.p, j.n
	if !j.finite {
		for i := range values {
			values[i] = T(math.NaN())
		}
		for i := range vectors {
			vectors[i] = T(math.NaN())
		}
		return
	}
	for i := range p {
		x, rank := j.a[i*n+i], 0
		for k := range p {
			if y := j.a[k*n+k]; y > x || y == x && k < i {
				rank++
			}
		}
		values[rank] = x / j.scale
		for k, e := range j.v[i*p : (i+1)*p] {
			vectors[k*p+rank] = e
		}
	}
}
