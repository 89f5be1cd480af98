package skel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortCuts compares cuts with a merge of all parts.
func TestSortCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, most := range []int{3, 100, 5000, 40_000} {
		for range 20 {
			parts, lens, n := sortedParts(r, 1+r.IntN(4), most)
			type place struct{ key, part, index int }
			var all []place
			for k, s := range parts {
				for i, x := range s {
					all = append(all, place{x, k, i})
				}
			}
			slices.SortStableFunc(all, func(a, b place) int { return a.key - b.key }) // parts are in order
			ranks := make([]int, 1+r.IntN(4))
			for i := range ranks {
				ranks[i] = r.IntN(n + 1)
			}
			got, err := cutAtRanks(ranks, lens, func(a, b int) bool { return a < b }, samplesOf(parts))
			if err != nil {
				t.Fatal(err)
			}
			for i, rank := range ranks {
				want := make([]int, len(parts))
				for _, p := range all[:rank] {
					want[p.part]++
				}
				if !slices.Equal(got[i], want) {
					t.Fatalf("lengths %v, rank %d: the cut is %v; want %v", lens, rank, got[i], want)
				}
			}
		}
	}
}

// TestSortCutsWithoutOrder cuts by a comparison that is no order. The cuts must contain the right number of
// elements and stay in range.
func TestSortCutsWithoutOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		parts, lens, n := sortedParts(r, 3, 5000)
		before := make([]int, len(parts))
		rank := 0
		for range 3 {
			rank += r.IntN(n - rank + 1)
			cuts, err := cutAtRanks([]int{rank}, lens, func(_, _ int) bool { return r.IntN(2) == 0 }, samplesOf(parts))
			if err != nil {
				t.Fatal(err)
			}
			at := cuts[0]
			repairCut(at, before, lens, rank)
			sum := 0
			for k, c := range at {
				if sum += c; c < before[k] || c > lens[k] {
					t.Fatalf("the cut %v is out of range: lengths %v, the cut before is %v", at, lens, before)
				}
			}
			if sum != rank {
				t.Fatalf("the cut %v contains %d elements; want %d", at, sum, rank)
			}
			before = at
		}
	}
}

// TestSortCutsRounds counts the rounds of samples, for each of which the host waits. Without an order,
// ranges of elements need not shrink.
func TestSortCutsRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i, less := range []func(a, b int) bool{
		func(a, b int) bool { return a < b },
		func(_, _ int) bool { return true },
		func(a, b int) bool { return a <= b },
		func(a, b int) bool { return (a-b+3000)%3 == 1 },
		func(_, _ int) bool { return r.IntN(2) == 0 },
	} {
		for _, most := range []int{100, 5000, 100_000} {
			for range 20 {
				parts, lens, n := sortedParts(r, 2, most)
				rounds := 0
				sample := samplesOf(parts)
				_, err := cutAtRanks([]int{n / 2, n / 3}, lens, less, func(of [][]stride) ([][]int, error) {
					rounds++
					return sample(of)
				})
				if err != nil || rounds > 6 {
					t.Errorf("comparison %d, lengths %v: %d rounds, %v", i, lens, rounds, err)
				}
			}
		}
	}
}

// sortedParts returns sorted parts of up to most elements, their lengths and the sum of these.
func sortedParts(r *rand.Rand, count, most int) (parts [][]int, lens []int, n int) {
	values := 1 + r.IntN(2*most)
	for range count {
		s := make([]int, r.IntN(most+1))
		for i := range s {
			s[i] = r.IntN(values)
		}
		slices.Sort(s)
		parts, lens, n = append(parts, s), append(lens, len(s)), n+len(s)
	}
	return parts, lens, n
}

func samplesOf(parts [][]int) sampler[int] {
	return func(of [][]stride) ([][]int, error) {
		all := make([][]int, len(of))
		for k, strides := range of {
			for _, s := range strides {
				for i := range s.n {
					all[k] = append(all[k], parts[k][s.lo+i*s.step])
				}
			}
		}
		return all, nil
	}
}
