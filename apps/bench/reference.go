package bench

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Results are compared with those of the host, which computes in integers and so without
// rounding.

// monoid is an operator of the reference.
type monoid[R any] struct {
	op       func(a, b R) R
	identity R
}

// fold combines elements lo to hi-1.
func (m monoid[R]) fold(lo, hi int, at func(i int) R) R {
	total := m.identity
	for i := lo; i < hi; i++ {
		total = m.op(total, at(i))
	}
	return total
}

// prefixes combines the elements before each of the places, which are in increasing order,
// and those before n. It uses all cores.
func (m monoid[R]) prefixes(places []int, n int, at func(i int) R) (before []R, all R) {
	parts := make([]R, len(places))
	benchmark.Concurrently(len(places), func(p int) {
		hi := n
		if p+1 < len(places) {
			hi = places[p+1]
		}
		parts[p] = m.fold(places[p], hi, at)
	})
	all = m.fold(0, places[0], at)
	for _, part := range parts {
		before = append(before, all)
		all = m.op(all, part)
	}
	return before, all
}

// total combines elements 0 to n-1.
func (m monoid[R]) total(n int, at func(i int) R) R {
	var places []int
	for p := range min(n, 256) {
		places = append(places, int(int64(n)*int64(p)/int64(min(n, 256))))
	}
	_, all := m.prefixes(places, n, at)
	return all
}

// checkScan compares pieces of a scan with the reference.
func checkScan[T, R any](
	out *vector.Vector[T], exclusive bool, m monoid[R], at func(i int) R,
	same func(got T, want R, i int) bool,
) error {
	n := out.Len()
	starts := benchmark.Pieces(n)
	before, _ := m.prefixes(starts, n, at)
	p := 0
	return benchmark.EachPiece(out, func(lo int, got []T) error {
		want := before[p]
		p++
		for i, x := range got {
			next := m.op(want, at(lo+i))
			if !exclusive {
				want = next
			}
			// The identity of the integers need not be that of the type.
			if first := exclusive && lo+i == 0; !first && !same(x, want, lo+i) {
				return fmt.Errorf("element %d is %v, and the reference gives %v", lo+i, x, want)
			}
			want = next
		}
		return nil
	})
}

var (
	addition = monoid[int64]{func(a, b int64) int64 { return a + b }, 0}
	maximum  = monoid[int64]{func(a, b int64) int64 { return max(a, b) }, math.MinInt64}

	// leastTicks is arg-min; of equal values it takes the first.
	leastTicks = monoid[skel.Indexed[int64]]{skel.ArgMin[int64], skel.Indexed[int64]{Value: math.MaxInt64, Index: -1}}

	composition64 = monoid[affineTicks]{func(f, g affineTicks) affineTicks {
		return affineTicks{f.A * g.A, g.A*f.B + g.B}
	}, affineTicks{A: 1}}
)

// affineTicks is an affine function in integers: A is 1 or -1, and B is in units.
type affineTicks struct{ A, B int64 }

func affineAt(i int) affineTicks { return affineTicks{sign(i), benchmark.Ticks(i)} }

// sameSum reports whether got is the sum want, in units, of n random numbers.
func (k *kind[T]) sameSum(got T, want int64, n int) bool {
	if k.epsilon == 0 {
		return got == T(int32(want))
	}
	return approximately(float64(got)/k.unit, want, n, k.epsilon)
}

// sameValue reports whether got is one of the random numbers.
func (k *kind[T]) sameValue(got T, want int64) bool { return float64(got)/k.unit == float64(want) }

// approximately reports whether two sums are equal except for rounding. The partial sums of
// n numbers from [-1, 1), at every level of a tree, are of the order of sqrt(n), and each
// has a relative error of half an epsilon. The total error is about epsilon * sqrt(n);
// rounding does not reach 16 times as much, but a lost element does.
func approximately(got float64, want int64, n int, epsilon float64) bool {
	return math.Abs(got-float64(want)) <= 16*epsilon*math.Sqrt(float64(n+16))/benchmark.Unit
}

// sameAffine reports whether got is the composition want of n functions.
func sameAffine[T float32 | float64](epsilon float64) func(got affine[T], want affineTicks, n int) bool {
	return func(got affine[T], want affineTicks, n int) bool {
		return float64(got.A) == float64(want.A) && approximately(float64(got.B)/benchmark.Unit, want.B, n, epsilon)
	}
}
