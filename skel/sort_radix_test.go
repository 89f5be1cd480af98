package skel

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// emulatedDevice returns an emulated CUDA device.
func emulatedDevice(t *testing.T) *devices.Device {
	return emulatedAs(t, func(d driver.Device) driver.Device { return d })
}

func emulatedAs(t *testing.T, as func(driver.Device) driver.Device) *devices.Device {
	dev, err := emulator.New()
	if err != nil {
		t.Skip(err)
	}
	d := devices.Wrap("cuda:emulated", as(dev))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestSortPasses sorts by passes over memory with small tiles, so that few elements make many tiles,
// with words of 32 and of 64 bits.
func TestSortPasses(t *testing.T) {
	devicestest.Long(t)
	d := emulatedDevice(t)
	tileOf, narrow, short := sortTileOf, sortNarrow, sortShortIndices
	t.Cleanup(func() { sortTileOf, sortNarrow, sortShortIndices = tileOf, narrow, short })
	sortTileOf = func(key, value int) sortTile { return sortTile{256, 3, 1} }
	for _, wide := range []bool{false, true} {
		if wide {
			sortNarrow, sortShortIndices = 1, 1
		}
		t.Run(fmt.Sprintf("wide=%v", wide), func(t *testing.T) {
			testSortPasses(t, d, func(r *rand.Rand) uint32 { return r.Uint32() })
			testSortPasses(t, d, func(r *rand.Rand) float64 { return float64(r.IntN(1000)-500) / 16 })
			testSortPasses(t, d, func(r *rand.Rand) int16 { return int16(r.Uint32()) })
			testSortPasses(t, d, func(r *rand.Rand) uint8 { return uint8(r.Uint32()) })
		})
	}
}

func testSortPasses[T Number](t *testing.T, d *devices.Device, random func(*rand.Rand) T) {
	testSortAt(t, vector.Single(d), random)
}

func testSortAt[T Number](t *testing.T, where vector.Distribution, random func(*rand.Rand) T, more ...int) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range append([]int{sortSmallTile + 1, 7 * 768, 9999, 100, 1, sortSmallTile}, more...) {
		s := make([]T, n)
		for i := range s {
			s[i] = random(r)
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s[a], s[b]) })
		want := make([]T, n)
		for i, k := range order {
			want[i] = s[k]
		}
		v := vector.From(s, where)
		got, err := Ascending[T]().Apply(v).Host()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%T, n = %d: element %d is %v; want %v", want[0], n, i, got[i], want[i])
				}
			}
		}
		indices, err := Ascending[T]().Order(v).Host()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(indices, order) {
			t.Fatalf("%T, n = %d: the order is wrong", want[0], n)
		}
		if err := Ascending[T]().ApplyTo(v, v); err != nil {
			t.Fatal(err)
		}
		if got, err := v.Host(); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%T, n = %d: sorted in place wrongly: %v", want[0], n, err)
		}
	}
}

// TestSortNative sorts on the CPU.
func TestSortNative(t *testing.T) {
	devs, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	testSortPasses(t, devs[0], func(r *rand.Rand) uint32 { return r.Uint32() })
	testSortPasses(t, devs[0], func(r *rand.Rand) float64 { return float64(r.IntN(1000)-500) / 16 })
	testSortPasses(t, devs[0], func(r *rand.Rand) int16 { return int16(r.Uint32()) })
	testSortPasses(t, devs[0], func(r *rand.Rand) int8 { return int8(r.Uint32()) })
	testSortPasses(t, devs[0], func(r *rand.Rand) uint64 { return r.Uint64() })
}

// TestSortWideDigits sorts so many keys that the digits of CPUs are wide.
func TestSortWideDigits(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if d.Kind() != devices.CPU {
			t.Skip("a processor has wide digits")
		}
		where, n := vector.Single(d), sortWideDigits+1
		if d.Native() {
			n = 16*digitBins*d.Info().Units + 1
			testSortAt(t, where, func(r *rand.Rand) uint32 { return r.Uint32() }, n)
			testSortAt(t, where, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) & 0x7ffe }, n)
			testSortAt(t, where, func(r *rand.Rand) int64 { return int64(r.Uint64()) >> 7 << 30 }, n)
		}
		testSortAt(t, where, func(r *rand.Rand) float64 { return r.NormFloat64() }, n)
	})
}

// TestDigits says that digits cover the bits that differ, from the least to the greatest.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		differ uint64
		n      int64
		want   []digit
	}{
		{0, 1 << 30, nil},
		{1 << 63, 1 << 30, []digit{{63, 1}}},
		{^uint64(0), 1 << 30, []digit{{0, 11}, {11, 11}, {22, 11}, {33, 11}, {44, 10}, {54, 10}}},
		{^uint64(0), 1 << 10, []digit{{0, 8}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}, {56, 8}}},
		{1<<32 - 1, 1 << 30, []digit{{0, 11}, {11, 11}, {22, 10}}},
		{0xffff, 1 << 30, []digit{{0, 8}, {8, 8}}},
		{0xff000000000ff0, 1 << 10, []digit{{4, 8}, {48, 8}}},
		{1<<40 | 1<<36 | 1, 1 << 30, []digit{{0, 11}, {36, 5}}},
	} {
		if got := digitsOf(c.differ, c.n); !slices.Equal(got, c.want) {
			t.Errorf("digitsOf(%#x, %d) = %v, want %v", c.differ, c.n, got, c.want)
		}
	}
}

// withoutWarps is a device that hides its warps, like GPUs of OpenCL.
type withoutWarps struct{ driver.Device }

func (d withoutWarps) Info() driver.Info {
	info := d.Device.Info()
	info.Warp, info.Progress = 0, false
	return info
}

func (d withoutWarps) Build(p driver.Program) (driver.Kernel, error) {
	p.C = "#undef SKEL_WARP\n" + p.C
	return d.Device.Build(p)
}

// TestSortWithoutWarps sorts by three launches for each digit.
func TestSortWithoutWarps(t *testing.T) {
	devicestest.Long(t)
	d := emulatedAs(t, func(d driver.Device) driver.Device { return withoutWarps{d} })
	testSortPasses(t, d, func(r *rand.Rand) uint32 { return r.Uint32() })
	testSortPasses(t, d, func(r *rand.Rand) int16 { return int16(r.Uint32()) })
	testSortPasses(t, d, func(r *rand.Rand) int8 { return int8(r.Uint32()) })
	short := sortShortIndices
	t.Cleanup(func() { sortShortIndices = short })
	sortShortIndices = 1
	testSortPasses(t, d, func(r *rand.Rand) uint8 { return uint8(r.Uint32()) })
}

// TestSortSeveral sorts over several emulated devices, whose parts are merged.
func TestSortSeveral(t *testing.T) {
	devicestest.Long(t)
	where := vector.Block(emulatedDevice(t), emulatedDevice(t), emulatedDevice(t)).Weighted(3, 1, 2)
	testSortAt(t, where, func(r *rand.Rand) uint32 { return uint32(r.IntN(500)) })
	testSortAt(t, where, func(r *rand.Rand) float64 { return r.Float64() })
}

func BenchmarkSortNative(b *testing.B) {
	devs, err := devices.Get("cpu")
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	benchmarkNative(b, devs[0], func() uint32 { return r.Uint32() })
	benchmarkNative(b, devs[0], func() float64 { return r.Float64() })
}

func benchmarkNative[T Number](b *testing.B, d *devices.Device, f func() T) {
	s := make([]T, 1<<24)
	for i := range s {
		s[i] = f()
	}
	v := vector.From(s, vector.Single(d))
	out := vector.From(s, vector.Single(d))
	b.Run(fmt.Sprintf("%T", s[0]), func(b *testing.B) {
		for b.Loop() {
			if err := Ascending[T]().ApplyTo(out, v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("%T-slices", s[0]), func(b *testing.B) {
		for b.Loop() {
			slices.Sort(slices.Clone(s))
		}
	})
}
