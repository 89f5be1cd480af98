package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func times(x, y float32) float32 { return x * y }

func addOne(x float32) float32 { return x + 1 }

func lowBits(x int32) int32 { return x & 7 }

var (
	timesAll = skel.NewZip(times)
	sumPairs = skel.NewZip(plus[float32])
	addOnes  = skel.NewMap(addOne)
	buckets  = skel.NewMap(lowBits)
)

// launches returns the number of kernels that f launches.
func launches(d *devices.Device, f func()) int64 {
	before := d.Stats().Launches
	f()
	return d.Stats().Launches - before
}

// wantLaunches checks how many kernels f launches.
func wantLaunches(t *testing.T, d *devices.Device, want int64, f func()) {
	t.Helper()
	if got := launches(d, f); got != want && !several(d) { // on several devices the counts differ
		t.Errorf("%d launches, want %d", got, want)
	}
}

func testFusion(t *testing.T, d *devices.Device) {
	const n = 1000
	a := floats(n)
	b := reversed(a)
	va, vb := put(t, d, a), put(t, d, b)
	ab := apply2(times, a, b)

	t.Run("dot is one launch", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			expectValue(t, sums32.reduce.Apply(timesAll.Apply(va, vb)), Reduce(ab, plus[float32], 0))
		})
	})
	t.Run("a large dot is one pass", func(t *testing.T) {
		long := floats(100_003)
		v := put(t, d, long)
		alone := launches(d, func() { expectValue(t, sums32.reduce.Apply(v), Reduce(long, plus[float32], 0)) })
		wantLaunches(t, d, alone, func() {
			expectValue(t, sums32.reduce.Apply(timesAll.Apply(v, v)),
				Reduce(apply2(times, long, long), plus[float32], 0))
		})
	})
	t.Run("five maps are one launch", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			x, want := va, a
			for i := range 5 {
				m, f := addOnes, addOne
				if i%2 == 1 {
					m, f = squares, square
				}
				x, want = m.Apply(x), apply(f, want)
			}
			expect(t, x, want)
		})
	})
	t.Run("a tree is one launch", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			tree := differences.Apply(timesAll.Apply(va, addOnes.Apply(vb)), sumPairs.Apply(squares.Apply(va), vb))
			expect(t, tree, apply2(func(x, y float32) float32 {
				return float32(x*(y+1)) - (float32(x*x) + y)
			}, a, b))
		})
	})
	t.Run("into every consumer", func(t *testing.T) {
		lazy := func() *vector.Vector[float32] { return timesAll.Apply(va, vb) }
		lazyMatrix := func() matrixOf { return timesAll.ApplyMatrix(reshape(va, 40, 25), reshape(vb, 40, 25)) }
		settled := lazy()
		ok(t, settled.Wait())
		keys, offsets := put(t, d, keysFor(n, 7)), put(t, d, []int{0, 10, 10, 600, n})
		rowKeys := put(t, d, keysFor(40, 7))
		fused := func(name string, run func(x source, m matrixSource)) {
			t.Run(name, func(t *testing.T) {
				skipBuilds(t, d)
				plain := launches(d, func() { run(settled, reshape(settled, 40, 25)) })
				wantLaunches(t, d, plain, func() { run(lazy(), lazyMatrix()) })
			})
		}
		r, s := sums32.reduce, sums32.scan
		k, o := hostOf(t, keys), hostOf(t, offsets)
		fused("reduce", func(x source, _ matrixSource) { expectValue(t, r.Apply(x), Reduce(ab, plus[float32], 0)) })
		fused("rows", func(_ source, m matrixSource) { expect(t, r.Rows(m), Rows(ab, 40, 25, plus[float32], 0)) })
		fused("columns", func(_ source, m matrixSource) { expect(t, r.Cols(m), Cols(ab, 40, 25, plus[float32], 0)) })
		fused("segments", func(x source, _ matrixSource) {
			expect(t, r.Segments(x, offsets), Segments(ab, o, plus[float32], 0))
		})
		fused("by key", func(x source, _ matrixSource) {
			expect(t, r.ByKey(x, keys, 7), ByKey(ab, k, 7, plus[float32], 0))
		})
		fused("rows by key", func(_ source, m matrixSource) {
			expect(t, r.RowsByKey(m, rowKeys, 7).Vector(),
				RowsByKey(ab, 40, 25, hostOf(t, rowKeys), 7, plus[float32], 0))
		})
		fused("scan", func(x source, _ matrixSource) { expect(t, s.Inclusive(x), Scan(ab, plus[float32])) })
		fused("exclusive scan", func(x source, _ matrixSource) {
			expect(t, s.Exclusive(x), ScanExclusive(ab, plus[float32], 0))
		})
		fused("scan of rows", func(_ source, m matrixSource) {
			var want []float32
			for i := range 40 {
				want = append(want, Scan(ab[25*i:25*(i+1)], plus[float32])...)
			}
			expect(t, s.InclusiveRows(m).Vector(), want)
		})
		fused("scan of segments", func(x source, _ matrixSource) {
			var want []float32
			for i := range 4 {
				want = append(want, ScanExclusive(ab[o[i]:o[i+1]], plus[float32], 0)...)
			}
			expect(t, s.ExclusiveSegments(x, offsets), want)
		})
	})
	t.Run("a second use materializes", func(t *testing.T) {
		wantLaunches(t, d, 3, func() {
			x := timesAll.Apply(va, vb)
			first, second := squares.Apply(x), addOnes.Apply(x)
			expect(t, second, apply(addOne, ab))
			expect(t, first, apply(square, ab))
		})
		x := timesAll.Apply(va, vb)
		expectValue(t, sums32.reduce.Apply(x), Reduce(ab, plus[float32], 0))
		wantLaunches(t, d, 1, func() { expect(t, x, ab) })
		wantLaunches(t, d, 0, func() { expect(t, x, ab) })
	})
	t.Run("both arguments of one zip", func(t *testing.T) {
		x := squares.Apply(va)
		expect(t, timesAll.Apply(x, x), apply(func(x float32) float32 { return float32(x*x) * float32(x*x) }, a))
	})
	t.Run("a very long chain", func(t *testing.T) {
		x, want := va, a
		for range 100 {
			x, want = addOnes.Apply(x), apply(addOne, want)
		}
		expect(t, x, want)
	})
	t.Run("doubling does not explode", func(t *testing.T) {
		levels := 40
		if !d.Native() {
			levels = 8 // each builds a kernel
		}
		x, want := va, a
		for range levels {
			x, want = sumPairs.Apply(x, x), apply2(plus[float32], want, want)
		}
		expect(t, x, want)
	})
	t.Run("an unused result is not computed", func(t *testing.T) {
		wantLaunches(t, d, 0, func() {
			x := squares.Apply(timesAll.Apply(va, vb))
			if x.Len() != n || x.Err() != nil {
				t.Errorf("%v: length %d, error %v; want %d, nil", x, x.Len(), x.Err(), n)
			}
		})
	})
}
