package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// Reductions of parts: rows, columns, segments, and by key.

func testReduceParts(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testReduceParts)
	t.Run("many short segments", func(t *testing.T) {
		s := floats(50_000)
		offsets := cuts(roll(5), len(s), 9000)
		got := sums32.reduce.Segments(put(t, d, s), put(t, d, offsets))
		expect(t, got, Segments(s, offsets, plus[float32], 0))
	})
	t.Run("segments that leave the ends out", func(t *testing.T) {
		s := floats(100)
		offsets := []int{10, 20, 20, 55, 90}
		expect(t, sums32.reduce.Segments(put(t, d, s), put(t, d, offsets)), Segments(s, offsets, plus[float32], 0))
	})
	t.Run("a few long rows", func(t *testing.T) { // several groups share a row
		const rows, cols = 2, 70_000
		s := floats(rows * cols)
		expect(t, sums32.reduce.Rows(putMatrix(t, d, rows, cols, s)), Rows(s, rows, cols, plus[float32], 0))
	})
	t.Run("index matrix", func(t *testing.T) {
		in := places.ApplyMatrix(matrix.Indices(70, 300, home(d)))
		s := generate(70*300, func(_ *dice, i int) int { return place(matrix.Index{Row: i / 300, Col: i % 300}) })
		expect(t, sumsInt.Rows(in), Rows(s, 70, 300, plus[int], 0))
		expect(t, sumsInt.Cols(in), Cols(s, 70, 300, plus[int], 0))
	})
}

func (o operator[T]) testReduceParts(t *testing.T, d *devices.Device) {
	for _, shape := range shapes {
		rows, cols := shape[0], shape[1]
		s := generate(rows*cols, o.element)
		m := putMatrix(t, d, rows, cols, s)
		expectValue(t, o.reduce.ApplyMatrix(m), Reduce(s, o.op, o.identity))
		expect(t, o.reduce.Rows(m), Rows(s, rows, cols, o.op, o.identity))
		expect(t, o.reduce.Cols(m), Cols(s, rows, cols, o.op, o.identity))
	}
	for _, c := range cutSizes {
		s := generate(c.n, o.element)
		offsets := cuts(roll(uint64(c.n)), c.n, c.segments)
		got := o.reduce.Segments(put(t, d, s), put(t, d, offsets))
		expect(t, got, Segments(s, offsets, o.op, o.identity))
	}
}

// cutSizes lists lengths and numbers of segments. Some segments are empty, some
// have one element, some are longer than a tile.
var cutSizes = []struct{ n, segments int }{
	{0, 0}, {0, 3}, {1, 1}, {100, 1}, {100, 40}, {2*tileSize + 5, 1}, {20_000, 3}, {20_000, 1000},
}

// cuts divides [0, n) into segments; about a third of them are empty.
func cuts(d *dice, n, segments int) []int {
	offsets := make([]int, segments+1)
	for i := 1; i < segments; i++ {
		rest := n - offsets[i-1]
		step := 0
		if d.IntN(3) > 0 {
			step = min(rest, 1+d.IntN(1+2*n/segments))
		}
		offsets[i] = offsets[i-1] + step
	}
	offsets[segments] = n
	return offsets
}

func testReduceByKey(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testReduceByKey)
	t.Run("keys out of range are ignored", func(t *testing.T) {
		s := []float32{1, 2, 4, 8, 16, 32}
		keys := put(t, d, []int32{0, -1, 3, 2, 1 << 30, 0})
		expect(t, sums32.reduce.ByKey(put(t, d, s), keys, 3), []float32{33, 0, 8})
		m := putMatrix(t, d, 6, 1, s)
		expectMatrix(t, sums32.reduce.RowsByKey(m, keys, 3), 3, 1, []float32{33, 0, 8})
	})
	t.Run("many keys", func(t *testing.T) {
		s, keys := floats(5000), keysFor(5000, 3000)
		got := sums32.reduce.ByKey(put(t, d, s), put(t, d, keys), 3000)
		expect(t, got, ByKey(s, keys, 3000, plus[float32], 0))
	})
	t.Run("one key for all", func(t *testing.T) {
		s, keys := floats(30_000), make([]int32, 30_000)
		expect(t, sums32.reduce.ByKey(put(t, d, s), put(t, d, keys), 1), ByKey(s, keys, 1, plus[float32], 0))
		m := putMatrix(t, d, 10_000, 3, s)
		got := sums32.reduce.RowsByKey(m, put(t, d, keys[:10_000]), 40)
		expectMatrix(t, got, 40, 3, RowsByKey(s, 10_000, 3, keys, 40, plus[float32], 0))
	})
	t.Run("very many keys", func(t *testing.T) { testVeryManyKeys(t, d) })
	t.Run("wide rows", func(t *testing.T) { // wider than a group has lanes
		const rows, cols, k = 700, 300, 150
		s, keys := floats(rows*cols), keysFor(rows, k)
		got := sums32.reduce.RowsByKey(putMatrix(t, d, rows, cols, s), put(t, d, keys), k)
		expectMatrix(t, got, k, cols, RowsByKey(s, rows, cols, keys, k, plus[float32], 0))
	})
	t.Run("computed keys are kept", func(t *testing.T) {
		const rows, cols = 1000, 5
		from, s := generate(rows, lasts.element), floats(rows*cols)
		keys := apply(lowBits, from)
		m, labels := putMatrix(t, d, rows, cols, s), buckets.Apply(put(t, d, from))
		want := RowsByKey(s, rows, cols, keys, 7, plus[float32], 0) // key 7 is out of range
		expectMatrix(t, sums32.reduce.RowsByKey(m, labels, 7), 7, cols, want)
		wantLaunches(t, d, 0, func() { expect(t, labels, keys) })
		expectMatrix(t, sums32.reduce.RowsByKey(m, labels, 7), 7, cols, want)
	})
	t.Run("keys from a map", func(t *testing.T) {
		s := generate(10_000, lasts.element)
		keys := apply(lowBits, s)
		v := put(t, d, s)
		expect(t, lasts.reduce.ByKey(v, buckets.Apply(v), 8), ByKey(s, keys, 8, lastNonZero, 0))
	})
}

func (o operator[T]) testReduceByKey(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 15, 255, 256, 257, 511, 512, 513, 5*512 + 17, 40_000} {
		for _, k := range []int{1, 2, 7} {
			s, keys := generate(n, o.element), keysFor(n, k)
			got := o.reduce.ByKey(put(t, d, s), put(t, d, keys), k)
			expect(t, got, ByKey(s, keys, k, o.op, o.identity))
		}
	}
	o.testManyKeys(t, d)
	for _, shape := range shapes {
		rows, cols := shape[0], shape[1]
		s, keys := generate(rows*cols, o.element), keysFor(rows, 5)
		got := o.reduce.RowsByKey(putMatrix(t, d, rows, cols, s), put(t, d, keys), 5)
		expectMatrix(t, got, 5, cols, RowsByKey(s, rows, cols, keys, 5, o.op, o.identity))
	}
}

// keysFor returns n keys, some of them just outside [0, k).
func keysFor(n, k int) []int32 {
	return generate(n, func(d *dice, _ int) int32 { return int32(d.IntN(k+2) - 1) })
}
