package elementwise

import (
	"errors"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func plusFirst(x, y float32, v vector.View[float32]) float32 { return x + y + v.At(v.Len()) }

// plusWithin uses the sum as an index into v.
func plusWithin(x, y int32, v vector.View[int32]) int32 { return x + y + v.At(int(x+y)) }

var (
	badReduce  = skel.NewReduceWith(plusFirst, 0)
	badScan    = skel.NewScanWith(plusFirst, 0)
	scanWithin = skel.NewScanWith(plusWithin, 0)
)

func testErrors(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	first := errors.New("the first error")
	t.Run("errors stick", func(t *testing.T) {
		good := kit.Put(t, d, kit.Floats(100))
		for name, result := range afterError(kit.FailedVector[float32](100, first), good, on) {
			if err := result(); !errors.Is(err, first) {
				t.Errorf("%s: error %v, want %q", name, err, first)
			}
		}
		kit.Expect(t, good, kit.Floats(100))
	})
	t.Run("shapes that are too large", func(t *testing.T) {
		const large = 1 << 33
		m, index := matrix.New[float32](large, large, on), matrix.Indices(large, large, on)
		tall, wide := matrix.New[float32](large, 0, on), matrix.New[float32](0, large, on)
		for name, err := range kit.Ordered(map[string]error{
			"map":                kit.Squares.ApplyMatrix(m).Err(),
			"map of indices":     kit.Places.ApplyMatrix(index).Wait(),
			"zip":                kit.SumPairs.ApplyMatrix(m, m).Wait(),
			"map into":           kit.Squares.ApplyMatrixTo(m, m),
			"void":               kit.Mirrors.With(matrix.New[int](1, 1, on).OutView()).ApplyMatrix(index),
			"view":               kit.Transposes.With(m.View()).ApplyMatrix(matrix.Indices(2, 2, on)).Wait(),
			"stencil":            kit.HeatStep.Apply(m).Wait(),
			"reduce":             kit.Sums32.Reduce.ApplyMatrix(m).Vector().Wait(),
			"reduce rows":        kit.Sums32.Reduce.Rows(m).Wait(),
			"reduce columns":     kit.Sums32.Reduce.Cols(m).Wait(),
			"reduce by key":      kit.Sums32.Reduce.RowsByKey(wide, vector.New[int32](0, on), large).Wait(),
			"reduce indices":     kit.SumsInt.ApplyMatrix(kit.Places.ApplyMatrix(index)).Vector().Wait(),
			"scan rows":          kit.Sums32.Scan.InclusiveRows(m).Wait(),
			"scan":               kit.Sums32.Scan.Inclusive(m.Vector()).Wait(),
			"all pairs":          kit.MatProducts.Apply(tall, tall).Wait(),
			"all pairs, columns": kit.MatProducts.ApplyCols(tall, wide).Wait(),
			"wavefront":          kit.Paths.With(kit.Put(t, d, []int64{3}).View()).Apply(large, large).Wait(),
			"copy":               m.Clone().Err(),
		}) {
			if err == nil || !strings.Contains(err.Error(), "than an int can count") {
				t.Errorf("%s: error %v, want one with %q", name, err, "than an int can count")
			}
		}
	})
	t.Run("out of memory", func(t *testing.T) {
		const size = 1 << 50
		huge := vector.New[float32](size, on)
		var memory *devices.MemoryError
		if err := huge.Err(); !errors.As(err, &memory) {
			t.Fatalf("error %v, want a MemoryError", err)
		}
		if memory.Asked != 4*size || !strings.Contains(memory.Error(), "4 PiB") {
			t.Errorf("error %q does not say that 4 PiB were asked for", memory)
		}
		_, err := kit.Sums32.Reduce.Apply(kit.Squares.Apply(huge)).Value()
		if !errors.Is(err, memory) {
			t.Errorf("the sum's error = %v, want %v", err, memory)
		}
		lazy := kit.Cubes.Apply(vector.Indices(size, on)) // fails when it is computed
		if err := lazy.Wait(); !errors.As(err, &memory) {
			t.Errorf("Wait: error %v, want a MemoryError", err)
		}
		if err := lazy.Err(); !errors.As(err, &memory) {
			t.Errorf("Err after Wait: %v, want the same MemoryError", err)
		}
	})
	t.Run("bad index", func(t *testing.T) {
		v := kit.Put(t, d, kit.Floats(100))
		kit.Checked(d, func() {
			bad := kit.Beyonds.With(v.View()).Apply(vector.Indices(100, on))
			_, err := kit.Sums32.Reduce.Apply(kit.Squares.Apply(bad)).Value()
			kit.BadIndex(t, err, "index 100 out of range [0, 100) in kit.Beyond, called by Reduce(kit.Plus[...])")
			_, err = kit.Sums32.Reduce.Apply(bad).Value()
			kit.BadIndex(t, err, "100")
			_, err = badReduce.With(v.View()).Apply(v).Value()
			kit.BadIndex(t, err, "index 100 out of range [0, 100) in Reduce(elementwise.plusFirst)")
			// A Map that is not fused with a reduction: alone, and after another function.
			err = kit.Beyonds.With(v.View()).Apply(vector.Indices(100, on)).Wait()
			kit.BadIndex(t, err, "index 100 out of range [0, 100) in Map(kit.Beyond)")
			err = kit.Squares.Apply(kit.Beyonds.With(v.View()).Apply(vector.Indices(100, on))).Wait()
			kit.BadIndex(t, err, "index 100 out of range [0, 100) in kit.Beyond, called by Map(kit.Square)")
			err = leaps.Apply(v).Wait()
			kit.BadIndex(t, err, "window index 2 beyond the radius 1 in MapOverlap(elementwise.tooFar)")
			_, err = badScan.With(v.View()).Inclusive(v).Host()
			kit.BadIndex(t, err, "100")
			ones, zeros := vector.New[int32](4*kit.TileSize, on), vector.New[int32](kit.TileSize+1, on)
			kit.OK(t, kit.VisitAll.With(kit.Visits{ones.OutView(), 0}).Apply(vector.Indices(ones.Len(), on)))
			// Only prefixes of two or more tiles are bad indices. Which one is found first depends on timing.
			_, err = scanWithin.With(zeros.View()).Inclusive(ones).Host()
			kit.BadIndex(t, err, "4097)")
			to, x := vector.From([]int32{100_000}, on), vector.From([]float32{1}, on)
			kit.BadIndex(t, kit.ScatterAll.With(v.OutView()).Apply(to, x), "100000")
		})
		w := kit.Put(t, d, kit.Floats(100)) // the device still works
		kit.Expect(t, kit.Squares.Apply(w), kit.Apply(kit.Square, kit.Floats(100)))
	})
	t.Run("an empty view", func(t *testing.T) {
		var none vector.View[float32]
		err := kit.Flips.With(none).Apply(vector.Indices(3, on)).Wait()
		if err == nil || !strings.Contains(err.Error(), "skel") {
			t.Errorf("error %v, want one from skel", err)
		}
	})
	t.Run("offsets out of range are clamped", func(t *testing.T) {
		s := kit.Floats(10)
		v := kit.Put(t, d, s)
		got := kit.Sums32.Reduce.Segments(v, kit.Put(t, d, []int{-5, 3, 7, 1 << 40}))
		kit.Expect(t, got, kit.Segments(s, []int{0, 3, 7, 10}, kit.Plus[float32], 0))
		got = kit.Sums32.Reduce.Segments(v, kit.Put(t, d, []int{2, 7, 5, 10})) // the second segment is empty
		kit.Expect(t, got, []float32{kit.Reduce(s[2:7], kit.Plus[float32], 0), 0,
			kit.Reduce(s[5:], kit.Plus[float32], 0)})
	})
	t.Run("two devices", func(t *testing.T) {
		other := kit.Another(t, d)
		a, b := kit.Put(t, d, kit.Floats(10)), kit.Put(t, other, kit.Floats(10))
		got := kit.Differences.Apply(a, b) // b is copied to the device of a
		kit.Expect(t, got, make([]float32, 10))
		if got.Device() != d {
			t.Errorf("the result is on %v, want %v", got.Device(), d)
		}
	})
}

// afterError returns every operation whose result must carry the error of the container bad.
func afterError(bad, good *vector.Vector[float32], on vector.Distribution) map[string]func() error {
	n := good.Len()
	index := vector.Indices(n, on)
	square := matrix.Of(bad, 10, n/10)
	offsets, keys := vector.From([]int{0, n}, on), vector.New[int32](n, on)
	whole := func(v *vector.Vector[float32]) func() error {
		return func() error { _, err := v.Host(); return err }
	}
	return map[string]func() error{
		"Wait":        bad.Wait,
		"At":          func() error { _, err := bad.At(1); return err },
		"Host":        whole(bad),
		"Set":         func() error { return bad.Set(0, 1) },
		"Clone":       whole(bad.Clone()),
		"Map":         whole(kit.Squares.Apply(bad)),
		"Map matrix":  kit.Squares.ApplyMatrix(square).Wait,
		"Map to":      func() error { return kit.Squares.ApplyTo(vector.New[float32](n, on), bad) },
		"MapWith":     whole(kit.Scales.With(2).Apply(bad)),
		"view":        whole(kit.Flips.With(bad.View()).Apply(index)),
		"matrix view": kit.Transposes.With(square.View()).ApplyMatrix(matrix.Indices(2, 2, on)).Wait,
		"MapVoid": func() error {
			return turnsOver.With(fromTo{bad.View(), vector.New[float32](n, on).OutView()}).Apply(index)
		},
		"out-view":  func() error { return turnsOver.With(fromTo{good.View(), bad.OutView()}).Apply(index) },
		"Zip left":  whole(kit.Differences.Apply(bad, good)),
		"Zip right": whole(kit.Differences.Apply(good, bad)),
		"Zip deep": whole(kit.Differences.Apply(kit.Squares.Apply(good),
			kit.AddOnes.Apply(kit.Squares.Apply(bad)))),
		"Zip both": whole(kit.Differences.Apply(bad,
			kit.FailedVector[float32](n, errors.New("the second error")))),
		"Reduce":        func() error { _, err := kit.Sums32.Reduce.Apply(bad).Value(); return err },
		"Reduce vector": whole(kit.Squares.Apply(kit.Sums32.Reduce.Apply(bad).Vector())),
		"Rows":          whole(kit.Sums32.Reduce.Rows(square)),
		"Cols":          whole(kit.Sums32.Reduce.Cols(square)),
		"Segments":      whole(kit.Sums32.Reduce.Segments(bad, offsets)),
		"ByKey":         whole(kit.Sums32.Reduce.ByKey(bad, keys, 3)),
		"RowsByKey":     kit.Sums32.Reduce.RowsByKey(square, vector.New[int32](10, on), 3).Wait,
		"Scan":          whole(kit.Sums32.Scan.Inclusive(bad)),
		"Exclusive":     whole(kit.Sums32.Scan.Exclusive(bad)),
		"Scan rows":     kit.Sums32.Scan.InclusiveRows(square).Wait,
		"Scan segments": whole(kit.Sums32.Scan.ExclusiveSegments(bad, offsets)),
		"Scan to":       func() error { return kit.Sums32.Scan.InclusiveTo(vector.New[float32](n, on), bad) },
		"bad output":    func() error { return kit.Squares.ApplyTo(bad, good) },
		"extra of scan": whole(biasedScan.With(bad.View()).Inclusive(good)),
		"long way round": func() error {
			_, err := kit.Sums32.Reduce.Apply(kit.Sums32.Scan.Inclusive(kit.Squares.Apply(bad))).Value()
			return err
		},
	}
}
