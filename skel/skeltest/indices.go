package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func cube(i int) int64 { return int64(i) * int64(i) * int64(i) }

func place(at matrix.Index) int { return 100_000*at.Row + at.Col }

func plusIndex(i int, x float32) float32 { return x + float32(i) }

func onDiagonal(at matrix.Index, x float32) float32 {
	if at.Row == at.Col {
		return 1
	}
	return x
}

var (
	cubes      = skel.NewMap(cube)
	places     = skel.NewMap(place)
	shifted    = skel.NewZip(plusIndex)
	unit       = skel.NewZip(onDiagonal)
	sumsInt    = skel.NewReduce(plus[int], 0)
	sumsInt64  = skel.NewReduce(plus[int64], 0)
	prefixInts = skel.NewScan(plus[int], 0)
)

func testIndices(t *testing.T, d *devices.Device) {
	on := home(d)
	for _, n := range sizes {
		want := apply(cube, upTo(n))
		expect(t, cubes.Apply(vector.Indices(n, on)), want)
		expectValue(t, sumsInt.Apply(vector.Indices(n, on)), n*(n-1)/2)
		expectValue(t, sumsInt64.Apply(cubes.Apply(vector.Indices(n, on))), Reduce(want, plus[int64], 0))
		expect(t, prefixInts.Inclusive(vector.Indices(n, on)), Scan(upTo(n), plus[int]))
		s := floats(n)
		expect(t, shifted.Apply(vector.Indices(n, on), put(t, d, s)), apply2(plusIndex, upTo(n), s))
	}
	for _, shape := range shapes {
		rows, cols := shape[0], shape[1]
		at := make([]matrix.Index, rows*cols)
		for i := range at {
			at[i] = matrix.Index{Row: i / cols, Col: i % cols}
		}
		expectMatrix(t, places.ApplyMatrix(matrix.Indices(rows, cols, on)), rows, cols, apply(place, at))
		s := floats(rows * cols)
		m := putMatrix(t, d, rows, cols, s)
		expectMatrix(t, unit.ApplyMatrix(matrix.Indices(rows, cols, on), m), rows, cols, apply2(onDiagonal, at, s))
		ok(t, unit.ApplyMatrixTo(m, matrix.Indices(rows, cols, on), m))
		expectMatrix(t, m, rows, cols, apply2(onDiagonal, at, s))
	}
	t.Run("where other arguments are", func(t *testing.T) {
		devices.SetDefault(another(t, d))
		defer devices.SetDefault(nil)
		const n = 100
		index, grid := vector.Indices(n), matrix.Indices(10, n/10)
		out := vector.New[int64](n, on)
		defer out.Free()
		ok(t, cubes.ApplyTo(out, index))
		expect(t, out, apply(cube, upTo(n)))
		scanned := vector.New[int](n, on)
		defer scanned.Free()
		ok(t, prefixInts.InclusiveTo(scanned, index))
		expect(t, scanned, Scan(upTo(n), plus[int]))
		ok(t, places.ApplyMatrixTo(matrix.Of(scanned, 10, n/10), grid))
		ok(t, shifted.ApplyTo(put(t, d, floats(n)), index, put(t, d, floats(n))))
		offsets, keys := []int{0, 30, n}, keysFor(n, 4)
		expect(t, sumsInt.Segments(index, put(t, d, offsets)), Segments(upTo(n), offsets, plus[int], 0))
		expect(t, sumsInt.ByKey(index, put(t, d, keys), 4), ByKey(upTo(n), keys, 4, plus[int], 0))
	})
	t.Run("more than memory", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		// 2^25 elements that are never stored.
		before := d.Stats().LiveBytes
		got := sumsInt64.ApplyMatrix(low.ApplyMatrix(matrix.Indices(1<<10, 1<<15, on)))
		expectValue(t, got, 1<<10*(1<<15*(1<<15-1)/2))
		if grown := d.Stats().LiveBytes - before; grown > 4<<20 {
			t.Errorf("a reduction over an index matrix leaves %d bytes live, want at most %d", grown, 4<<20)
		}
	})
}

func column64(at matrix.Index) int64 { return int64(at.Col) }

var low = skel.NewMap(column64)
