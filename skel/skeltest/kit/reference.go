package kit

import (
	"reflect"
	"slices"
)

// The sizes that the order contract of package skel fixes.
const (
	TileRuns  = 256  // runs of a tile
	totalsRun = 16   // totals of tiles that are folded from left to right
	fanOut    = 32   // tiles of a group
	TileSize  = 4096 // elements of the largest tile, for elements of up to 4 bytes
)

// RunSize returns the number of elements of a run: as many as have 64 bytes, rounded
// down to a power of two, at least 1 and at most 16.
func RunSize[T any]() int {
	size := int(reflect.TypeFor[T]().Size())
	switch {
	case size <= 4:
		return 16
	case size <= 8:
		return 8
	case size <= 16:
		return 4
	case size <= 32:
		return 2
	}
	return 1
}

// Reduce combines xs in the canonical order. The runs of every tile are folded from left
// to right and combined as a tree of adjacent pairs; the results of the tiles are reduced
// in the same way, but in runs of 16, until one is left.
func Reduce[T any](xs []T, op func(T, T) T, identity T) T {
	if len(xs) == 0 {
		return identity
	}
	for run := RunSize[T](); len(xs) > 1; run = totalsRun {
		xs = tiles(xs, run, op)
	}
	return xs[0]
}

// tiles returns the result of every tile.
func tiles[T any](xs []T, run int, op func(T, T) T) []T {
	var results []T
	for tile := range slices.Chunk(xs, TileRuns*run) {
		results = append(results, pairs(runs(tile, run, op), op))
	}
	return results
}

// runs returns the result of every run, folded from left to right.
func runs[T any](xs []T, size int, op func(T, T) T) []T {
	var results []T
	for run := range slices.Chunk(xs, size) {
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

// pairs combines adjacent pairs, level by level; an odd last element moves up unchanged.
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

// Scan returns the inclusive prefixes of xs in the canonical order. A run is scanned from
// left to right; it starts from the prefix of the earlier tiles, combined with the prefix
// of the earlier runs of its own tile.
func Scan[T any](xs []T, op func(T, T) T) []T {
	size := RunSize[T]()
	earlier := earlierTiles(tiles(xs, size, op), op)
	out := make([]T, 0, len(xs))
	for t, tile := range chunks(xs, TileRuns*size) {
		inTile := treePrefixes(runs(tile, size, op), op)
		for r, run := range chunks(tile, size) {
			seed := join(earlier[t], before(inTile, r), op) // nil for the first run of all
			for i := range run {
				seed = join(seed, &run[i], op)
				out = append(out, *seed)
			}
		}
	}
	return out
}

// earlierTiles returns, for every tile, the prefix of the tiles before it, nil for the
// first: the earlier groups of tiles from left to right, then the earlier tiles of its own
// group.
func earlierTiles[T any](totals []T, op func(T, T) T) []*T {
	var out []*T
	var groups *T
	for group := range slices.Chunk(totals, fanOut) {
		inGroup := treePrefixes(group, op)
		for t := range group {
			out = append(out, join(groups, before(inGroup, t), op))
		}
		groups = join(groups, &inGroup[len(inGroup)-1], op)
	}
	return out
}

// treePrefixes returns the inclusive prefixes of xs by the pair tree. It splits xs after
// the largest power of two below len(xs), and combines the last prefix of the first part
// with each prefix of the rest.
func treePrefixes[T any](xs []T, op func(T, T) T) []T {
	if len(xs) < 2 {
		return slices.Clone(xs)
	}
	block := 1
	for 2*block < len(xs) {
		block *= 2
	}
	out := treePrefixes(xs[:block], op)
	first := out[block-1]
	for _, p := range treePrefixes(xs[block:], op) {
		out = append(out, op(first, p))
	}
	return out
}

// before returns the prefix of the first n elements, nil if n is 0.
func before[T any](prefixes []T, n int) *T {
	if n == 0 {
		return nil
	}
	return &prefixes[n-1]
}

// join returns op(a, b), or the one that is not nil.
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

// ScanExclusive returns the inclusive prefixes shifted by one place, with the identity first.
func ScanExclusive[T any](xs []T, op func(T, T) T, identity T) []T {
	if len(xs) == 0 {
		return []T{}
	}
	return append([]T{identity}, Scan(xs, op)[:len(xs)-1]...)
}

// Rows reduces every row of a row-major matrix.
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

// keyBlock returns the number of positions of a block in a reduction of n elements by
// key: n / 1024, at least 512 and at most 4096, but at least twice the number of keys,
// rounded up to a power of two.
func keyBlock(n, keys int) int {
	block := 512
	for block < 4096 && block*1024 < n || block < 2*keys {
		block *= 2
	}
	return block
}

// ByKey reduces the elements of every key from 0 to n-1. With more than 2048 keys, the
// elements of a key are reduced in the canonical order as if there were no others.
// Otherwise they are reduced in blocks. Elements with other keys are ignored.
func ByKey[T any](xs []T, keys []int32, n int, op func(T, T) T, identity T) []T {
	if n <= 2048 {
		return byKeyBlocks(xs, keys, n, op, identity)
	}
	of := make([][]T, n)
	for i, k := range keys {
		if k >= 0 && int(k) < n {
			of[k] = append(of[k], xs[i])
		}
	}
	return Apply(func(xs []T) T { return Reduce(xs, op, identity) }, of)
}

// byKeyBlocks reduces the elements of every key from 0 to n-1 in blocks. In each block of
// positions the elements of a key are folded from left to right, starting from the
// identity; the results of the blocks are reduced in the canonical order.
func byKeyBlocks[T any](xs []T, keys []int32, n int, op func(T, T) T, identity T) []T {
	out := make([]T, n)
	block := keyBlock(len(xs), n)
	results := make([][]T, n) // by key, one for each block
	for b, part := range chunks(xs, block) {
		for k := range results {
			results[k] = append(results[k], identity)
		}
		for i, x := range part {
			if k := keys[b*block+i]; k >= 0 && int(k) < n {
				results[k][b] = op(results[k][b], x)
			}
		}
	}
	for k := range out {
		out[k] = Reduce(results[k], op, identity)
	}
	return out
}

// RowsByKey reduces, for every key and every column, the elements of the rows
// with that key, in blocks.
func RowsByKey[T any](xs []T, rows, cols int, keys []int32, n int, op func(T, T) T, identity T) []T {
	out := make([]T, n*cols)
	for j := range cols {
		for k, x := range byKeyBlocks(column(xs, rows, cols, j), keys, n, op, identity) {
			out[k*cols+j] = x
		}
	}
	return out
}
