package rng_test

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// source has a seed and a stream with bits in all words.
var source = rng.Source{Seed: 0x0123456789abcdef, Stream: 0xfedcba9876543210}

// lengths are around those at which a work-item of a GPU computes several elements, and
// around the size of a group.
var lengths = []int{0, 1, 2, 3, 5, 1023, 1024, 1025, 4099, 20_000}

// same compares a vector with f, bit by bit.
func same[T comparable](t *testing.T, name string, v *vector.Vector[T], f func(i int) T) {
	t.Helper()
	defer v.Free()
	got, err := v.Host()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, x := range got {
		if want := f(i); x != want {
			t.Errorf("%s: element %d of %d is %v, want %v", name, i, len(got), x, want)
			return
		}
	}
}

// vectors compares all vectors of n elements with the functions.
func vectors(t *testing.T, n int, float64s bool, where ...vector.Distribution) {
	t.Helper()
	seed, stream := source.Seed, source.Stream
	same(t, "Uint32", source.Uint32(n, where...), func(i int) uint32 { return rng.Uint32(seed, stream, i) })
	same(t, "Uint64", source.Uint64(n, where...), func(i int) uint64 { return rng.Uint64(seed, stream, i) })
	same(t, "IntN", source.IntN(n, 1000, where...), func(i int) int { return rng.IntN(seed, stream, i, 1000) })
	same(t, "Uniform32", source.Uniform32(n, where...),
		func(i int) float32 { return rng.Uniform32(seed, stream, i) })
	same(t, "Normal32", source.Normal32(n, where...), func(i int) float32 { return rng.Normal32(seed, stream, i) })
	same(t, "Exponential32", source.Exponential32(n, where...),
		func(i int) float32 { return rng.Exponential32(seed, stream, i) })
	if !float64s {
		return
	}
	same(t, "Bernoulli", source.Bernoulli(n, 0.3, where...),
		func(i int) bool { return rng.Bernoulli(seed, stream, i, 0.3) })
	same(t, "Uniform", source.Uniform(n, where...), func(i int) float64 { return rng.Uniform(seed, stream, i) })
	same(t, "Normal", source.Normal(n, where...), func(i int) float64 { return rng.Normal(seed, stream, i) })
	same(t, "Exponential", source.Exponential(n, where...),
		func(i int) float64 { return rng.Exponential(seed, stream, i) })
	same(t, "Permutation", source.Permutation(n, where...),
		func(i int) int { return rng.Permuted(seed, stream, i, n) })
	same(t, "Sample", source.Sample(n+7, n, where...), func(i int) int { return rng.Permuted(seed, stream, i, n+7) })
}

// TestVectors checks that every device is bit-identical to Go.
func TestVectors(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range lengths {
			vectors(t, n, d.Info().Float64, vector.Single(d))
		}
	})
}

// TestEmulatedGPU is TestVectors, TestFused and TestWeights with the kernels for GPUs.
func TestEmulatedGPU(t *testing.T) {
	devicestest.Long(t)
	dev, err := emulator.New()
	if err != nil {
		t.Skip(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	for _, n := range []int{1, 1023, 1025, 4099} {
		vectors(t, n, true, vector.Single(d))
	}
	fused(t, vector.Single(d))
	weighted(t, vector.Single(d))
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestSeveralDevices checks that the numbers do not depend on the distribution. The parts
// begin at any index, also in the middle of a block.
func TestSeveralDevices(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	if all := devicestest.All(t); len(all) > 1 {
		devs = all
	}
	for _, where := range []vector.Distribution{
		vector.Block(devs...), vector.Copy(devs...), vector.Single(devs[len(devs)-1]),
		vector.Block(devs[:2]...).Weighted(1, 2.3), vector.Overlap(1, vector.Wrap, devs...),
	} {
		for _, n := range lengths {
			vectors(t, n, devs[0].Info().Float64 && devs[len(devs)-1].Info().Float64, where)
		}
		fused(t, where)
	}
	weighted(t, vector.Block(devs...))
}

// hit returns 1 if a random point lies in the quarter circle.
func hit(i int, s rng.Source) int64 {
	x, y := rng.Uniform32(s.Seed, s.Stream, 2*i), rng.Uniform32(s.Seed, s.Stream, 2*i+1)
	if x*x+y*y < 1 {
		return 1
	}
	return 0
}

// noisy returns x with noise; it reads memory and uses the index.
func noisy(i int, x float32, s rng.Source) float32 { return x + rng.Uniform32(s.Seed, s.Stream, i) }

var (
	hits   = skel.NewMapWith(hit)
	noise  = skel.NewZipWith(noisy)
	sum    = skel.NewReduce(skel.Sum[int64]())
	sum32  = skel.NewReduce(skel.Sum[float32]())
	sums32 = skel.NewScan(skel.Sum[float32]())
)

// TestFused checks random numbers inside the kernels of other skeletons.
func TestFused(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) { fused(t, vector.Single(d)) })
}

func fused(t *testing.T, where vector.Distribution) {
	t.Helper()
	for _, n := range []int{1, 5, 4099, 70_000} {
		seed, stream := source.Seed, source.Stream
		count := int64(0)
		for i := range n {
			count += hit(i, source)
		}
		got, err := sum.Apply(hits.With(source).Apply(vector.Indices(n, where))).Value()
		if err != nil || got != count {
			t.Errorf("%d of %d points are hits, want %d; %v", got, n, count, err)
		}
		in := make([]float32, n)
		for i := range in {
			in[i] = float32(i)
		}
		x := vector.From(in, where)
		same(t, "Zip", noise.With(source).Apply(vector.Indices(n, where), x),
			func(i int) float32 { return float32(i) + rng.Uniform32(seed, stream, i) })
		x.Free()
		// The same numbers from memory have the same sum and prefix sums.
		stored := source.Uniform32(n, where)
		if err := stored.Wait(); err != nil {
			t.Fatal(err)
		}
		want, err := sum32.Apply(stored).Value()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := sum32.Apply(source.Uniform32(n, where)).Value(); err != nil || got != want {
			t.Errorf("the sum of %d numbers is %v, and %v from memory; %v", n, got, want, err)
		}
		prefixes := sums32.Inclusive(stored)
		list, err := prefixes.Host()
		if err != nil {
			t.Fatal(err)
		}
		same(t, "Scan", sums32.Inclusive(source.Uniform32(n, where)), func(i int) float32 { return list[i] })
		prefixes.Free()
		stored.Free()
	}
}

// TestRecorded replays a loop that draws numbers.
func TestRecorded(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		const n = 5000
		x := vector.New[float32](n, on)
		defer x.Free()
		loop, err := skel.Record(func() error { return noise.With(source).ApplyTo(x, vector.Indices(n, on), x) })
		if err != nil {
			t.Fatal(err)
		}
		defer loop.Close()
		if err := loop.Run(3); err != nil {
			t.Fatal(err)
		}
		got, err := x.Host()
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range got {
			u := rng.Uniform32(source.Seed, source.Stream, i)
			if want := u + u + u; y != want {
				t.Fatalf("element %d is %v, want %v", i, y, want)
			}
		}
	})
}

// TestWeights draws on every device.
func TestWeights(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if !d.Info().Float64 {
			t.Skip("weights are float64s")
		}
		weighted(t, vector.Single(d))
	})
}

func weighted(t *testing.T, where vector.Distribution) {
	t.Helper()
	tiny := make([]float64, 5000)
	for i := range tiny {
		tiny[i] = 0x1p-1074 * float64(i%3)
	}
	for _, list := range [][]float64{
		{1}, {0, 0, 5, 0}, {1, 2, 3, 4}, {0.1, 0, 0.2, 0, 0.7, 0}, {1e-300, 0, 1e300}, tiny,
	} {
		v := vector.From(list, where)
		w, err := rng.NewWeights(v)
		v.Free() // Weights do not need it
		if err != nil {
			t.Error(err)
			return
		}
		const n = 40_000
		counts := make([]int, len(list))
		drawn := w.Draw(source, n, where)
		numbers, err := drawn.Host()
		if err != nil {
			t.Error(err)
			return
		}
		total := 0.0
		for _, x := range list {
			total += x
		}
		sums := prefixes(t, list, total)
		for i, k := range numbers {
			if k < 0 || k >= len(list) {
				t.Fatalf("number %d is %d", i, k)
			}
			if want := search(sums, i); k != want {
				t.Fatalf("number %d is %d, want %d", i, k, want)
			}
			counts[k]++
		}
		for k, c := range counts {
			p := list[k] / total
			if math.Abs(float64(c)-n*p) > 5.5*math.Sqrt(n*p*(1-p))+3 || p == 0 && c > 0 {
				t.Errorf("number %d with probability %v was drawn %d times in %d", k, p, c, n)
			}
		}
		drawn.Free()
		w.Free()
	}
}

// prefixes returns the sums of the first weights as integers.
func prefixes(t *testing.T, list []float64, total float64) []int64 {
	t.Helper()
	sums, sum := make([]int64, len(list)), int64(0)
	for i, x := range list {
		sum += int64(x / total * 0x1p62)
		sums[i] = sum
	}
	return sums
}

// search returns number i that is drawn with these sums.
func search(sums []int64, i int) int {
	place, _ := bits.Mul64(rng.Uint64(source.Seed, source.Stream, i), uint64(sums[len(sums)-1]))
	k, _ := slices.BinarySearchFunc(sums, place, func(s int64, place uint64) int {
		if uint64(s) > place {
			return 1
		}
		return -1
	})
	return k
}

func TestFaultyWeights(t *testing.T) {
	for _, test := range []struct {
		list []float64
		want string
	}{
		{nil, "no weights"},
		{[]float64{0, 0, 0}, "all weights are 0"},
		{[]float64{1, 2, -1, -2}, "weight 2 is -1"},
		{[]float64{1, math.NaN()}, "weight 1 is NaN"},
		{[]float64{math.Inf(1), 1}, "weight 0 is +Inf"},
		{[]float64{1e308, 1e308}, "sum of the weights is infinite"},
	} {
		v := vector.From(test.list)
		w, err := rng.NewWeights(v)
		if err == nil || w != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error of %v is %v, want %q", test.list, err, test.want)
		}
		v.Free()
	}
}

// TestErrorsStick checks that an error of the input arrives.
func TestErrorsStick(t *testing.T) {
	where := vector.Single(devicestest.Processors(t, 1)[0])
	huge := rng.Source{}.Uniform(1<<58, where)
	if err := huge.Wait(); err == nil {
		t.Error("2^58 numbers fit into memory")
	}
	if _, err := rng.NewWeights(huge); err == nil || !errors.Is(err, huge.Err()) {
		t.Errorf("the error of the weights is %v", err)
	}
}

func TestMistakesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"a negative number": func() { source.Uniform(-1) },
		"no limit":          func() { source.IntN(5, 0) },
		"a large sample":    func() { source.Sample(5, 6) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}
