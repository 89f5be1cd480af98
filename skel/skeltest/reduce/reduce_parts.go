package reduce

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// Reductions of parts: rows, columns, segments, and by key.

func testReduceParts(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testReduceParts)
	t.Run("many short segments", func(t *testing.T) {
		s := kit.Floats(50_000)
		offsets := kit.Cuts(kit.Roll(5), len(s), 9000)
		got := kit.Sums32.Reduce.Segments(kit.Put(t, d, s), kit.Put(t, d, offsets))
		kit.Expect(t, got, kit.Segments(s, offsets, kit.Plus[float32], 0))
	})
	t.Run("segments that leave the ends out", func(t *testing.T) {
		s := kit.Floats(100)
		offsets := []int{10, 20, 20, 55, 90}
		kit.Expect(t, kit.Sums32.Reduce.Segments(kit.Put(t, d, s), kit.Put(t, d, offsets)),
			kit.Segments(s, offsets, kit.Plus[float32], 0))
	})
	t.Run("a few long rows", func(t *testing.T) { // several groups share a row
		const rows, cols = 2, 70_000
		s := kit.Floats(rows * cols)
		kit.Expect(t, kit.Sums32.Reduce.Rows(kit.PutMatrix(t, d, rows, cols, s)),
			kit.Rows(s, rows, cols, kit.Plus[float32], 0))
	})
	t.Run("index matrix", func(t *testing.T) {
		in := kit.Places.ApplyMatrix(matrix.Indices(70, 300, kit.Home(d)))
		s := kit.Generate(70*300, func(_ *kit.Dice,
			i int) int {
			return kit.Place(matrix.Index{Row: i / 300, Col: i % 300})
		})
		kit.Expect(t, kit.SumsInt.Rows(in), kit.Rows(s, 70, 300, kit.Plus[int], 0))
		kit.Expect(t, kit.SumsInt.Cols(in), kit.Cols(s, 70, 300, kit.Plus[int], 0))
	})
}

func (o operator[T]) testReduceParts(t *testing.T, d *devices.Device) {
	for _, shape := range kit.Shapes {
		rows, cols := shape[0], shape[1]
		s := kit.Generate(rows*cols, o.Element)
		m := kit.PutMatrix(t, d, rows, cols, s)
		kit.ExpectValue(t, o.Reduce.ApplyMatrix(m), kit.Reduce(s, o.Op, o.Identity))
		kit.Expect(t, o.Reduce.Rows(m), kit.Rows(s, rows, cols, o.Op, o.Identity))
		kit.Expect(t, o.Reduce.Cols(m), kit.Cols(s, rows, cols, o.Op, o.Identity))
	}
	for _, c := range kit.CutSizes {
		s := kit.Generate(c.N, o.Element)
		offsets := kit.Cuts(kit.Roll(uint64(c.N)), c.N, c.Segments)
		got := o.Reduce.Segments(kit.Put(t, d, s), kit.Put(t, d, offsets))
		kit.Expect(t, got, kit.Segments(s, offsets, o.Op, o.Identity))
	}
}

func testReduceByKey(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testReduceByKey)
	t.Run("keys out of range are ignored", func(t *testing.T) {
		s := []float32{1, 2, 4, 8, 16, 32}
		keys := kit.Put(t, d, []int32{0, -1, 3, 2, 1 << 30, 0})
		kit.Expect(t, kit.Sums32.Reduce.ByKey(kit.Put(t, d, s), keys, 3), []float32{33, 0, 8})
		m := kit.PutMatrix(t, d, 6, 1, s)
		kit.ExpectMatrix(t, kit.Sums32.Reduce.RowsByKey(m, keys, 3), 3, 1, []float32{33, 0, 8})
	})
	t.Run("many keys", func(t *testing.T) {
		s, keys := kit.Floats(5000), kit.KeysFor(5000, 3000)
		got := kit.Sums32.Reduce.ByKey(kit.Put(t, d, s), kit.Put(t, d, keys), 3000)
		kit.Expect(t, got, kit.ByKey(s, keys, 3000, kit.Plus[float32], 0))
	})
	t.Run("one key for all", func(t *testing.T) {
		s, keys := kit.Floats(30_000), make([]int32, 30_000)
		kit.Expect(t, kit.Sums32.Reduce.ByKey(kit.Put(t, d, s), kit.Put(t, d, keys), 1),
			kit.ByKey(s, keys, 1, kit.Plus[float32], 0))
		m := kit.PutMatrix(t, d, 10_000, 3, s)
		got := kit.Sums32.Reduce.RowsByKey(m, kit.Put(t, d, keys[:10_000]), 40)
		kit.ExpectMatrix(t, got, 40, 3, kit.RowsByKey(s, 10_000, 3, keys, 40, kit.Plus[float32], 0))
	})
	t.Run("very many keys", func(t *testing.T) { testVeryManyKeys(t, d) })
	t.Run("wide rows", func(t *testing.T) { // wider than a group has lanes
		const rows, cols, k = 700, 300, 150
		s, keys := kit.Floats(rows*cols), kit.KeysFor(rows, k)
		got := kit.Sums32.Reduce.RowsByKey(kit.PutMatrix(t, d, rows, cols, s), kit.Put(t, d, keys), k)
		kit.ExpectMatrix(t, got, k, cols, kit.RowsByKey(s, rows, cols, keys, k, kit.Plus[float32], 0))
	})
	t.Run("computed keys are kept", func(t *testing.T) {
		const rows, cols = 1000, 5
		from, s := kit.Generate(rows, kit.Lasts.Element), kit.Floats(rows*cols)
		keys := kit.Apply(kit.LowBits, from)
		m, labels := kit.PutMatrix(t, d, rows, cols, s), kit.Buckets.Apply(kit.Put(t, d, from))
		want := kit.RowsByKey(s, rows, cols, keys, 7, kit.Plus[float32], 0) // key 7 is out of range
		kit.ExpectMatrix(t, kit.Sums32.Reduce.RowsByKey(m, labels, 7), 7, cols, want)
		kit.WantLaunches(t, d, 0, func() { kit.Expect(t, labels, keys) })
		kit.ExpectMatrix(t, kit.Sums32.Reduce.RowsByKey(m, labels, 7), 7, cols, want)
	})
	t.Run("keys from a map", func(t *testing.T) {
		s := kit.Generate(10_000, kit.Lasts.Element)
		keys := kit.Apply(kit.LowBits, s)
		v := kit.Put(t, d, s)
		kit.Expect(t, kit.Lasts.Reduce.ByKey(v, kit.Buckets.Apply(v), 8), kit.ByKey(s, keys, 8, kit.LastNonZero, 0))
	})
}

func (o operator[T]) testReduceByKey(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 15, 255, 256, 257, 511, 512, 513, 5*512 + 17, 40_000} {
		for _, k := range []int{1, 2, 7} {
			s, keys := kit.Generate(n, o.Element), kit.KeysFor(n, k)
			got := o.Reduce.ByKey(kit.Put(t, d, s), kit.Put(t, d, keys), k)
			kit.Expect(t, got, kit.ByKey(s, keys, k, o.Op, o.Identity))
		}
	}
	o.testManyKeys(t, d)
	for _, shape := range kit.Shapes {
		rows, cols := shape[0], shape[1]
		s, keys := kit.Generate(rows*cols, o.Element), kit.KeysFor(rows, 5)
		got := o.Reduce.RowsByKey(kit.PutMatrix(t, d, rows, cols, s), kit.Put(t, d, keys), 5)
		kit.ExpectMatrix(t, got, 5, cols, kit.RowsByKey(s, rows, cols, keys, 5, o.Op, o.Identity))
	}
}
