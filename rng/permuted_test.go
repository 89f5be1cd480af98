package rng_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/rng"
)

// TestPermutedIsAPermutation checks many sizes.
func TestPermutedIsAPermutation(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 15, 16, 17, 255, 256, 257, 1000, 1023, 1024, 1025, 65535, 65536, 65537, 300_000}
	for range 20 {
		sizes = append(sizes, rand.IntN(5000))
	}
	for _, n := range sizes {
		seen := make([]bool, n)
		for i := range n {
			p := rng.Permuted(1, uint64(n), i, n)
			if p < 0 || p >= n || seen[p] {
				t.Fatalf("n = %d: element %d is %d, out of range or for the second time", n, i, p)
			}
			seen[p] = true
		}
	}
}

// TestPermutedOutside checks that elements beyond the range are unchanged, and that huge
// ranges work.
func TestPermutedOutside(t *testing.T) {
	for _, i := range []int{-1, math.MinInt, 10, 11, 255, 256, math.MaxInt} {
		if got := rng.Permuted(1, 2, i, 10); got != i {
			t.Errorf("element %d is %d", i, got)
		}
	}
	for _, n := range []int{0, -1, math.MinInt} {
		if got := rng.Permuted(1, 2, 0, n); got != 0 {
			t.Errorf("element 0 of %d is %d", n, got)
		}
	}
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, 1<<62 + 1, 1<<32 + 1} {
		seen := map[int]bool{}
		for k := range 1000 {
			i := k
			if k >= 500 {
				i = n - 1000 + k
			}
			p := rng.Permuted(1, 2, i, n)
			if p < 0 || p >= n || seen[p] {
				t.Errorf("n = %d: element %d is %d", n, i, p)
			}
			seen[p] = true
		}
	}
}

// TestSmallPermutations checks that all permutations of few elements are equally frequent.
func TestSmallPermutations(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 6} {
		counts := map[[6]int]int{}
		outcomes := 1
		for k := range n {
			outcomes *= k + 1
		}
		for stream := range uint64(20_000) {
			var p [6]int
			for i := range n {
				p[i] = rng.Permuted(2, stream, i, n)
			}
			counts[p]++
		}
		list := make([]int, 0, outcomes)
		for _, c := range counts {
			list = append(list, c)
		}
		if len(list) != outcomes {
			t.Errorf("n = %d: %d of %d permutations occur", n, len(list), outcomes)
		}
		slices.Sort(list)
		chiSquare(t, "permutations", list)
	}
}

// TestPermutationsAreRandom checks where elements go, how often neighbours remain
// neighbours, the numbers of fixed points, cycles and inversions, and the parity.
func TestPermutationsAreRandom(t *testing.T) {
	for _, n := range []int{10, 64, 100} {
		const samples = 2000
		var fixed, cycles, inversions, next, odd float64
		places := make([]int, n)
		p := make([]int, n)
		for stream := range uint64(samples) {
			for i := range p {
				p[i] = rng.Permuted(3, stream, i, n)
			}
			places[p[n/2]]++
			count, seen := 0, make([]bool, n)
			for i := range p {
				if p[i] == i {
					fixed++
				}
				if i > 0 && p[i] == p[i-1]+1 {
					next++
				}
				for j := i + 1; j < n; j++ {
					if p[j] < p[i] {
						inversions++
					}
				}
				if !seen[i] {
					count++
					for j := i; !seen[j]; j = p[j] {
						seen[j] = true
					}
				}
			}
			cycles += float64(count)
			odd += float64((n - count) % 2)
		}
		chiSquare(t, "places", places)
		harmonic, variance := 0.0, 0.0
		for k := 1; k <= n; k++ {
			harmonic += 1 / float64(k)
			variance += 1/float64(k) - 1/float64(k*k)
		}
		m := float64(n)
		for _, test := range []struct {
			name                string
			got, mean, variance float64
		}{
			{"fixed points", fixed, 1, 1},
			{"successors", next, (m - 1) / m, 1},
			{"cycles", cycles, harmonic, variance},
			{"inversions", inversions, m * (m - 1) / 4, m * (m - 1) * (2*m + 5) / 72},
			{"odd permutations", odd, 0.5, 0.25},
		} {
			if off := test.got/samples - test.mean; math.Abs(off) > 4.9*math.Sqrt(test.variance/samples) {
				t.Errorf("n = %d: %s: the mean is off by %.4f", n, test.name, off)
			}
		}
	}
}
