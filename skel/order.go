package skel

// The canonical order in which Reduce and Scan combine n elements; the
// operator need only be associative, and neighbours stay neighbours.
//
// A run is 16 consecutive elements, folded from left to right. A tile is 256
// runs, that is 4096 elements: its runs' results are combined as adjacent
// pairs, level by level, where an odd last one moves up as it is. The tiles'
// results are an array that is reduced in the same way, until one is left.
// The identity is the result for no elements and is not used otherwise.
//
// A scan combines, for run r of tile t, the scan of the tiles' results before
// t, the pair trees of the runs before r in the tile, and then the run's own
// elements from left to right.
//
// The numbers are those with which a GPU reads memory at full speed: a thread
// folds one run in registers, a group of 256 threads one tile. See
// docs/adr/0003.
const (
	runLen  = 16
	tileLen = 4096
	runs    = tileLen / runLen

	keyTile = 1024 // positions of a tile in a reduction by key
)

// tilesOf is the number of tiles of n elements.
func tilesOf(n int) int { return (n + tileLen - 1) / tileLen }

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
