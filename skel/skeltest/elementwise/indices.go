package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func onDiagonal(at matrix.Index, x float32) float32 {
	if at.Row == at.Col {
		return 1
	}
	return x
}

var (
	unit = skel.NewZip(onDiagonal)

	prefixInts = skel.NewScan(kit.Plus[int], 0)
)

func testIndices(t *testing.T, d *devices.Device) {
	on := kit.Home(d)
	for _, n := range kit.Sizes {
		want := kit.Apply(kit.Cube, kit.UpTo(n))
		kit.Expect(t, kit.Cubes.Apply(vector.Indices(n, on)), want)
		kit.ExpectValue(t, kit.SumsInt.Apply(vector.Indices(n, on)), n*(n-1)/2)
		kit.ExpectValue(t, kit.SumsInt64.Apply(kit.Cubes.Apply(vector.Indices(n, on))),
			kit.Reduce(want, kit.Plus[int64], 0))
		kit.Expect(t, prefixInts.Inclusive(vector.Indices(n, on)), kit.Scan(kit.UpTo(n), kit.Plus[int]))
		s := kit.Floats(n)
		kit.Expect(t, kit.Shifted.Apply(vector.Indices(n, on), kit.Put(t, d, s)),
			kit.Apply2(kit.PlusIndex, kit.UpTo(n), s))
	}
	for _, shape := range kit.Shapes {
		rows, cols := shape[0], shape[1]
		at := make([]matrix.Index, rows*cols)
		for i := range at {
			at[i] = matrix.Index{Row: i / cols, Col: i % cols}
		}
		kit.ExpectMatrix(t, kit.Places.ApplyMatrix(matrix.Indices(rows, cols, on)), rows, cols,
			kit.Apply(kit.Place, at))
		s := kit.Floats(rows * cols)
		m := kit.PutMatrix(t, d, rows, cols, s)
		kit.ExpectMatrix(t, unit.ApplyMatrix(matrix.Indices(rows, cols, on), m), rows, cols,
			kit.Apply2(onDiagonal, at, s))
		kit.OK(t, unit.ApplyMatrixTo(m, matrix.Indices(rows, cols, on), m))
		kit.ExpectMatrix(t, m, rows, cols, kit.Apply2(onDiagonal, at, s))
	}
	t.Run("where other arguments are", func(t *testing.T) {
		devices.SetDefault(kit.Another(t, d))
		defer devices.SetDefault(nil)
		const n = 100
		index, grid := vector.Indices(n), matrix.Indices(10, n/10)
		out := vector.New[int64](n, on)
		defer out.Free()
		kit.OK(t, kit.Cubes.ApplyTo(out, index))
		kit.Expect(t, out, kit.Apply(kit.Cube, kit.UpTo(n)))
		scanned := vector.New[int](n, on)
		defer scanned.Free()
		kit.OK(t, prefixInts.InclusiveTo(scanned, index))
		kit.Expect(t, scanned, kit.Scan(kit.UpTo(n), kit.Plus[int]))
		kit.OK(t, kit.Places.ApplyMatrixTo(matrix.Of(scanned, 10, n/10), grid))
		kit.OK(t, kit.Shifted.ApplyTo(kit.Put(t, d, kit.Floats(n)), index, kit.Put(t, d, kit.Floats(n))))
		offsets, keys := []int{0, 30, n}, kit.KeysFor(n, 4)
		kit.Expect(t, kit.SumsInt.Segments(index, kit.Put(t, d, offsets)),
			kit.Segments(kit.UpTo(n), offsets, kit.Plus[int], 0))
		kit.Expect(t, kit.SumsInt.ByKey(index, kit.Put(t, d, keys), 4),
			kit.ByKey(kit.UpTo(n), keys, 4, kit.Plus[int], 0))
	})
	t.Run("more than memory", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		// 2^25 elements that are never stored.
		before := d.Stats().LiveBytes
		got := kit.SumsInt64.ApplyMatrix(low.ApplyMatrix(matrix.Indices(1<<10, 1<<15, on)))
		kit.ExpectValue(t, got, 1<<10*(1<<15*(1<<15-1)/2))
		if grown := d.Stats().LiveBytes - before; grown > 4<<20 {
			t.Errorf("a reduction over an index matrix leaves %d bytes live, want at most %d", grown, 4<<20)
		}
	})
}

func column64(at matrix.Index) int64 { return int64(at.Col) }

var low = skel.NewMap(column64)
