package pairs

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// symmetric returns symmetric matrices: some with equal eigenvalues, diagonal, zero, or of very large or very small
// elements, and some with a NaN or an infinity. Elements above the diagonals are NaN.
func symmetric[T skel.Float](count, p int) []T {
	return kit.Generate(count*p*p, func(d *kit.Dice, at int) T {
		matrix, i, j := at/(p*p), at/p%p, at%p
		x := d.Float64() - 0.5
		switch {
		case i < j:
			return T(math.NaN())
		case matrix%9 == 1:
			x = 1
		case matrix%9 == 2 && i != j:
			x = 0
		case matrix%9 == 3:
			x = 0
		case matrix%9 == 4:
			x = math.Ldexp(x, 120)
		case matrix%9 == 5:
			x = math.Ldexp(x, -120-(i+j)%7)
		case matrix%9 == 6 && i == p-1:
			x = math.Inf(-1)
		case matrix%9 == 7 && i == p-1:
			x = math.NaN()
		case matrix%9 == 8:
			x = math.Ldexp(x, -(i+j)%30)
		}
		return T(x)
	})
}

// testEigenSym computes eigenvalues and eigenvectors.
func testEigenSym[T skel.Float](t *testing.T, d *devices.Device) {
	shapes := [][2]int{{0, 3}, {9, 1}, {9, 2}, {30, 3}, {9, 31}, {2, 32}, {2, 33}, {2, 64}, {1, 100}, {1, 130}}
	if kit.Emulated(d) || kit.Several(d) {
		shapes = [][2]int{{0, 3}, {9, 3}, {2, 33}}
	}
	if kit.Fewest(d) {
		shapes = [][2]int{{0, 3}, {9, 3}, {2, 33}, {1, 100}}
	}
	if kit.Quick() {
		shapes = shapes[:3]
	}
	for _, s := range shapes {
		count, p := s[0], s[1]
		t.Run(fmt.Sprint(count, "of", p), func(t *testing.T) {
			a := symmetric[T](count, p)
			var values, vectors []T
			for i := range count {
				e, v := eigenOf(a[i*p*p:(i+1)*p*p], p)
				values, vectors = append(values, e...), append(vectors, v...)
			}
			e, v := skel.EigenSym(kit.PutMatrix(t, d, count*p, p, a))
			kit.ExpectMatrix(t, e, count, p, values)
			kit.ExpectMatrix(t, v, count*p, p, vectors)
		})
	}
}
