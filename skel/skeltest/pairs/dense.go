package pairs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// denseStacks lists numbers of matrices and their sides. Groups of a GPU have 32 to 256 lanes and
// tables of lanes with 32 columns; 100 and 130 are the first sides with too many bytes for local memory.
func denseStacks(d *devices.Device) [][2]int {
	if kit.Emulated(d) || kit.Several(d) {
		return [][2]int{{0, 3}, {3, 0}, {7, 3}, {3, 33}, {1, 130}}
	}
	return [][2]int{{0, 5}, {3, 0}, {100, 1}, {7, 2}, {100, 3}, {7, 31}, {1, 32}, {7, 33}, {3, 64}, {1, 100}, {1, 128},
		{1, 130}}
}

// positiveDefinite returns positive definite matrices. Their elements above the diagonals are NaN.
func positiveDefinite[T skel.Float](count, p int) []T {
	return kit.Generate(count*p*p, func(d *kit.Dice, at int) T {
		i, j := at/p%p, at%p
		grade := func(i int) float64 { return math.Ldexp(1, i%20-10) }
		switch {
		case i < j:
			return T(math.NaN())
		case i == j:
			return T(grade(i) * grade(i) * (1 + float64(p)/3))
		}
		return T(grade(i) * grade(j) * (d.Float64() - 0.5))
	})
}

// eachMatrix applies f to each matrix of stacks in plain Go.
func eachMatrix[T skel.Float](count int, f func(parts ...[]T) []T, stacks ...[]T) []T {
	var out []T
	for i := range count {
		parts := make([][]T, len(stacks))
		for k, s := range stacks {
			size := len(s) / count
			parts[k] = s[i*size : (i+1)*size]
		}
		out = append(out, f(parts...)...)
	}
	return out
}

func testDense(t *testing.T, d *devices.Device) {
	t.Run("float32", func(t *testing.T) { testTriangles[float32](t, d) })
	t.Run("float64", func(t *testing.T) { testTriangles[float64](t, d) })
	t.Run("expressions", func(t *testing.T) { denseExpressions(t, d) })
	t.Run("FactorR of float32", func(t *testing.T) { testFactorR[float32](t, d) })
	t.Run("FactorR of float64", func(t *testing.T) { testFactorR[float64](t, d) })
	t.Run("FactorR of expressions", func(t *testing.T) { factorRExpressions(t, d) })
	t.Run("QR of float32", func(t *testing.T) { testQR[float32](t, d) })
	t.Run("QR of float64", func(t *testing.T) { testQR[float64](t, d) })
	t.Run("loop", func(t *testing.T) { denseLoop(t, d) })
	t.Run("EigenSym of float32", func(t *testing.T) { testEigenSym[float32](t, d) })
	t.Run("EigenSym of float64", func(t *testing.T) { testEigenSym[float64](t, d) })
	t.Run("errors", func(t *testing.T) {
		a, b := kit.PutMatrix(t, d, 10, 4, kit.Floats(40)), kit.PutMatrix(t, d, 8, 4, kit.Floats(32))
		for _, c := range []struct {
			name, want string
			call       func()
		}{
			{"rows", "Cholesky: a matrix of 10 x 4 is not a stack", func() { skel.Cholesky(a) }},
			{"inverse", "InverseLower: a matrix of 10 x 4", func() { skel.InverseLower(a) }},
			{"blocks", "FactorR: blocks of 0 rows", func() { skel.FactorR(a, 0) }},
			{"right side", "SolveLower: stacks of 8 x 4 and 10 x 4", func() { skel.SolveLower(b, a) }},
		} {
			if text := kit.Recovered(c.call); !strings.Contains(text, c.want) {
				t.Errorf("%s: panic %q, want %q", c.name, text, c.want)
			}
		}
	})
}

// testTriangles factorizes matrices and solves systems with the factors.
func testTriangles[T skel.Float](t *testing.T, d *devices.Device) {
	for _, s := range denseStacks(d) {
		count, p := s[0], s[1]
		t.Run(fmt.Sprint(count, "of", p), func(t *testing.T) {
			a := positiveDefinite[T](count, p)
			spoil(a, count, p)
			l := eachMatrix(count, func(parts ...[]T) []T { return choleskyOf(parts[0], p) }, a)
			kit.ExpectMatrix(t, skel.Cholesky(kit.PutMatrix(t, d, count*p, p, a)), count*p, p, l)
			lower := kit.PutMatrix(t, d, count*p, p, l)
			inverse := eachMatrix(count, func(parts ...[]T) []T { return inverseLowerOf(parts[0], p) }, l)
			kit.ExpectMatrix(t, skel.InverseLower(lower), count*p, p, inverse)
			for _, m := range []int{0, 1, 5, 33} {
				if m != 5 && p > 40 {
					continue
				}
				b := kit.Generate(count*p*m, func(d *kit.Dice, _ int) T { return T(d.Wide()) })
				right := kit.PutMatrix(t, d, count*p, m, b)
				kit.ExpectMatrix(t, skel.SolveLower(lower, right), count*p, m,
					eachMatrix(count, func(s ...[]T) []T { return solveLowerOf(s[0], s[1], p, m) }, l, b))
				kit.ExpectMatrix(t, skel.SolveLowerTransposed(lower, right), count*p, m,
					eachMatrix(count, func(s ...[]T) []T { return solveTransposedOf(s[0], s[1], p, m) }, l, b))
			}
		})
	}
}

// spoil makes some of several matrices singular or indefinite, or puts a NaN or an infinity into them.
func spoil[T skel.Float](a []T, count, p int) {
	for i := 1; i < count && p > 2; i++ {
		m := a[i*p*p : (i+1)*p*p]
		switch i % 7 {
		case 1:
			m[p*p-1] = -1
		case 2:
			m[0] = 0
		case 3:
			m[(p/2)*p+p/2] = T(math.Inf(1))
		case 4:
			m[(p-1)*p] = T(math.NaN())
		}
	}
}

// denseExpressions passes pending expressions, repeated vectors and shaped vectors.
func denseExpressions(t *testing.T, d *devices.Device) {
	const count, p = 5, 17
	a, w := positiveDefinite[float32](count, p), make([]float32, p)
	sum := make([]float32, len(a))
	for i := range w {
		w[i] = float32(i%3) / 64
	}
	for i := range sum {
		sum[i] = a[i] + w[i%p]
	}
	x, y := kit.PutMatrix(t, d, count*p, p, a), kit.Put(t, d, w)
	l := eachMatrix(count, func(s ...[]float32) []float32 { return choleskyOf(s[0], p) }, sum)
	kit.ExpectMatrix(t, skel.Cholesky(crossWeights.ApplyMatrix(x, matrix.RepeatRow(y, count*p))), count*p, p, l)
	shaped := matrix.Of(kit.Put(t, d, a), count*p, p) // spread in other parts than those of a matrix
	l = eachMatrix(count, func(s ...[]float32) []float32 { return choleskyOf(s[0], p) }, a)
	got := skel.Cholesky(shaped)
	kit.ExpectMatrix(t, got, count*p, p, l)
	right := kit.Floats(len(a))
	lowers, rights := make([]float32, len(a)), make([]float32, len(a))
	for i := range a {
		lowers[i], rights[i] = l[i]+w[i%p], right[i]+w[i%p]
	}
	added := func(m *matrix.Matrix[float32]) *matrix.Matrix[float32] {
		return crossWeights.ApplyMatrix(m, matrix.RepeatRow(y, count*p))
	}
	kit.ExpectMatrix(t, skel.SolveLower(added(got), added(kit.PutMatrix(t, d, count*p, p, right))), count*p, p,
		eachMatrix(count, func(s ...[]float32) []float32 { return solveLowerOf(s[0], s[1], p, p) }, lowers, rights))
}

// denseLoop factorizes in a recorded loop: in each run the factor of the matrix in a.
func denseLoop(t *testing.T, d *devices.Device) {
	const count, p = 3, 9
	a := positiveDefinite[float64](count, p)
	x := kit.PutMatrix(t, d, count*p, p, a)
	var inverse *matrix.Matrix[float64]
	loop, err := skel.Record(func() error {
		inverse = skel.InverseLower(skel.Cholesky(x))
		return inverse.Err()
	})
	kit.OK(t, err)
	defer loop.Close()
	for range 2 {
		kit.OK(t, loop.Run(2))
		kit.ExpectMatrix(t, inverse, count*p, p, eachMatrix(count, func(s ...[]float64) []float64 {
			return inverseLowerOf(choleskyOf(s[0], p), p)
		}, a))
		for i := range a {
			a[i] *= 4
		}
		kit.OK(t, x.Vector().Write(0, a))
	}
}
