package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

func testScan(t *testing.T, d *devices.Device) {
	testOperators(t, d, false, anyOperator.testScan)
	t.Run("large", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		if emulated(d) {
			sums32.scans(t, d, large/8)
			return
		}
		sums32.scans(t, d, large)
		if !fewBuilds(d) {
			products.scans(t, d, large/4)
			spans.scans(t, d, large/4)
		}
	})
	// Many tiles, with inputs and results of different sizes.
	t.Run("of other types", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		const n = 40*tileSize + 17
		s := floats(n)
		wide, narrow := make([]float64, n), make([]float32, n)
		for i, x := range s {
			wide[i] = widened(x)
			narrow[i] = narrowed(wide[i])
		}
		v, w := put(t, d, s), put(t, d, wide)
		expect(t, sums64.scan.Inclusive(widenedAll.Apply(v)), Scan(wide, plus[float64]))
		expect(t, sums64.scan.Exclusive(widenedAll.Apply(v)), ScanExclusive(wide, plus[float64], 0))
		expect(t, sums32.scan.Inclusive(narrowedAll.Apply(w)), Scan(narrow, plus[float32]))
		expect(t, sums32.scan.Exclusive(narrowedAll.Apply(w)), ScanExclusive(narrow, plus[float32], 0))
	})
	t.Run("specials", func(t *testing.T) {
		s := floats(2 * tileSize)
		for i, x := range specials() {
			s[8190-600*i] = x
			expect(t, sums32.scan.Inclusive(put(t, d, s)), Scan(s, plus[float32]))
		}
	})
	t.Run("to and in place", func(t *testing.T) {
		for _, n := range few {
			s := floats(n)
			v, out := put(t, d, s), put(t, d, s)
			ok(t, sums32.scan.InclusiveTo(out, v))
			expect(t, out, Scan(s, plus[float32]))
			ok(t, sums32.scan.ExclusiveTo(out, v))
			expect(t, out, ScanExclusive(s, plus[float32], 0))
			expect(t, v, s)
			ok(t, sums32.scan.InclusiveTo(v, v))
			expect(t, v, Scan(s, plus[float32]))
			w := put(t, d, s)
			ok(t, sums32.scan.ExclusiveTo(w, w))
			expect(t, w, ScanExclusive(s, plus[float32], 0))
		}
	})
	t.Run("a scan of a scan", func(t *testing.T) {
		s := floats(10_000)
		twice := sums32.scan.Inclusive(sums32.scan.Inclusive(put(t, d, s)))
		expect(t, twice, Scan(Scan(s, plus[float32]), plus[float32]))
	})
}

func (o operator[T]) testScan(t *testing.T, d *devices.Device) {
	for _, n := range sizes {
		o.scans(t, d, n)
	}
}

// scans scans n elements and compares the results with the reference.
func (o operator[T]) scans(t *testing.T, d *devices.Device, n int) {
	t.Helper()
	s := generate(n, o.element)
	v := vector.From(s, home(d))
	defer v.Free()
	in, ex := o.scan.Inclusive(v), o.scan.Exclusive(v)
	defer in.Free()
	defer ex.Free()
	expect(t, in, Scan(s, o.op))
	expect(t, ex, ScanExclusive(s, o.op, o.identity))
}

func testScanParts(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testScanParts)
	t.Run("segments that leave the ends out", func(t *testing.T) {
		const n = 3*tileSize + 5
		s := floats(n)
		v := put(t, d, s)
		for _, offsets := range [][]int{
			{tileSize + 9, 2 * tileSize}, {2*tileSize + 1, 3*tileSize + 1}, {2*tileSize + 1, 2*tileSize + 7,
				3 * tileSize},
			{0}, {7}, {n}, {n, n}, {0, 0, tileSize + 1},
		} {
			vector.From([]int{0, n, n, n}, home(d)).Free() // fill recycled memory
			in, ex := make([]float32, n), make([]float32, n)
			for k := range len(offsets) - 1 {
				part := s[offsets[k]:offsets[k+1]]
				copy(in[offsets[k]:], Scan(part, plus[float32]))
				copy(ex[offsets[k]:], ScanExclusive(part, plus[float32], 0))
			}
			cutsAt := put(t, d, offsets)
			expect(t, sums32.scan.InclusiveSegments(v, cutsAt), in)
			expect(t, sums32.scan.ExclusiveSegments(v, cutsAt), ex)
		}
	})
}

func (o operator[T]) testScanParts(t *testing.T, d *devices.Device) {
	for _, shape := range shapes {
		rows, cols := shape[0], shape[1]
		s := generate(rows*cols, o.element)
		m := putMatrix(t, d, rows, cols, s)
		var in, ex []T
		for i := range rows {
			row := s[i*cols : (i+1)*cols]
			in = append(in, Scan(row, o.op)...)
			ex = append(ex, ScanExclusive(row, o.op, o.identity)...)
		}
		expectMatrix(t, o.scan.InclusiveRows(m), rows, cols, in)
		expectMatrix(t, o.scan.ExclusiveRows(m), rows, cols, ex)
		to := putMatrix(t, d, rows, cols, s)
		ok(t, o.scan.ExclusiveRowsTo(to, m))
		expectMatrix(t, to, rows, cols, ex)
		ok(t, o.scan.InclusiveRowsTo(m, m))
		expectMatrix(t, m, rows, cols, in)
	}
	for _, c := range cutSizes {
		if c.segments == 0 {
			continue // the expected results assume that segments cover all elements
		}
		s := generate(c.n, o.element)
		offsets := cuts(roll(uint64(c.n)), c.n, c.segments)
		var in, ex []T
		for i := range c.segments {
			part := s[offsets[i]:offsets[i+1]]
			in = append(in, Scan(part, o.op)...)
			ex = append(ex, ScanExclusive(part, o.op, o.identity)...)
		}
		v, cutsAt := put(t, d, s), put(t, d, offsets)
		expect(t, o.scan.InclusiveSegments(v, cutsAt), in)
		expect(t, o.scan.ExclusiveSegments(v, cutsAt), ex)
	}
}
