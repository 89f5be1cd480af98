package kit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

func paren(a, b string) string { return "(" + a + b + ")" }

func letters(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = string(rune('a' + i%26))
	}
	return s
}

// A string has 16 bytes, so a run has 4 elements.
func ExampleReduce() {
	fmt.Println(kit.Reduce(letters(9), paren, ""))
	// Output:
	// (((((ab)c)d)(((ef)g)h))i)
}

func ExampleScan() {
	add := func(a, b int) int { return a + b }
	fmt.Println(kit.Scan([]int{1, 2, 3, 4}, add))
	fmt.Println(kit.ScanExclusive([]int{1, 2, 3, 4}, add, 0))
	// Output:
	// [1 3 6 10]
	// [0 1 3 6]
}

func concat(a, b string) string { return a + b }

// TestReferenceKeepsOrder checks that no element is lost, doubled or out of order, whatever the length.
func TestReferenceKeepsOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 15, 16, 17, 255, 256, 257, 1000, 1023, 1024, 1025, 9000, 33*1024 + 5} {
		s := letters(n)
		whole := strings.Join(s, "")
		if got := kit.Reduce(s, concat, ""); got != whole {
			t.Errorf("Reduce of %d letters returns %d letters, not those of the input in order", n, len(got))
		}
		for i, got := range kit.Scan(s, concat) {
			if i%max(1, n/1000) == 0 && got != whole[:i+1] {
				t.Fatalf("Scan of %d letters: element %d has %d letters, not the first %d", n, i, len(got), i+1)
			}
		}
		keys := make([]int32, n)
		var want [3]string
		for i := range keys {
			keys[i] = int32(i * i % 5) // 0, 1 and 4, which is not a key
			if k := keys[i]; k < 3 {
				want[k] += s[i]
			}
		}
		if got := kit.ByKey(s, keys, 3, concat, ""); !slices.Equal(got, want[:]) {
			t.Errorf("ByKey of %d letters does not return the letters of each key in order", n)
		}
	}
}

// TestReferenceOrder checks the pair tree over the runs of a tile, in which an odd last run moves up unchanged,
// and the prefixes of a scan, which consist of subtrees of the same tree.
func TestReferenceOrder(t *testing.T) {
	const run = 4
	s := make([]string, 7*run)
	for i := range s {
		s[i] = string(rune('A' + i/run)) // run 0 is A, run 1 is B, ...
	}
	op := func(a, b string) string {
		if strings.HasSuffix(a, b) {
			return a // inside a run
		}
		return "(" + a + b + ")"
	}
	for runs, want := range []string{"", "A", "(AB)", "((AB)C)", "((AB)(CD))", "(((AB)(CD))E)", "(((AB)(CD))(EF))",
		"(((AB)(CD))((EF)G))"} {
		if got := kit.Reduce(s[:run*runs], op, ""); got != want {
			t.Errorf("%d runs are combined as %s, want %s", runs, got, want)
		}
	}
	scan := kit.Scan(s, op)
	for r, want := range []string{"A", "(AB)", "((AB)C)", "(((AB)C)D)", "(((AB)(CD))E)", "((((AB)(CD))E)F)",
		"((((AB)(CD))(EF))G)"} {
		if got := scan[run*r]; got != want {
			t.Errorf("run %d of a scan begins with %s, want %s", r, got, want)
		}
	}
}

// wide has 64 bytes and so is a run by itself: a tile has 256 of them.
type wide struct {
	Text string
	_    [48]byte
}

// TestReferenceTiles checks the prefix of the tiles before a tile: the groups of 32 tiles from left to right, and
// then the tiles of the last group by the pair tree.
func TestReferenceTiles(t *testing.T) {
	const tile = 256
	s := make([]wide, 100*tile+1)
	for i := range s {
		s[i].Text = "."
		if i%tile == 0 {
			s[i].Text = fmt.Sprint(i / tile)
		}
	}
	pair := func(a, b string) string { return "(" + a + " " + b + ")" }
	op := func(a, b wide) wide {
		switch {
		case b.Text == ".":
			return a // inside a tile
		case a.Text == ".":
			return b
		}
		return wide{Text: pair(a.Text, b.Text)}
	}
	var tree func(lo, n int) string
	tree = func(lo, n int) string {
		if n == 1 {
			return fmt.Sprint(lo)
		}
		return pair(tree(lo, n/2), tree(lo+n/2, n/2))
	}
	two := pair(tree(0, 32), tree(32, 32))
	scan := kit.Scan(s, op)
	for tiles, want := range map[int]string{
		1:  "0",
		3:  "((0 1) 2)",
		7:  "(((0 1) (2 3)) ((4 5) 6))",
		32: tree(0, 32),
		33: pair(tree(0, 32), "32"),
		38: pair(tree(0, 32), pair(tree(32, 4), tree(36, 2))),
		64: two,
		67: pair(two, "((64 65) 66)"),
		96: pair(two, tree(64, 32)),
		97: pair(pair(two, tree(64, 32)), "96"),
	} {
		// The first element of a tile is the prefix combined with the element itself.
		if got, want := scan[tiles*tile].Text, pair(want, fmt.Sprint(tiles)); got != want {
			t.Errorf("tile %d begins with %.200s, want %.200s", tiles, got, want)
		}
	}
}

// TestReferenceScanIsStable checks that a longer scan begins with the shorter one: an element of a scan depends on
// the elements up to it only.
func TestReferenceScanIsStable(t *testing.T) {
	s := make([]float32, 3*4096+100)
	for i := range s {
		s[i] = float32(i*7919%1000) * 1.1e-3
	}
	add := func(a, b float32) float32 { return a + b }
	long := kit.Scan(s, add)
	for _, n := range []int{1, 17, 4096, 4097, 2*4096 + 300} {
		if !slices.Equal(kit.Scan(s[:n], add), long[:n]) {
			t.Errorf("the scan of %d elements differs from the beginning of a longer scan", n)
		}
	}
}

func TestReferenceParts(t *testing.T) {
	s := letters(12)
	for name, c := range map[string]struct{ got, want []string }{
		"rows":     {kit.Rows(s, 3, 4, concat, ""), []string{"abcd", "efgh", "ijkl"}},
		"columns":  {kit.Cols(s, 3, 4, concat, ""), []string{"aei", "bfj", "cgk", "dhl"}},
		"segments": {kit.Segments(s, []int{0, 5, 5, 12}, concat, "-"), []string{"abcde", "-", "fghijkl"}},
		"rows by key": {kit.RowsByKey(s, 3, 4, []int32{1, 0, 1}, 3, concat, "-"), []string{"-e", "-f", "-g", "-h",
			"-ai", "-bj", "-ck", "-dl", "-", "-", "-", "-"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}
