package skeltest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// These tests check that a fused computation is one pass over memory: one launch, no memory
// except the result's, and no transfer to or from the host. Then the kernel can only read
// the inputs, or nothing if these are indices.

func magnitude(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

// moments holds the terms of a variance, which are combined in one pass: Chan, Golub
// and LeVeque, Updating formulae and a pairwise algorithm for computing sample
// variances (1979).
type moments struct{ N, Mean, Squares float64 }

func momentsOf(x float32) moments { return moments{1, float64(x), 0} }

func together(x, y moments) moments {
	n, delta := x.N+y.N, y.Mean-x.Mean
	return moments{n, x.Mean + delta*y.N/n, x.Squares + y.Squares + delta*delta*x.N*y.N/n}
}

func widened(x float32) float64 { return float64(x) / 3 }

func narrowed(x float64) float32 { return float32(x) }

var (
	magnitudes  = skel.NewMap(magnitude)
	momentsAt   = skel.NewMap(momentsOf)
	allMoments  = skel.NewReduce(together, moments{})
	widenedAll  = skel.NewMap(widened)
	narrowedAll = skel.NewMap(narrowed)
)

// traffic is the cost of a computation, as devices count it. Memory that kernels read and
// write is not included.
type traffic struct{ Launches, Allocs, AllocBytes, Uploads, Downloads, Copies int64 }

// trafficOf returns the cost of the second call of f.
func trafficOf(t *testing.T, d *devices.Device, f func()) traffic {
	t.Helper()
	f()
	before := d.Stats()
	f()
	ok(t, d.Sync())
	s := d.Stats().Sub(before)
	return traffic{s.Launches, s.Allocs, s.AllocBytes, s.Uploads, s.Downloads, s.Copies}
}

// wantTraffic checks the cost of the second call of f.
func wantTraffic(t *testing.T, d *devices.Device, want traffic, f func()) {
	t.Helper()
	if diff := cmp.Diff(want, trafficOf(t, d, f)); diff != "" {
		t.Errorf("cost (-want +got):\n%s", diff)
	}
}

// onePass checks a result, and that it costs one launch and the memory of the result.
func onePass[T any](t *testing.T, d *devices.Device, compute func() *vector.Vector[T], want []T) {
	t.Helper()
	wantTraffic(t, d, traffic{Launches: 1, Allocs: 1, AllocBytes: int64(len(want) * driver.SizeOf[T]())}, func() {
		x := compute()
		ok(t, x.Wait())
		x.Free()
	})
	x := compute()
	expect(t, x, want)
	x.Free()
}

func testTraffic(t *testing.T, d *devices.Device) {
	const n, rows, cols = 100_000, 100, 1000
	a := floats(n)
	b := reversed(a)
	va, vb := put(t, d, a), put(t, d, b)
	total := func(x *vector.Vector[float32]) *vector.Vector[float32] { return sums32.reduce.Apply(x).Vector() }
	t.Run("dot", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(timesAll.Apply(va, vb)) },
			[]float32{Reduce(apply2(times, a, b), plus[float32], 0)})
	})
	t.Run("asum", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(magnitudes.Apply(va)) },
			[]float32{Reduce(apply(magnitude, a), plus[float32], 0)})
	})
	t.Run("nrm2", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(squares.Apply(va)) },
			[]float32{Reduce(apply(square, a), plus[float32], 0)})
	})
	t.Run("variance", func(t *testing.T) {
		want := Reduce(apply(momentsOf, a), together, moments{})
		onePass(t, d, func() *vector.Vector[moments] { return allMoments.Apply(momentsAt.Apply(va)).Vector() },
			[]moments{want})
	})
	t.Run("five maps", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			return squares.Apply(narrowedAll.Apply(widenedAll.Apply(addOnes.Apply(magnitudes.Apply(va)))))
		}, apply(square, apply(narrowed, apply(widened, apply(addOne, apply(magnitude, a))))))
	})
	t.Run("five maps into a reduction", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			return total(squares.Apply(narrowedAll.Apply(widenedAll.Apply(addOnes.Apply(magnitudes.Apply(va))))))
		}, []float32{Reduce(apply(square, apply(narrowed, apply(widened, apply(addOne, apply(magnitude, a))))),
			plus[float32], 0)})
	})
	t.Run("into memory that is there", func(t *testing.T) {
		x := put(t, d, a)
		wantTraffic(t, d, traffic{Launches: 2}, func() {
			ok(t, squares.ApplyTo(x, addOnes.Apply(va)))
			ok(t, timesAll.ApplyTo(x, x, addOnes.Apply(vb)))
		})
	})
	t.Run("indices", func(t *testing.T) { indexTraffic(t, d, va, a) })
	t.Run("rows", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			return sums32.reduce.Rows(timesAll.ApplyMatrix(reshape(va, rows, cols), reshape(vb, rows, cols)))
		}, Rows(apply2(times, a, b), rows, cols, plus[float32], 0))
	})
	t.Run("by key", func(t *testing.T) { // few enough elements for one block
		from := generate(500, lasts.element)
		x, keys := put(t, d, a[:500]), put(t, d, from)
		onePass(t, d, func() *vector.Vector[float32] {
			return sums32.reduce.ByKey(squares.Apply(x), buckets.Apply(keys), 8)
		}, ByKey(apply(square, a[:500]), apply(lowBits, from), 8, plus[float32], 0))
	})
	t.Run("scan", func(t *testing.T) {
		if info := d.Info(); !info.Progress || info.Kind == driver.CPU {
			t.Skip("a scan in one pass needs a GPU whose groups make progress")
		}
		onePass(t, d, func() *vector.Vector[float32] { return sums32.scan.Inclusive(squares.Apply(va)) },
			Scan(apply(square, a), plus[float32]))
		onePass(t, d, func() *vector.Vector[float32] { return sums32.scan.Exclusive(timesAll.Apply(va, vb)) },
			ScanExclusive(apply2(times, a, b), plus[float32], 0))
	})
	t.Run("same as without a map", func(t *testing.T) { asPlain(t, d, va, vb) })
	t.Run("loop", func(t *testing.T) {
		x := put(t, d, a)
		loop := record(t, func() error {
			products := timesAll.Apply(x, vb)
			by := total(products)
			products.Free() // otherwise they are materialized before x changes
			return timesFirsts.With(by.View()).ApplyTo(x, addOnes.Apply(va))
		})
		wantTraffic(t, d, traffic{Launches: 20}, func() { ok(t, loop.Run(10)) })
	})
}

// indexTraffic tests computations over indices, which read no memory or one vector only.
func indexTraffic(t *testing.T, d *devices.Device, va *vector.Vector[float32], a []float32) {
	n, on := len(a), vector.Single(d)
	onePass(t, d, func() *vector.Vector[int64] { return cubes.Apply(vector.Indices(n, on)) }, apply(cube, upTo(n)))
	onePass(t, d, func() *vector.Vector[int64] {
		return sumsInt64.Apply(cubes.Apply(vector.Indices(n, on))).Vector()
	}, []int64{Reduce(apply(cube, upTo(n)), plus[int64], 0)})
	onePass(t, d, func() *vector.Vector[float32] {
		return sums32.reduce.Apply(shifted.Apply(vector.Indices(n, on), va)).Vector()
	}, []float32{Reduce(apply2(plusIndex, upTo(n), a), plus[float32], 0)})
	at := generate(50*700, func(_ *dice, i int) int { return place(matrix.Index{Row: i / 700, Col: i % 700}) })
	onePass(t, d, func() *vector.Vector[int] {
		return sumsInt.Rows(places.ApplyMatrix(matrix.Indices(50, 700, on)))
	}, Rows(at, 50, 700, plus[int], 0))
}

// asPlain tests consumers that need more than one launch, or memory of their own. An expression as
// their input must cost the same as a vector in memory.
func asPlain(t *testing.T, d *devices.Device, va, vb *vector.Vector[float32]) {
	n := va.Len()
	rows, cols := n/25, 25
	settled := timesAll.Apply(va, vb)
	ok(t, settled.Wait())
	t.Cleanup(settled.Free)
	from := put(t, d, generate(n, lasts.element))
	keys := buckets.Apply(from)
	ok(t, keys.Wait())
	t.Cleanup(keys.Free)
	offsets := put(t, d, []int{0, 10, 10, 6000, n})
	consumers := map[string]func(x source, m matrixSource, k *vector.Vector[int32]) *vector.Vector[float32]{
		"columns": func(_ source, m matrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.reduce.Cols(m)
		},
		"segments": func(x source, _ matrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.reduce.Segments(x, offsets)
		},
		"by key": func(x source, _ matrixSource, k *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.reduce.ByKey(x, k, 8)
		},
		"scan": func(x source, _ matrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.scan.Inclusive(x)
		},
		"exclusive scan": func(x source, _ matrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.scan.Exclusive(x)
		},
		"scan of rows": func(_ source, m matrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return sums32.scan.InclusiveRows(m).Vector()
		},
	}
	for name, consume := range consumers {
		t.Run(name, func(t *testing.T) {
			skipBuilds(t, d)
			cost := func(x func() *vector.Vector[float32], k func() *vector.Vector[int32]) traffic {
				return trafficOf(t, d, func() {
					y := consume(x(), reshape(x(), rows, cols), k())
					ok(t, y.Wait())
					y.Free()
				})
			}
			plain := cost(func() *vector.Vector[float32] { return settled },
				func() *vector.Vector[int32] { return keys })
			fused := cost(func() *vector.Vector[float32] { return timesAll.Apply(va, vb) },
				func() *vector.Vector[int32] { return buckets.Apply(from) })
			if diff := cmp.Diff(plain, fused); diff != "" || plain.Uploads+plain.Downloads+plain.Copies > 0 {
				t.Errorf("cost of a vector in memory %+v; difference (-in memory +expression):\n%s", plain, diff)
			}
		})
	}
}
