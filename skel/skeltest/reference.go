package skeltest

import "slices"

// The sizes that the order contract of package skel fixes.
const (
	runSize  = 16            // elements that are folded left to right
	tileSize = 256 * runSize // elements whose runs are combined as a tree
	keyTile  = 1024          // positions of a by-key reduction that are folded left to right
)

// Reduce combines xs in the canonical order: the runs of every tile are
// folded left to right and combined as a tree of adjacent pairs, and the
// results of the tiles are reduced in the same way until one is left.
func Reduce[T any](xs []T, op func(T, T) T, identity T) T {
	switch len(xs) {
	case 0:
		return identity
	case 1:
		return xs[0]
	}
	return Reduce(tiles(xs, op), op, identity)
}

// tiles is the result of every tile.
func tiles[T any](xs []T, op func(T, T) T) []T {
	var results []T
	for tile := range slices.Chunk(xs, tileSize) {
		results = append(results, pairs(runs(tile, op), op))
	}
	return results
}

// runs is the result of every run, folded left to right.
func runs[T any](xs []T, op func(T, T) T) []T {
	var results []T
	for run := range slices.Chunk(xs, runSize) {
		results = append(results, fold(run[0], run[1:], op))
	}
	return results
}

func fold[T any](acc T, xs []T, op func(T, T) T) T {
	for _, x := range xs {
		acc = op(acc, x)
	}
	return acc
}

// pairs combines adjacent pairs, level by level; an odd last one is promoted.
func pairs[T any](xs []T, op func(T, T) T) T {
	for len(xs) > 1 {
		var level []T
		for pair := range slices.Chunk(xs, 2) {
			level = append(level, fold(pair[0], pair[1:], op))
		}
		xs = level
	}
	return xs[0]
}

// Scan is the inclusive prefix combination of xs in the canonical order: a
// run is scanned left to right, and begins with the scan of the earlier tiles
// combined with the prefix over the earlier runs of its own tile.
func Scan[T any](xs []T, op func(T, T) T) []T {
	if len(xs) == 0 {
		return []T{}
	}
	var earlier []T // the scan of the tiles' results
	if len(xs) > tileSize {
		earlier = Scan(tiles(xs, op), op)
	}
	out := make([]T, 0, len(xs))
	for t, tile := range chunks(xs, tileSize) {
		results := runs(tile, op)
		for r, run := range chunks(tile, runSize) {
			var seed *T // nil at the very beginning
			if r > 0 {
				seed = new(blocks(results[:r], op))
			}
			if t > 0 {
				seed = join(&earlier[t-1], seed, op)
			}
			for i := range run {
				seed = join(seed, &run[i], op)
				out = append(out, *seed)
			}
		}
	}
	return out
}

// blocks is the prefix over all of runs, cut into blocks of the pair tree,
// the largest first.
func blocks[T any](runs []T, op func(T, T) T) T {
	block := 1
	for 2*block <= len(runs) {
		block *= 2
	}
	first := pairs(runs[:block], op)
	if block == len(runs) {
		return first
	}
	return op(first, blocks(runs[block:], op))
}

// join is op(a, b) when both are there, and else the one that is.
func join[T any](a, b *T, op func(T, T) T) *T {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(op(*a, *b))
}

func chunks[T any](xs []T, size int) [][]T { return slices.Collect(slices.Chunk(xs, size)) }

// ScanExclusive is the inclusive scan shifted by one, the identity first.
func ScanExclusive[T any](xs []T, op func(T, T) T, identity T) []T {
	if len(xs) == 0 {
		return []T{}
	}
	return append([]T{identity}, Scan(xs, op)[:len(xs)-1]...)
}

// Rows reduces every row of a row-major matrix with cols columns.
func Rows[T any](xs []T, rows, cols int, op func(T, T) T, identity T) []T {
	out := make([]T, rows)
	for i := range out {
		out[i] = Reduce(xs[i*cols:(i+1)*cols], op, identity)
	}
	return out
}

// Cols reduces every column of a row-major matrix.
func Cols[T any](xs []T, rows, cols int, op func(T, T) T, identity T) []T {
	out := make([]T, cols)
	for j := range out {
		out[j] = Reduce(column(xs, rows, cols, j), op, identity)
	}
	return out
}

func column[T any](xs []T, rows, cols, j int) []T {
	col := make([]T, rows)
	for i := range col {
		col[i] = xs[i*cols+j]
	}
	return col
}

// Segments reduces xs[offsets[s]:offsets[s+1]] for every s.
func Segments[T any](xs []T, offsets []int, op func(T, T) T, identity T) []T {
	out := []T{}
	for s := range len(offsets) - 1 {
		out = append(out, Reduce(xs[offsets[s]:offsets[s+1]], op, identity))
	}
	return out
}

// ByKey reduces the elements of every key from 0 to n-1: a tile of positions
// is folded left to right from the identity, and the tiles are combined as
// pairs. Elements with other keys are left out.
func ByKey[T any](xs []T, keys []int32, n int, op func(T, T) T, identity T) []T {
	out := make([]T, n)
	for k := range out {
		results := []T{identity} // of no tiles
		for t, tile := range chunks(xs, keyTile) {
			acc := identity
			for i, x := range tile {
				if keys[t*keyTile+i] == int32(k) {
					acc = op(acc, x)
				}
			}
			results = append(results[:t], acc)
		}
		out[k] = pairs(results, op)
	}
	return out
}

// RowsByKey reduces, for every key and every column, the elements of the rows
// with that key, in the order of ByKey.
func RowsByKey[T any](xs []T, rows, cols int, keys []int32, n int, op func(T, T) T, identity T) []T {
	out := make([]T, n*cols)
	for j := range cols {
		for k, x := range ByKey(column(xs, rows, cols, j), keys, n, op, identity) {
			out[k*cols+j] = x
		}
	}
	return out
}
