package reduce

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func testScan(t *testing.T, d *devices.Device) {
	testOperators(t, d, false, anyOperator.testScan)
	t.Run("large", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		if kit.Emulated(d) {
			operator[float32](kit.Sums32).scans(t, d, kit.Large/8)
			return
		}
		operator[float32](kit.Sums32).scans(t, d, kit.Large)
		if !kit.FewBuilds(d) {
			products.scans(t, d, kit.Large/4)
			operator[kit.Span](kit.Spans).scans(t, d, kit.Large/4)
		}
	})
	// Many tiles, with inputs and results of different sizes.
	t.Run("of other types", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		const n = 40*kit.TileSize + 17
		s := kit.Floats(n)
		wide, narrow := make([]float64, n), make([]float32, n)
		for i, x := range s {
			wide[i] = kit.Widened(x)
			narrow[i] = kit.Narrowed(wide[i])
		}
		v, w := kit.Put(t, d, s), kit.Put(t, d, wide)
		kit.Expect(t, kit.Sums64.Scan.Inclusive(kit.WidenedAll.Apply(v)), kit.Scan(wide, kit.Plus[float64]))
		kit.Expect(t, kit.Sums64.Scan.Exclusive(kit.WidenedAll.Apply(v)), kit.ScanExclusive(wide, kit.Plus[float64], 0))
		kit.Expect(t, kit.Sums32.Scan.Inclusive(kit.NarrowedAll.Apply(w)), kit.Scan(narrow, kit.Plus[float32]))
		kit.Expect(t, kit.Sums32.Scan.Exclusive(kit.NarrowedAll.Apply(w)),
			kit.ScanExclusive(narrow, kit.Plus[float32], 0))
	})
	t.Run("specials", func(t *testing.T) {
		s := kit.Floats(2 * kit.TileSize)
		for i, x := range kit.Specials() {
			s[8190-600*i] = x
			kit.Expect(t, kit.Sums32.Scan.Inclusive(kit.Put(t, d, s)), kit.Scan(s, kit.Plus[float32]))
		}
	})
	t.Run("to and in place", func(t *testing.T) {
		for _, n := range kit.Few {
			s := kit.Floats(n)
			v, out := kit.Put(t, d, s), kit.Put(t, d, s)
			kit.OK(t, kit.Sums32.Scan.InclusiveTo(out, v))
			kit.Expect(t, out, kit.Scan(s, kit.Plus[float32]))
			kit.OK(t, kit.Sums32.Scan.ExclusiveTo(out, v))
			kit.Expect(t, out, kit.ScanExclusive(s, kit.Plus[float32], 0))
			kit.Expect(t, v, s)
			kit.OK(t, kit.Sums32.Scan.InclusiveTo(v, v))
			kit.Expect(t, v, kit.Scan(s, kit.Plus[float32]))
			w := kit.Put(t, d, s)
			kit.OK(t, kit.Sums32.Scan.ExclusiveTo(w, w))
			kit.Expect(t, w, kit.ScanExclusive(s, kit.Plus[float32], 0))
		}
	})
	t.Run("a scan of a scan", func(t *testing.T) {
		s := kit.Floats(10_000)
		twice := kit.Sums32.Scan.Inclusive(kit.Sums32.Scan.Inclusive(kit.Put(t, d, s)))
		kit.Expect(t, twice, kit.Scan(kit.Scan(s, kit.Plus[float32]), kit.Plus[float32]))
	})
}

func (o operator[T]) testScan(t *testing.T, d *devices.Device) {
	for _, n := range kit.Sizes {
		o.scans(t, d, n)
	}
}

// scans scans n elements and compares the results with the reference.
func (o operator[T]) scans(t *testing.T, d *devices.Device, n int) {
	t.Helper()
	s := kit.Generate(n, o.Element)
	v := vector.From(s, kit.Home(d))
	defer v.Free()
	in, ex := o.Scan.Inclusive(v), o.Scan.Exclusive(v)
	defer in.Free()
	defer ex.Free()
	kit.Expect(t, in, kit.Scan(s, o.Op))
	kit.Expect(t, ex, kit.ScanExclusive(s, o.Op, o.Identity))
}

func testScanParts(t *testing.T, d *devices.Device) {
	testOperators(t, d, true, anyOperator.testScanParts)
	t.Run("segments that leave the ends out", func(t *testing.T) {
		const n = 3*kit.TileSize + 5
		s := kit.Floats(n)
		v := kit.Put(t, d, s)
		for _, offsets := range [][]int{
			{kit.TileSize + 9, 2 * kit.TileSize}, {2*kit.TileSize + 1, 3*kit.TileSize + 1},
			{2*kit.TileSize + 1, 2*kit.TileSize + 7,
				3 * kit.TileSize},
			{0}, {7}, {n}, {n, n}, {0, 0, kit.TileSize + 1},
		} {
			vector.From([]int{0, n, n, n}, kit.Home(d)).Free() // fill recycled memory
			in, ex := make([]float32, n), make([]float32, n)
			for k := range len(offsets) - 1 {
				part := s[offsets[k]:offsets[k+1]]
				copy(in[offsets[k]:], kit.Scan(part, kit.Plus[float32]))
				copy(ex[offsets[k]:], kit.ScanExclusive(part, kit.Plus[float32], 0))
			}
			cutsAt := kit.Put(t, d, offsets)
			kit.Expect(t, kit.Sums32.Scan.InclusiveSegments(v, cutsAt), in)
			kit.Expect(t, kit.Sums32.Scan.ExclusiveSegments(v, cutsAt), ex)
		}
	})
}

func (o operator[T]) testScanParts(t *testing.T, d *devices.Device) {
	for _, shape := range kit.Shapes {
		rows, cols := shape[0], shape[1]
		s := kit.Generate(rows*cols, o.Element)
		m := kit.PutMatrix(t, d, rows, cols, s)
		var in, ex []T
		for i := range rows {
			row := s[i*cols : (i+1)*cols]
			in = append(in, kit.Scan(row, o.Op)...)
			ex = append(ex, kit.ScanExclusive(row, o.Op, o.Identity)...)
		}
		kit.ExpectMatrix(t, o.Scan.InclusiveRows(m), rows, cols, in)
		kit.ExpectMatrix(t, o.Scan.ExclusiveRows(m), rows, cols, ex)
		to := kit.PutMatrix(t, d, rows, cols, s)
		kit.OK(t, o.Scan.ExclusiveRowsTo(to, m))
		kit.ExpectMatrix(t, to, rows, cols, ex)
		kit.OK(t, o.Scan.InclusiveRowsTo(m, m))
		kit.ExpectMatrix(t, m, rows, cols, in)
	}
	for _, c := range kit.CutSizes {
		if c.Segments == 0 {
			continue // the expected results assume that segments cover all elements
		}
		s := kit.Generate(c.N, o.Element)
		offsets := kit.Cuts(kit.Roll(uint64(c.N)), c.N, c.Segments)
		var in, ex []T
		for i := range c.Segments {
			part := s[offsets[i]:offsets[i+1]]
			in = append(in, kit.Scan(part, o.Op)...)
			ex = append(ex, kit.ScanExclusive(part, o.Op, o.Identity)...)
		}
		v, cutsAt := kit.Put(t, d, s), kit.Put(t, d, offsets)
		kit.Expect(t, o.Scan.InclusiveSegments(v, cutsAt), in)
		kit.Expect(t, o.Scan.ExclusiveSegments(v, cutsAt), ex)
	}
}
