package pairs

import (
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
)

// The references of this file compute one element after the other, from the formulas in the
// documentation.

// choleskyOf returns the Cholesky factor of a p x p matrix.
func choleskyOf[T skel.Float](a []T, p int) []T {
	l := make([]T, p*p)
	for j := range p {
		for i := j; i < p; i++ {
			x := a[i*p+j]
			for k := range j {
				x = math32.FMA(-l[i*p+k], l[j*p+k], x)
			}
			switch {
			case i > j:
				x /= l[j*p+j]
			case x > 0 && !math.IsInf(float64(x), 1):
				x = T(math.Sqrt(float64(x)))
			default:
				x = T(math.NaN())
			}
			l[i*p+j] = x
		}
	}
	return l
}

// solveLowerOf returns the solution of LX = B, where B has m columns.
func solveLowerOf[T skel.Float](l, b []T, p, m int) []T {
	x := make([]T, p*m)
	for i := range p {
		for c := range m {
			sum := b[i*m+c]
			for k := range i {
				sum = math32.FMA(-l[i*p+k], x[k*m+c], sum)
			}
			x[i*m+c] = sum / l[i*p+i]
		}
	}
	return x
}

// solveTransposedOf returns the solution of L'X = B, where B has m columns.
func solveTransposedOf[T skel.Float](l, b []T, p, m int) []T {
	x := make([]T, p*m)
	for i := p - 1; i >= 0; i-- {
		for c := range m {
			sum := b[i*m+c]
			for k := p - 1; k > i; k-- {
				sum = math32.FMA(-l[k*p+i], x[k*m+c], sum)
			}
			x[i*m+c] = sum / l[i*p+i]
		}
	}
	return x
}

// inverseLowerOf returns the inverse of L.
func inverseLowerOf[T skel.Float](l []T, p int) []T {
	x := make([]T, p*p)
	for c := range p {
		for i := c; i < p; i++ {
			sum := T(0)
			if i == c {
				sum = 1
			}
			for k := c; k < i; k++ {
				sum = math32.FMA(-l[i*p+k], x[k*p+c], sum)
			}
			x[i*p+c] = sum / l[i*p+i]
		}
	}
	return x
}

// factorROf returns the triangular factor of rows of p columns. It keeps all rows of zeros with
// which slabs of 128 rows are padded to runs of 32 rows.
func factorROf[T skel.Float](a []T, p int) []T {
	r := make([]T, p*p)
	for at := 0; at < len(a); at += 128 * p {
		slab := a[at:min(at+128*p, len(a))]
		x := make([]T, (len(slab)/p+31)/32*32*p)
		copy(x, slab)
		for j := range p {
			reflectOf(r, x, p, j)
		}
	}
	return r
}

// reflectOf reflects column j of a slab into R.
func reflectOf[T skel.Float](r, x []T, p, j int) {
	small, large, negligible, least, most := T(0x1p-30), T(0x1p60), T(0x1p-52), -126, 126
	if double := 1.0; T(0.1) == T(0.1*double) && float64(T(0.1)) == 0.1 {
		tiny, huge, lost := 0x1p-400, 0x1p400, 0x1p-110
		small, large, negligible, least, most = T(tiny), T(huge), T(lost), -1022, 1022
	}
	rows := len(x) / p
	sum := func(scale T, k int) T {
		var runs [4]T
		for i := range rows {
			right := x[i*p+k]
			if k == j {
				right *= scale
			}
			runs[i/32] = math32.FMA(x[i*p+j]*scale, right, runs[i/32])
		}
		return (runs[0] + runs[1]) + (runs[2] + runs[3])
	}
	alpha, scale := r[j*p+j], T(1)
	if s := math32.FMA(alpha, alpha, sum(1, j)); !(s >= small && s <= large) {
		largest := 0.0
		for i := range rows + 1 {
			e := alpha
			if i < rows {
				e = x[i*p+j]
			}
			if v := math.Abs(float64(e)); v > largest {
				largest = v
			}
		}
		e := most + 1
		if largest == 0 {
			e = least
		} else if !math.IsInf(largest, 0) {
			e = math.Ilogb(largest)
		}
		scale = T(math.Ldexp(1, -min(max(e, least), most)))
	}
	sigma := sum(scale, j)
	alpha *= scale
	if sigma <= alpha*alpha*negligible {
		return
	}
	s := T(math.Sqrt(float64(math32.FMA(alpha, alpha, sigma))))
	inverse, slope := 1/s, (alpha+s)/sigma
	for k := j + 1; k < p; k++ {
		d, old := sum(scale, k), r[j*p+k]
		r[j*p+k] = math32.FMA(alpha, old, d) * inverse
		y := math32.FMA(slope, d, -old) * inverse
		for i := range rows {
			x[i*p+k] = math32.FMA(-(x[i*p+j] * scale), y, x[i*p+k])
		}
	}
	r[j*p+j] = s / scale
}

// tsqrOf returns the triangular factor of rows of p columns by a tree of blocks.
func tsqrOf[T skel.Float](a []T, rows, p int) []T {
	for {
		block := (max(8*p, (rows+1023)/1024) + 127) / 128 * 128
		if rows <= block {
			return factorROf(a, p)
		}
		var stack []T
		for at := 0; at < rows; at += block {
			stack = append(stack, factorROf(a[at*p:min(at+block, rows)*p], p)...)
		}
		a, rows = stack, len(stack)/p
	}
}

// eigenOf returns the eigenvalues and eigenvectors of a symmetric matrix. It rotates one pair of rows and
// columns after the other. The order of the rotations of an element is that of its pairs.
func eigenOf[T skel.Float](in []T, p int) (values, vectors []T) {
	n := p + p%2
	a, v := make([]T, n*n), make([]T, n*n)
	largest, negligible := 0.0, T(0x1p-26)
	if double := 0x1p-55; float64(T(0.1)) == 0.1 {
		negligible = T(double)
	}
	values, vectors = make([]T, p), make([]T, p*p)
	for i := range n {
		v[i*n+i] = 1
		for k := range min(i+1, p) {
			if i == p {
				break
			}
			x := in[i*p+k]
			a[i*n+k], a[k*n+i] = x, x
			largest = max(largest, math.Abs(float64(x))) // NaN if one is
		}
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		for i := range vectors {
			values[i/p], vectors[i] = T(math.NaN()), T(math.NaN())
		}
		return values, vectors
	}
	least, most := -1022, 1022
	if float64(T(0.1)) != 0.1 {
		least, most = -126, 126
	}
	e := least
	if largest > 0 {
		e = min(max(math.Ilogb(largest), least), most)
	}
	scale := T(math.Ldexp(1, -e))
	for i := range a {
		a[i] *= scale
	}
	for sweep, active := 0, true; active && sweep < 30; sweep++ {
		active = false
		for round := range n - 1 {
			active = jacobiRound(a, v, n, round, negligible) || active
		}
	}
	for i := range p {
		rank := 0
		for k := range p {
			if x, y := a[i*n+i], a[k*n+k]; y > x || y == x && k < i {
				rank++
			}
		}
		values[rank] = a[i*n+i] / scale
		for k := range p {
			vectors[k*p+rank] = v[i*n+k]
		}
	}
	return values, vectors
}

// jacobiRound computes the rotations of a round of n/2 pairs, and then applies them. It reports whether an
// element mattered.
func jacobiRound[T skel.Float](a, v []T, n, round int, negligible T) (active bool) {
	type rotation struct {
		low, high int
		c, s      T
	}
	var all []rotation
	for k := range n / 2 {
		i, j := (round+k)%(n-1), (round-k+n-1)%(n-1)
		if k == 0 {
			j = n - 1
		}
		r := rotation{low: min(i, j), high: max(i, j), c: 1}
		if x := a[r.high*n+r.low]; x != 0 {
			theta := (a[r.high*n+r.high] - a[r.low*n+r.low]) / (x + x)
			t := 1 / (T(math.Abs(float64(theta))) + T(math.Sqrt(float64(math32.FMA(theta, theta, 1)))))
			if theta < 0 {
				t = -t
			}
			r.c = 1 / T(math.Sqrt(float64(math32.FMA(t, t, 1))))
			r.s = t * r.c
			a[r.low*n+r.low] = math32.FMA(-t, x, a[r.low*n+r.low])
			a[r.high*n+r.high] = math32.FMA(t, x, a[r.high*n+r.high])
			a[r.high*n+r.low], a[r.low*n+r.high] = 0, 0
			active = active || x > negligible || x < -negligible
		}
		all = append(all, r)
	}
	for _, r := range all {
		own := func(i int) bool { return i == r.low || i == r.high }
		for i := range n {
			if own(i) {
				continue
			}
			// Pairs are applied in order of their numbers, to rows and columns alike.
			x, y := a[r.low*n+i], a[r.high*n+i]
			lo, hi := math32.FMA(r.c, x, -T(r.s*y)), math32.FMA(r.s, x, T(r.c*y))
			a[r.low*n+i], a[r.high*n+i], a[i*n+r.low], a[i*n+r.high] = lo, hi, lo, hi
		}
		for i := range n {
			x, y := v[r.low*n+i], v[r.high*n+i]
			v[r.low*n+i], v[r.high*n+i] = math32.FMA(r.c, x, -T(r.s*y)), math32.FMA(r.s, x, T(r.c*y))
		}
	}
	return active
}
