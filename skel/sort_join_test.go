package skel

import (
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// TestSortSplits compares the splits of groups with those of the whole merge. Without an order, the groups must
// still merge all elements, each of them once.
func TestSortSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	ordered := func(a, b int) bool { return a < b }
	random := func(_, _ int) bool { return r.IntN(2) == 0 }
	always := func(_, _ int) bool { return true }
	cyclic := func(a, b int) bool { return (a-b+3000)%3 == 1 }
	for range 300 {
		parts, lens, n := sortedParts(r, 2, 100)
		a, b := parts[0], parts[1]
		for count := range int64(12) {
			for _, before := range []func(a, b int) bool{always, cyclic} {
				last := 0
				for id := range count {
					g := driver.Group{ID: id, Count: count}
					lo, hi := g.Range(int64(n))
					first, end := mergeSplits(a, b, g, before)
					if first != last || end < first || int(hi-lo) < end-first {
						t.Fatalf("lengths %v, group %d of %d: splits %d and %d after %d", lens, id, count,
							first, end, last)
					}
					last = end
				}
				if count > 0 && last != len(a) {
					t.Fatalf("lengths %v, %d groups: the last split is %d", lens, count, last)
				}
			}
			for id := range count {
				g := driver.Group{ID: id, Count: count}
				lo, _ := g.Range(int64(n))
				if first, _ := mergeSplits(a, b, g, ordered); first != mergeSplit(a, b, int(lo), ordered) {
					t.Fatalf("lengths %v, group %d of %d: split %d", lens, id, count, first)
				}
				_, _ = mergeSplits(a, b, g, random) // must stay in range
			}
		}
	}
}
