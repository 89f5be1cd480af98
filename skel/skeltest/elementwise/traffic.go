package elementwise

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
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

var (
	magnitudes = skel.NewMap(magnitude)
	momentsAt  = skel.NewMap(momentsOf)
	allMoments = skel.NewReduce(together, moments{})
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
	kit.OK(t, d.Sync())
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
		kit.OK(t, x.Wait())
		x.Free()
	})
	x := compute()
	kit.Expect(t, x, want)
	x.Free()
}

func testTraffic(t *testing.T, d *devices.Device) {
	const n, rows, cols = 100_000, 100, 1000
	a := kit.Floats(n)
	b := kit.Reversed(a)
	va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
	total := func(x *vector.Vector[float32]) *vector.Vector[float32] { return kit.Sums32.Reduce.Apply(x).Vector() }
	t.Run("dot", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(kit.TimesAll.Apply(va, vb)) },
			[]float32{kit.Reduce(kit.Apply2(kit.Times, a, b), kit.Plus[float32], 0)})
	})
	t.Run("asum", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(magnitudes.Apply(va)) },
			[]float32{kit.Reduce(kit.Apply(magnitude, a), kit.Plus[float32], 0)})
	})
	t.Run("nrm2", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] { return total(kit.Squares.Apply(va)) },
			[]float32{kit.Reduce(kit.Apply(kit.Square, a), kit.Plus[float32], 0)})
	})
	t.Run("variance", func(t *testing.T) {
		want := kit.Reduce(kit.Apply(momentsOf, a), together, moments{})
		onePass(t, d, func() *vector.Vector[moments] { return allMoments.Apply(momentsAt.Apply(va)).Vector() },
			[]moments{want})
	})
	t.Run("five maps", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			y := kit.WidenedAll.Apply(kit.AddOnes.Apply(magnitudes.Apply(va)))
			return kit.Squares.Apply(kit.NarrowedAll.Apply(y))
		}, kit.Apply(kit.Square, kit.Apply(kit.Narrowed,
			kit.Apply(kit.Widened, kit.Apply(kit.AddOne, kit.Apply(magnitude, a))))))
	})
	t.Run("five maps into a reduction", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			y := kit.WidenedAll.Apply(kit.AddOnes.Apply(magnitudes.Apply(va)))
			return total(kit.Squares.Apply(kit.NarrowedAll.Apply(y)))
		}, []float32{kit.Reduce(kit.Apply(kit.Square,
			kit.Apply(kit.Narrowed, kit.Apply(kit.Widened, kit.Apply(kit.AddOne, kit.Apply(magnitude, a))))),
			kit.Plus[float32], 0)})
	})
	t.Run("into memory that is there", func(t *testing.T) {
		x := kit.Put(t, d, a)
		wantTraffic(t, d, traffic{Launches: 2}, func() {
			kit.OK(t, kit.Squares.ApplyTo(x, kit.AddOnes.Apply(va)))
			kit.OK(t, kit.TimesAll.ApplyTo(x, x, kit.AddOnes.Apply(vb)))
		})
	})
	t.Run("indices", func(t *testing.T) { indexTraffic(t, d, va, a) })
	t.Run("rows", func(t *testing.T) {
		onePass(t, d, func() *vector.Vector[float32] {
			return kit.Sums32.Reduce.Rows(kit.TimesAll.ApplyMatrix(kit.Reshape(va, rows, cols),
				kit.Reshape(vb, rows, cols)))
		}, kit.Rows(kit.Apply2(kit.Times, a, b), rows, cols, kit.Plus[float32], 0))
	})
	t.Run("by key", func(t *testing.T) { // few enough elements for one block
		from := kit.Generate(500, kit.Lasts.Element)
		x, keys := kit.Put(t, d, a[:500]), kit.Put(t, d, from)
		onePass(t, d, func() *vector.Vector[float32] {
			return kit.Sums32.Reduce.ByKey(kit.Squares.Apply(x), kit.Buckets.Apply(keys), 8)
		}, kit.ByKey(kit.Apply(kit.Square, a[:500]), kit.Apply(kit.LowBits, from), 8, kit.Plus[float32], 0))
	})
	t.Run("scan", func(t *testing.T) {
		if !scansInOnePass(d) {
			t.Skip("a scan in one pass needs a GPU whose groups make progress, and local memory for two tiles")
		}
		onePass(t, d, func() *vector.Vector[float32] { return kit.Sums32.Scan.Inclusive(kit.Squares.Apply(va)) },
			kit.Scan(kit.Apply(kit.Square, a), kit.Plus[float32]))
		onePass(t, d, func() *vector.Vector[float32] { return kit.Sums32.Scan.Exclusive(kit.TimesAll.Apply(va, vb)) },
			kit.ScanExclusive(kit.Apply2(kit.Times, a, b), kit.Plus[float32], 0))
	})
	t.Run("same as without a map", func(t *testing.T) { asPlain(t, d, va, vb) })
	t.Run("loop", func(t *testing.T) {
		x := kit.Put(t, d, a)
		loop := kit.Record(t, func() error {
			products := kit.TimesAll.Apply(x, vb)
			by := total(products)
			products.Free() // otherwise they are materialized before x changes
			return timesFirsts.With(by.View()).ApplyTo(x, kit.AddOnes.Apply(va))
		})
		wantTraffic(t, d, traffic{Launches: 20}, func() { kit.OK(t, loop.Run(10)) })
	})
}

// indexTraffic tests computations over indices, which read no memory or one vector only.
func indexTraffic(t *testing.T, d *devices.Device, va *vector.Vector[float32], a []float32) {
	n, on := len(a), vector.Single(d)
	onePass(t, d, func() *vector.Vector[int64] { return kit.Cubes.Apply(vector.Indices(n, on)) },
		kit.Apply(kit.Cube, kit.UpTo(n)))
	onePass(t, d, func() *vector.Vector[int64] {
		return kit.SumsInt64.Apply(kit.Cubes.Apply(vector.Indices(n, on))).Vector()
	}, []int64{kit.Reduce(kit.Apply(kit.Cube, kit.UpTo(n)), kit.Plus[int64], 0)})
	onePass(t, d, func() *vector.Vector[float32] {
		return kit.Sums32.Reduce.Apply(kit.Shifted.Apply(vector.Indices(n, on), va)).Vector()
	}, []float32{kit.Reduce(kit.Apply2(kit.PlusIndex, kit.UpTo(n), a), kit.Plus[float32], 0)})
	at := kit.Generate(50*700, func(_ *kit.Dice,
		i int) int {
		return kit.Place(matrix.Index{Row: i / 700, Col: i % 700})
	})
	onePass(t, d, func() *vector.Vector[int] {
		return kit.SumsInt.Rows(kit.Places.ApplyMatrix(matrix.Indices(50, 700, on)))
	}, kit.Rows(at, 50, 700, kit.Plus[int], 0))
}

// scansInOnePass reports whether d scans the product of two vectors of float32 in one pass. NVIDIA's OpenCL gives a
// group 48 KiB of local memory, which is too little.
func scansInOnePass(d *devices.Device) bool {
	info := d.Info()
	return info.Kind != driver.CPU && info.Progress && info.LocalMemory >= 68<<10
}

// asPlain tests consumers that need more than one launch, or memory of their own. An expression as
// their input must cost the same as a vector in memory.
func asPlain(t *testing.T, d *devices.Device, va, vb *vector.Vector[float32]) {
	n := va.Len()
	rows, cols := n/25, 25
	settled := kit.TimesAll.Apply(va, vb)
	kit.OK(t, settled.Wait())
	t.Cleanup(settled.Free)
	from := kit.Put(t, d, kit.Generate(n, kit.Lasts.Element))
	keys := kit.Buckets.Apply(from)
	kit.OK(t, keys.Wait())
	t.Cleanup(keys.Free)
	offsets := kit.Put(t, d, []int{0, 10, 10, 6000, n})
	consumers := map[string]func(x kit.Source, m kit.MatrixSource, k *vector.Vector[int32]) *vector.Vector[float32]{
		"columns": func(_ kit.Source, m kit.MatrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Reduce.Cols(m)
		},
		"segments": func(x kit.Source, _ kit.MatrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Reduce.Segments(x, offsets)
		},
		"by key": func(x kit.Source, _ kit.MatrixSource, k *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Reduce.ByKey(x, k, 8)
		},
		"scan": func(x kit.Source, _ kit.MatrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Scan.Inclusive(x)
		},
		"exclusive scan": func(x kit.Source, _ kit.MatrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Scan.Exclusive(x)
		},
		"scan of rows": func(_ kit.Source, m kit.MatrixSource, _ *vector.Vector[int32]) *vector.Vector[float32] {
			return kit.Sums32.Scan.InclusiveRows(m).Vector()
		},
	}
	for name, consume := range consumers {
		t.Run(name, func(t *testing.T) {
			kit.SkipBuilds(t, d)
			if strings.HasSuffix(name, "scan") && d.Kind() == driver.GPU && !scansInOnePass(d) {
				t.Skip("only the scan of a vector in memory takes one pass")
			}
			cost := func(x func() *vector.Vector[float32], k func() *vector.Vector[int32]) traffic {
				return trafficOf(t, d, func() {
					y := consume(x(), kit.Reshape(x(), rows, cols), k())
					kit.OK(t, y.Wait())
					y.Free()
				})
			}
			plain := cost(func() *vector.Vector[float32] { return settled },
				func() *vector.Vector[int32] { return keys })
			fused := cost(func() *vector.Vector[float32] { return kit.TimesAll.Apply(va, vb) },
				func() *vector.Vector[int32] { return kit.Buckets.Apply(from) })
			if diff := cmp.Diff(plain, fused); diff != "" || plain.Uploads+plain.Downloads+plain.Copies > 0 {
				t.Errorf("cost of a vector in memory %+v; difference (-in memory +expression):\n%s", plain, diff)
			}
		})
	}
}
