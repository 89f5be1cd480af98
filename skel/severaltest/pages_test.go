package severaltest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The containers of these tests are larger than the memory that a device may use for them.

func half(x float32) float32                          { return x / 2 }
func plus(x, y float32) float32                       { return x + y }
func positive(x float32) bool                         { return x > 0 }
func bucket(x float32) int32                          { return int32(x) & 63 }
func smooth(w vector.Window[float32]) float32         { return (w.At(-1) + w.At(0) + w.At(1)) / 3 }
func table(x float32, v vector.View[float32]) float32 { return x * v.At(int(x)&7) }
func dot(a, b vector.Row[float32]) float32 {
	sum := float32(0)
	for i := range a.Len() {
		sum += a.At(i) * b.At(i)
	}
	return sum
}

var (
	halves    = skel.NewMap(half)
	added     = skel.NewZip(plus)
	sum       = skel.NewReduce(skel.Sum[float32]())
	prefix    = skel.NewScan(skel.Sum[float32]())
	positives = skel.NewFilter(positive)
	buckets   = skel.NewMap(bucket)
	smoothed  = skel.NewMapOverlap(smooth, 1)
	looked    = skel.NewMapWith(table)
	sorted    = skel.NewSortBy(same)
	products  = skel.NewAllPairs(dot)
)

func same(x float32) float32 { return x }

// generated returns a function that computes elements from their index.
func generated(seed int) func(first int, dst []float32) error {
	return func(first int, dst []float32) error {
		for k := range dst {
			dst[k] = float32((first+k+seed)*2654435761>>7%2000-1000) / 8
		}
		return nil
	}
}

// streams are calls on two vectors and what they compute, as bytes.
var streams = []struct {
	name string
	call func(x, y *vector.Vector[float32]) ([]byte, error)
}{
	{"Map", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(halves.Apply(x)) }},
	{"Zip", func(x, y *vector.Vector[float32]) ([]byte, error) { return bits(added.Apply(halves.Apply(x), y)) }},
	{"Reduce", func(x, y *vector.Vector[float32]) ([]byte, error) {
		v, err := sum.Apply(added.Apply(x, y)).Value()
		return driver.Bytes([]float32{v}), err
	}},
	{"Inclusive", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(prefix.Inclusive(x)) }},
	{"Exclusive", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(prefix.Exclusive(x)) }},
	{"Filter", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(positives.Apply(x)) }},
	{"ByKey", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(sum.ByKey(x, buckets.Apply(x), 64)) }},
	{"CountByKey", func(x, _ *vector.Vector[float32]) ([]byte, error) {
		return bits(skel.CountByKey(buckets.Apply(x), 64))
	}},
	{"View", func(x, _ *vector.Vector[float32]) ([]byte, error) {
		small := vector.From([]float32{3, 1, 4, 1, 5, 9, 2, 6})
		return bits(looked.With(small.View()).Apply(x))
	}},
	{"MapOverlap", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(smoothed.Apply(x)) }},
	{"Times", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(smoothed.Times(5).Apply(x)) }},
	{"Rows", func(x, _ *vector.Vector[float32]) ([]byte, error) {
		return bits(sum.Rows(matrix.Of(x, x.Len()/32, 32)))
	}},
	{"Columns", func(x, _ *vector.Vector[float32]) ([]byte, error) {
		return bits(sum.Cols(matrix.Of(x, x.Len()/32, 32)))
	}},
	{"AllPairs", func(x, _ *vector.Vector[float32]) ([]byte, error) {
		a := matrix.Of(x, x.Len()/32, 32)
		b := matrix.From(8, 32, make([]float32, 256))
		return bits(products.Apply(a, b).Vector())
	}},
	{"Sort", func(x, _ *vector.Vector[float32]) ([]byte, error) { return bits(sorted.Apply(x)) }},
	{"in place", func(x, y *vector.Vector[float32]) ([]byte, error) {
		z := vector.Uninitialized[float32](x.Len())
		for range 3 {
			if err := errors.Join(added.ApplyTo(z, x, y), prefix.InclusiveTo(z, z), halves.ApplyTo(z, z)); err != nil {
				return nil, err
			}
		}
		return bits(z)
	}},
}

// bits returns the elements of v, in chunks.
func bits[T any](v *vector.Vector[T]) (p []byte, err error) {
	for s, err := range v.Chunks(10_007) {
		if err != nil {
			return nil, err
		}
		p = append(p, driver.Bytes(s)...)
	}
	return p, nil
}

// TestStreams makes the same calls on the CPU and on devices that may use less memory than the
// containers have.
func TestStreams(t *testing.T) {
	devs := small(t)
	n := len(devs) << 21
	for _, length := range []int{n, n + 32*77} {
		one, err := devices.Get("cpu")
		ok(t, err)
		want := map[string][]byte{}
		devices.SetDefaults(one...)
		defer devices.SetDefaults()
		for _, on := range [][]*devices.Device{one, devs} {
			devices.SetDefaults(on...)
			for _, s := range streams {
				t.Run(fmt.Sprint(length, "/", on[0], "/", s.name), func(t *testing.T) {
					x := vector.FromFunc(length, generated(1))
					y := vector.FromFunc(length, generated(2))
					defer y.Free() // if a collection did it later, that would make the calls of another test
					defer x.Free()
					got, err := s.call(x, y)
					ok(t, err)
					parts := x.Distribution().Devices()
					if on[0] == devs[0] && (len(parts) < 16 || parts[len(parts)-1].Base() != devs[len(devs)-1]) {
						t.Errorf("the vector is on %v", x.Distribution())
					}
					if on[0] != devs[0] {
						want[s.name] = got
					} else if string(got) != string(want[s.name]) {
						t.Error("differs from the CPU")
					}
				})
			}
		}
	}
	for _, d := range devs {
		if s := d.Stats(); s.LoadedBytes == 0 || s.SavedBytes == 0 {
			t.Errorf("%v: %d bytes loaded and %d saved: the containers have fitted", d, s.LoadedBytes, s.SavedBytes)
		}
	}
}

// TestOnePass makes calls whose intermediate results are freed before a result is read: each part of the input
// is loaded once, and hardly anything has to be saved.
func TestOnePass(t *testing.T) {
	devs := small(t)
	devices.SetDefaults(devs...)
	defer devices.SetDefaults()
	n := len(devs) << 21
	for _, length := range []int{n, n + 32*77} {
		loaded, saved := moved(devs)
		x, y := vector.FromFunc(length, generated(1)), vector.FromFunc(length, generated(2))
		u, v := vector.Uninitialized[float32](length), vector.Uninitialized[float32](length)
		ok(t, errors.Join(halves.ApplyTo(u, x), added.ApplyTo(v, u, y), halves.ApplyTo(u, v)))
		first, second := sum.Apply(v), sum.Apply(u)
		u.Free()
		v.Free()
		a, err := first.Value()
		ok(t, err)
		b, err := second.Value()
		ok(t, err)
		if a != 2*b {
			t.Errorf("%d elements: the sums are %v and %v", length, a, b)
		}
		x.Free()
		y.Free()
		nowLoaded, nowSaved := moved(devs)
		loaded, saved = nowLoaded-loaded, nowSaved-saved
		// Without this order, what is loaded and what is saved are more than twice as much.
		if want := int64(8 * length); loaded > want+want/20 || saved > want/8 {
			t.Errorf("%d elements, on %d devices: %d bytes loaded and %d saved, want %d and hardly any",
				length, len(devs), loaded, saved, want)
		}
	}
}

// TestReductionsInOnePass makes several reductions of one vector, each with a small vector of its own, before it reads
// their results: each part of the vector is loaded once.
func TestReductionsInOnePass(t *testing.T) {
	devs := small(t)
	devices.SetDefaults(devs...)
	defer devices.SetDefaults()
	length := len(devs)<<21 + 32*77
	x := vector.FromFunc(length, generated(1))
	defer x.Free()
	loaded, _ := moved(devs)
	var before []devices.Stats
	for _, d := range devs {
		d.SetTiming(true)
		defer d.SetTiming(false)
		before = append(before, d.Stats())
	}
	var sums []*vector.Scalar[float32]
	for i := range 5 {
		factors := make([]float32, 8)
		for k := range factors {
			factors[k] = float32(i)
		}
		few := vector.From(factors)
		v := looked.With(few.View()).Apply(x)
		sums = append(sums, sum.Apply(v))
		v.Free()
		few.Free()
	}
	var got []float32
	for _, s := range sums {
		v, err := s.Value()
		ok(t, err)
		got = append(got, v)
	}
	if got[0] != 0 || got[1] == 0 || got[2] != 2*got[1] || got[4] != 4*got[1] {
		t.Errorf("sums %v: want multiples of the second one", got)
	}
	now, _ := moved(devs)
	if want := int64(4 * length); now-loaded > want+want/20 {
		t.Errorf("%d bytes loaded for 5 reductions, want %d", now-loaded, want)
	}
	for i, d := range devs {
		ok(t, d.Sync())
		if s := d.Stats().Sub(before[i]); s.DeviceTime <= 0 || s.Launches < 5*16 {
			t.Errorf("%v: %d launches on its pages took %v", d, s.Launches, s.DeviceTime)
		}
	}
}

// TestNothingNeedsIt frees results before anything is read: they are not computed.
func TestNothingNeedsIt(t *testing.T) {
	devs := small(t)
	devices.SetDefaults(devs...)
	defer devices.SetDefaults()
	length := len(devs)<<21 + 32*77
	x, y := vector.FromFunc(length, generated(1)), vector.FromFunc(length, generated(2))
	loaded, _ := moved(devs)
	u, v := vector.Uninitialized[float32](length), vector.Uninitialized[float32](length)
	ok(t, errors.Join(halves.ApplyTo(u, x), added.ApplyTo(v, u, x)))
	u.Free()
	s, p := sum.Apply(v), prefix.Inclusive(v)
	v.Free()
	p.Free()
	s.Free()
	x.Free()
	now, _ := moved(devs)
	if now != loaded {
		t.Errorf("%d bytes loaded to compute what nothing needs", now-loaded)
	}
	_, err := sum.Apply(y).Value()
	ok(t, err)
	y.Free()
	now, _ = moved(devs)
	if want := int64(4 * length); now-loaded > want+want/20 {
		t.Errorf("%d bytes loaded, want %d", now-loaded, want)
	}
}

// moved returns the bytes that have been loaded to devices, and saved.
func moved(devs []*devices.Device) (loaded, saved int64) {
	for _, d := range devs {
		s := d.Stats()
		loaded, saved = loaded+s.LoadedBytes, saved+s.SavedBytes
	}
	return loaded, saved
}

// TestStreamError computes with elements that cannot be read.
func TestStreamError(t *testing.T) {
	devices.SetDefaults(small(t)...)
	defer devices.SetDefaults()
	broken := errors.New("broken")
	x := vector.FromFunc(1<<21, func(first int, dst []float32) error {
		if first+len(dst) > 700_000 {
			return broken
		}
		clear(dst)
		return nil
	})
	if _, err := sum.Apply(x).Value(); !errors.Is(err, broken) {
		t.Errorf("Reduce: %v", err)
	}
	if v, err := halves.Apply(x).At(5); v != 0 || err != nil && !errors.Is(err, broken) {
		t.Errorf("At: %v, %v", v, err)
	}
}

// small returns the devices of a kind; each of them may use 4 MiB for large containers.
func small(t *testing.T) (devs []*devices.Device) {
	t.Helper()
	t.Setenv("SKEL_MEMORY", "4MiB")
	t.Setenv("SKEL_SPLIT", "0")
	for _, d := range devicestest.All(t) {
		if !d.Native() && (devs == nil || devs[0].Info().Platform == d.Info().Platform) {
			devs = append(devs, d)
		}
	}
	if devs == nil {
		t.Skip("no OpenCL or CUDA device")
	}
	return devs
}
