package skel

// order is the canonical order in which Reduce and Scan combine n elements. The order
// of the elements is kept, so the operator need only be associative.
//
// A run is up to 64 bytes of consecutive elements: 16 elements of up to 4 bytes, 8 of
// up to 8, 4 of up to 16, 2 of up to 32, or 1 larger element. A run is folded from left
// to right. A tile is 256 runs, whose results are combined in a pair tree: adjacent
// pairs, level by level, where an odd last result moves up unchanged. The results of the
// tiles, the totals, are reduced in the same way, but always in runs of 16, until one
// is left. The identity is used only as the result for no elements.
//
// For run r of tile t, a scan combines the prefix of the tiles before t, the pair trees
// of the runs before r in the tile, and then the elements of the run from left to right.
// Tiles are in groups of 32. The prefix of the tiles before t is the left fold of the
// totals of the groups before the group of t, and then the pair trees of the tiles
// before t in its own group.
//
// A reduction by key combines in blocks of positions, or with more than 2048 keys reduces
// the elements of each key on their own (reduce_bykey.go, reduce_bykey_sorted.go).
//
// With these numbers, a GPU reads memory at full speed: a thread folds one run in
// registers, and a group of 256 threads folds one tile. See docs/adr/0007.
type order struct {
	run  int // elements of a run
	tile int // elements of a tile
}

const (
	runs = 256 // runs of a tile
	fan  = 32  // tiles of a group; a warp scans one group
)

// runLenOf returns the length of a run of elements of the given size.
func runLenOf(size int) int {
	run := 16
	for s := 4; s < size && run > 1; s *= 2 {
		run /= 2
	}
	return run
}

// orderOf returns the order for elements of the given size.
func orderOf(size int) order { return order{runLenOf(size), runLenOf(size) * runs} }

// ofTotals is the order in which the totals of tiles are combined.
var ofTotals = order{16, 16 * runs}

// tiles returns the number of tiles of n elements.
func (o order) tiles(n int) int { return (n + o.tile - 1) / o.tile }

// runs returns the number of runs of n elements.
func (o order) runs(n int) int { return (n + o.run - 1) / o.run }

// treePrefixes replaces t by its inclusive prefixes, computed by pair trees: prefix r is
// op(B1, op(B2, ...)) over the aligned power-of-two blocks B1, B2, ... into which the
// first r+1 elements divide, the largest first (Sklansky 1960).
func treePrefixes[T any](t []T, op func(a, b T) T) {
	for d := 1; d < len(t); d *= 2 {
		for block := d; block < len(t); block += 2 * d {
			left := t[block-1]
			for i := block; i < min(block+d, len(t)); i++ {
				t[i] = op(left, t[i])
			}
		}
	}
}

// tilePrefixes stores in dst[t] the combination of the seed, unless it is nil, and the
// totals of tiles 0 to t of a segment. tilePrefixes overwrites totals.
func tilePrefixes[T any](dst, totals []T, seed *T, op func(a, b T) T) {
	var before T // combines the groups so far
	if seed != nil {
		before = *seed
	}
	for lo := 0; lo < len(totals); lo += fan {
		group := totals[lo:min(lo+fan, len(totals))]
		treePrefixes(group, op)
		for k, p := range group {
			if lo > 0 || seed != nil {
				p = op(before, p)
			}
			dst[lo+k] = p
		}
		before = dst[lo+len(group)-1]
	}
}
