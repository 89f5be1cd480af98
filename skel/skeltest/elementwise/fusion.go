package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func testFusion(t *testing.T, d *devices.Device) {
	const n = 1000
	a := kit.Floats(n)
	b := kit.Reversed(a)
	va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
	ab := kit.Apply2(kit.Times, a, b)

	t.Run("dot is one launch", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.TimesAll.Apply(va, vb)),
				kit.Reduce(ab, kit.Plus[float32], 0))
		})
	})
	t.Run("a large dot is one pass", func(t *testing.T) {
		long := kit.Floats(100_003)
		v := kit.Put(t, d, long)
		alone := kit.Launches(d, func() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(v),
				kit.Reduce(long, kit.Plus[float32], 0))
		})
		kit.WantLaunches(t, d, alone, func() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.TimesAll.Apply(v, v)),
				kit.Reduce(kit.Apply2(kit.Times, long, long), kit.Plus[float32], 0))
		})
	})
	t.Run("five maps are one launch", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			x, want := va, a
			for i := range 5 {
				m, f := kit.AddOnes, kit.AddOne
				if i%2 == 1 {
					m, f = kit.Squares, kit.Square
				}
				x, want = m.Apply(x), kit.Apply(f, want)
			}
			kit.Expect(t, x, want)
		})
	})
	t.Run("a tree is one launch", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			tree := kit.Differences.Apply(kit.TimesAll.Apply(va, kit.AddOnes.Apply(vb)),
				kit.SumPairs.Apply(kit.Squares.Apply(va), vb))
			kit.Expect(t, tree, kit.Apply2(func(x, y float32) float32 {
				return float32(x*(y+1)) - (float32(x*x) + y)
			}, a, b))
		})
	})
	t.Run("into every consumer", func(t *testing.T) {
		lazy := func() *vector.Vector[float32] { return kit.TimesAll.Apply(va, vb) }
		lazyMatrix := func() kit.MatrixOf {
			return kit.TimesAll.ApplyMatrix(kit.Reshape(va, 40, 25),
				kit.Reshape(vb, 40, 25))
		}
		settled := lazy()
		kit.OK(t, settled.Wait())
		keys, offsets := kit.Put(t, d, kit.KeysFor(n, 7)), kit.Put(t, d, []int{0, 10, 10, 600, n})
		rowKeys := kit.Put(t, d, kit.KeysFor(40, 7))
		fused := func(name string, run func(x kit.Source, m kit.MatrixSource)) {
			t.Run(name, func(t *testing.T) {
				kit.SkipBuilds(t, d)
				plain := kit.Launches(d, func() { run(settled, kit.Reshape(settled, 40, 25)) })
				kit.WantLaunches(t, d, plain, func() { run(lazy(), lazyMatrix()) })
			})
		}
		r, s := kit.Sums32.Reduce, kit.Sums32.Scan
		k, o := kit.HostOf(t, keys), kit.HostOf(t, offsets)
		fused("reduce", func(x kit.Source, _ kit.MatrixSource) {
			kit.ExpectValue(t, r.Apply(x), kit.Reduce(ab, kit.Plus[float32], 0))
		})
		fused("rows", func(_ kit.Source, m kit.MatrixSource) {
			kit.Expect(t, r.Rows(m), kit.Rows(ab, 40, 25, kit.Plus[float32], 0))
		})
		fused("columns", func(_ kit.Source, m kit.MatrixSource) {
			kit.Expect(t, r.Cols(m), kit.Cols(ab, 40, 25, kit.Plus[float32], 0))
		})
		fused("segments", func(x kit.Source, _ kit.MatrixSource) {
			kit.Expect(t, r.Segments(x, offsets), kit.Segments(ab, o, kit.Plus[float32], 0))
		})
		fused("by key", func(x kit.Source, _ kit.MatrixSource) {
			kit.Expect(t, r.ByKey(x, keys, 7), kit.ByKey(ab, k, 7, kit.Plus[float32], 0))
		})
		fused("rows by key", func(_ kit.Source, m kit.MatrixSource) {
			kit.Expect(t, r.RowsByKey(m, rowKeys, 7).Vector(),
				kit.RowsByKey(ab, 40, 25, kit.HostOf(t, rowKeys), 7, kit.Plus[float32], 0))
		})
		fused("scan", func(x kit.Source, _ kit.MatrixSource) {
			kit.Expect(t, s.Inclusive(x),
				kit.Scan(ab, kit.Plus[float32]))
		})
		fused("exclusive scan", func(x kit.Source, _ kit.MatrixSource) {
			kit.Expect(t, s.Exclusive(x), kit.ScanExclusive(ab, kit.Plus[float32], 0))
		})
		fused("scan of rows", func(_ kit.Source, m kit.MatrixSource) {
			var want []float32
			for i := range 40 {
				want = append(want, kit.Scan(ab[25*i:25*(i+1)], kit.Plus[float32])...)
			}
			kit.Expect(t, s.InclusiveRows(m).Vector(), want)
		})
		fused("scan of segments", func(x kit.Source, _ kit.MatrixSource) {
			var want []float32
			for i := range 4 {
				want = append(want, kit.ScanExclusive(ab[o[i]:o[i+1]], kit.Plus[float32], 0)...)
			}
			kit.Expect(t, s.ExclusiveSegments(x, offsets), want)
		})
	})
	t.Run("a second use materializes", func(t *testing.T) {
		kit.WantLaunches(t, d, 3, func() {
			x := kit.TimesAll.Apply(va, vb)
			first, second := kit.Squares.Apply(x), kit.AddOnes.Apply(x)
			kit.Expect(t, second, kit.Apply(kit.AddOne, ab))
			kit.Expect(t, first, kit.Apply(kit.Square, ab))
		})
		x := kit.TimesAll.Apply(va, vb)
		kit.ExpectValue(t, kit.Sums32.Reduce.Apply(x), kit.Reduce(ab, kit.Plus[float32], 0))
		kit.WantLaunches(t, d, 1, func() { kit.Expect(t, x, ab) })
		kit.WantLaunches(t, d, 0, func() { kit.Expect(t, x, ab) })
	})
	t.Run("both arguments of one zip", func(t *testing.T) {
		x := kit.Squares.Apply(va)
		kit.Expect(t, kit.TimesAll.Apply(x, x),
			kit.Apply(func(x float32) float32 { return float32(x*x) * float32(x*x) }, a))
	})
	t.Run("a very long chain", func(t *testing.T) {
		x, want := va, a
		for range 100 {
			x, want = kit.AddOnes.Apply(x), kit.Apply(kit.AddOne, want)
		}
		kit.Expect(t, x, want)
	})
	t.Run("doubling does not explode", func(t *testing.T) {
		levels := 40
		if !d.Native() {
			levels = 8 // each builds a kernel
		}
		x, want := va, a
		for range levels {
			x, want = kit.SumPairs.Apply(x, x), kit.Apply2(kit.Plus[float32], want, want)
		}
		kit.Expect(t, x, want)
	})
	t.Run("an unused result is not computed", func(t *testing.T) {
		kit.WantLaunches(t, d, 0, func() {
			x := kit.Squares.Apply(kit.TimesAll.Apply(va, vb))
			if x.Len() != n || x.Err() != nil {
				t.Errorf("%v: length %d, error %v; want %d, nil", x, x.Len(), x.Err(), n)
			}
		})
	})
}
