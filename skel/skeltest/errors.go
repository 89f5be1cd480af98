package skeltest

import (
	"errors"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func beyond(i int, v vector.View[float32]) float32 { return v.At(i + 1) }

func plusFirst(x, y float32, v vector.View[float32]) float32 { return x + y + v.At(v.Len()) }

// plusWithin uses the sum as an index into v.
func plusWithin(x, y int32, v vector.View[int32]) int32 { return x + y + v.At(int(x+y)) }

var (
	beyonds    = skel.NewMapWith(beyond)
	badReduce  = skel.NewReduceWith(plusFirst, 0)
	badScan    = skel.NewScanWith(plusFirst, 0)
	scanWithin = skel.NewScanWith(plusWithin, 0)
)

// checked runs f in checked mode. The native device finds bad indices without
// it, other devices do not.
func checked(d *devices.Device, f func()) {
	for _, each := range home(d).Devices() {
		old := each.Checked()
		each.SetChecked(true)
		defer each.SetChecked(old)
	}
	f()
}

func testErrors(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	first := errors.New("the first error")
	t.Run("errors stick", func(t *testing.T) {
		good := put(t, d, floats(100))
		for name, result := range afterError(failedVector[float32](100, first), good, on) {
			if err := result(); !errors.Is(err, first) {
				t.Errorf("%s: error %v, want %q", name, err, first)
			}
		}
		expect(t, good, floats(100))
	})
	t.Run("shapes that are too large", func(t *testing.T) {
		const large = 1 << 33
		m, index := matrix.New[float32](large, large, on), matrix.Indices(large, large, on)
		tall, wide := matrix.New[float32](large, 0, on), matrix.New[float32](0, large, on)
		for name, err := range map[string]error{
			"map":                squares.ApplyMatrix(m).Err(),
			"map of indices":     places.ApplyMatrix(index).Wait(),
			"zip":                sumPairs.ApplyMatrix(m, m).Wait(),
			"map into":           squares.ApplyMatrixTo(m, m),
			"void":               mirrors.With(matrix.New[int](1, 1, on).OutView()).ApplyMatrix(index),
			"view":               transposes.With(m.View()).ApplyMatrix(matrix.Indices(2, 2, on)).Wait(),
			"stencil":            heatStep.Apply(m).Wait(),
			"reduce":             sums32.reduce.ApplyMatrix(m).Vector().Wait(),
			"reduce rows":        sums32.reduce.Rows(m).Wait(),
			"reduce columns":     sums32.reduce.Cols(m).Wait(),
			"reduce by key":      sums32.reduce.RowsByKey(wide, vector.New[int32](0, on), large).Wait(),
			"reduce indices":     sumsInt.ApplyMatrix(places.ApplyMatrix(index)).Vector().Wait(),
			"scan rows":          sums32.scan.InclusiveRows(m).Wait(),
			"scan":               sums32.scan.Inclusive(m.Vector()).Wait(),
			"all pairs":          matProducts.Apply(tall, tall).Wait(),
			"all pairs, columns": matProducts.ApplyCols(tall, wide).Wait(),
			"wavefront":          paths.With(put(t, d, []int64{3}).View()).Apply(large, large).Wait(),
			"copy":               m.Clone().Err(),
		} {
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
		_, err := sums32.reduce.Apply(squares.Apply(huge)).Value()
		if !errors.Is(err, memory) {
			t.Errorf("the sum's error = %v, want %v", err, memory)
		}
		lazy := cubes.Apply(vector.Indices(size, on)) // fails when it is computed
		if err := lazy.Wait(); !errors.As(err, &memory) {
			t.Errorf("Wait: error %v, want a MemoryError", err)
		}
		if err := lazy.Err(); !errors.As(err, &memory) {
			t.Errorf("Err after Wait: %v, want the same MemoryError", err)
		}
	})
	t.Run("bad index", func(t *testing.T) {
		v := put(t, d, floats(100))
		checked(d, func() {
			bad := beyonds.With(v.View()).Apply(vector.Indices(100, on))
			_, err := sums32.reduce.Apply(squares.Apply(bad)).Value()
			badIndex(t, err, "index 100 out of range [0, 100) in skeltest.beyond, called by Reduce(skeltest.plus[...])")
			_, err = sums32.reduce.Apply(bad).Value()
			badIndex(t, err, "100")
			_, err = badReduce.With(v.View()).Apply(v).Value()
			badIndex(t, err, "index 100 out of range [0, 100) in Reduce(skeltest.plusFirst)")
			// A Map that is not fused with a reduction: alone, and after another function.
			err = beyonds.With(v.View()).Apply(vector.Indices(100, on)).Wait()
			badIndex(t, err, "index 100 out of range [0, 100) in Map(skeltest.beyond)")
			err = squares.Apply(beyonds.With(v.View()).Apply(vector.Indices(100, on))).Wait()
			badIndex(t, err, "index 100 out of range [0, 100) in skeltest.beyond, called by Map(skeltest.square)")
			err = leaps.Apply(v).Wait()
			badIndex(t, err, "window index 2 beyond the radius 1 in MapOverlap(skeltest.tooFar)")
			_, err = badScan.With(v.View()).Inclusive(v).Host()
			badIndex(t, err, "100")
			ones, zeros := vector.New[int32](4*tileSize, on), vector.New[int32](tileSize+1, on)
			ok(t, visitAll.With(visits{ones.OutView(), 0}).Apply(vector.Indices(ones.Len(), on)))
			// Only prefixes of two or more tiles are bad indices. Which one is found first depends on timing.
			_, err = scanWithin.With(zeros.View()).Inclusive(ones).Host()
			badIndex(t, err, "4097)")
			to, x := vector.From([]int32{100_000}, on), vector.From([]float32{1}, on)
			badIndex(t, scatterAll.With(v.OutView()).Apply(to, x), "100000")
		})
		w := put(t, d, floats(100)) // the device still works
		expect(t, squares.Apply(w), apply(square, floats(100)))
	})
	t.Run("an empty view", func(t *testing.T) {
		var none vector.View[float32]
		err := flips.With(none).Apply(vector.Indices(3, on)).Wait()
		if err == nil || !strings.Contains(err.Error(), "skel") {
			t.Errorf("error %v, want one from skel", err)
		}
	})
	t.Run("offsets out of range are clamped", func(t *testing.T) {
		s := floats(10)
		v := put(t, d, s)
		got := sums32.reduce.Segments(v, put(t, d, []int{-5, 3, 7, 1 << 40}))
		expect(t, got, Segments(s, []int{0, 3, 7, 10}, plus[float32], 0))
		got = sums32.reduce.Segments(v, put(t, d, []int{2, 7, 5, 10})) // the second segment is empty
		expect(t, got, []float32{Reduce(s[2:7], plus[float32], 0), 0, Reduce(s[5:], plus[float32], 0)})
	})
	t.Run("two devices", func(t *testing.T) {
		other := another(t, d)
		a, b := put(t, d, floats(10)), put(t, other, floats(10))
		got := differences.Apply(a, b) // b is copied to the device of a
		expect(t, got, make([]float32, 10))
		if got.Device() != d {
			t.Errorf("the result is on %v, want %v", got.Device(), d)
		}
	})
}

// badIndex checks that an error names a Go line and contains the text index.
func badIndex(t *testing.T, err error, index string) {
	t.Helper()
	if err == nil {
		t.Error("no error for a bad index")
		return
	}
	if s := err.Error(); !strings.Contains(s, ".go:") || !strings.Contains(s, index) {
		t.Errorf("error %q does not name the Go line and %s", err, index)
	}
}

// another returns a device other than d, or skips the test.
func another(t *testing.T, d *devices.Device) *devices.Device {
	t.Helper()
	all, err := devices.List()
	ok(t, err)
	for _, o := range all {
		if o != d {
			return o
		}
	}
	t.Skip("there is only one device")
	return nil
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
		"Map":         whole(squares.Apply(bad)),
		"Map matrix":  squares.ApplyMatrix(square).Wait,
		"Map to":      func() error { return squares.ApplyTo(vector.New[float32](n, on), bad) },
		"MapWith":     whole(scales.With(2).Apply(bad)),
		"view":        whole(flips.With(bad.View()).Apply(index)),
		"matrix view": transposes.With(square.View()).ApplyMatrix(matrix.Indices(2, 2, on)).Wait,
		"MapVoid": func() error {
			return turnsOver.With(fromTo{bad.View(), vector.New[float32](n, on).OutView()}).Apply(index)
		},
		"out-view":      func() error { return turnsOver.With(fromTo{good.View(), bad.OutView()}).Apply(index) },
		"Zip left":      whole(differences.Apply(bad, good)),
		"Zip right":     whole(differences.Apply(good, bad)),
		"Zip deep":      whole(differences.Apply(squares.Apply(good), addOnes.Apply(squares.Apply(bad)))),
		"Zip both":      whole(differences.Apply(bad, failedVector[float32](n, errors.New("the second error")))),
		"Reduce":        func() error { _, err := sums32.reduce.Apply(bad).Value(); return err },
		"Reduce vector": whole(squares.Apply(sums32.reduce.Apply(bad).Vector())),
		"Rows":          whole(sums32.reduce.Rows(square)),
		"Cols":          whole(sums32.reduce.Cols(square)),
		"Segments":      whole(sums32.reduce.Segments(bad, offsets)),
		"ByKey":         whole(sums32.reduce.ByKey(bad, keys, 3)),
		"RowsByKey":     sums32.reduce.RowsByKey(square, vector.New[int32](10, on), 3).Wait,
		"Scan":          whole(sums32.scan.Inclusive(bad)),
		"Exclusive":     whole(sums32.scan.Exclusive(bad)),
		"Scan rows":     sums32.scan.InclusiveRows(square).Wait,
		"Scan segments": whole(sums32.scan.ExclusiveSegments(bad, offsets)),
		"Scan to":       func() error { return sums32.scan.InclusiveTo(vector.New[float32](n, on), bad) },
		"bad output":    func() error { return squares.ApplyTo(bad, good) },
		"extra of scan": whole(biasedScan.With(bad.View()).Inclusive(good)),
		"long way round": func() error {
			_, err := sums32.reduce.Apply(sums32.scan.Inclusive(squares.Apply(bad))).Value()
			return err
		},
	}
}

// failedVector returns a vector of n elements that could not be computed.
func failedVector[T any](n int, err error) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Failed[T](n, err))
}
