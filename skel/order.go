package skel

// The canonical order in which Reduce and Scan combine n elements; the
// operator need only be associative, and neighbours stay neighbours.
//
// A run is up to 64 bytes of consecutive elements, by their size: 16 elements
// of up to 4 bytes, 8 of up to 8, 4 of up to 16, 2 of up to 32, and else 1. It
// is folded from left to right. A tile is 256 runs: their results are combined
// as adjacent pairs, level by level, where an odd last one moves up as it is.
// The tiles' results, the totals, are an array that is reduced in the same
// way, but always in runs of 16, until one is left. The identity is the result
// for no elements and is not used otherwise.
//
// A scan combines, for run r of tile t, the prefix of the tiles before t, the
// pair trees of the runs before r in the tile, and then the run's own elements
// from left to right. The prefix of the tiles before t is the left fold of the
// totals of the groups of 32 tiles before t's, and then the pair trees of the
// tiles before t in its own group.
//
// The numbers are those with which a GPU reads memory at full speed: a thread
// folds one run in registers, a group of 256 threads one tile. See
// docs/adr/0007.
type order struct {
	run  int // elements of a run
	tile int // elements of a tile
}

const (
	runs = 256 // of a tile
	fan  = 32  // tiles of a group, which are those that a warp takes
)

// runLenOf is how many elements of the given size are a run.
func runLenOf(size int) int {
	run := 16
	for s := 4; s < size && run > 1; s *= 2 {
		run /= 2
	}
	return run
}

// orderOf is the order of elements of the given size.
func orderOf(size int) order { return order{runLenOf(size), runLenOf(size) * runs} }

// ofTotals is the order of the totals of tiles.
var ofTotals = order{16, 16 * runs}

// tiles is the number of tiles of n elements.
func (o order) tiles(n int) int { return (n + o.tile - 1) / o.tile }

// runs is the number of runs of n elements.
func (o order) runs(n int) int { return (n + o.run - 1) / o.run }

// treePrefixes turns t into its inclusive prefixes by the pair tree: prefix r
// is op(B1, op(B2, ...)) over the aligned power-of-two blocks B1, B2, ...
// that r+1 consists of, the largest first (Sklansky 1960).
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

// tilePrefixes gives the prefixes of the tiles of a segment but the first:
// dst[t] is that of the tiles up to t, and of the seed if that is not nil. It
// overwrites totals.
func tilePrefixes[T any](dst, totals []T, seed *T, op func(a, b T) T) {
	var before T // the groups before
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
