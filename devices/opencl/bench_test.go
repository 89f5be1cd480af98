package opencl_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// BenchmarkLaunch measures launches in a program that waits now and then.
func BenchmarkLaunch(b *testing.B) {
	for _, timing := range []bool{true, false} {
		b.Run(fmt.Sprintf("timing=%t", timing), func(b *testing.B) {
			d, launch := launcher(b, timing)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := launch(); err != nil {
					b.Fatal(err)
				}
				if i%500 == 499 {
					if err := d.Sync(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkRoundTrip measures a launch and the wait for it.
func BenchmarkRoundTrip(b *testing.B) {
	for _, timing := range []bool{true, false} {
		b.Run(fmt.Sprintf("timing=%t", timing), func(b *testing.B) {
			_, launch := launcher(b, timing)
			b.ReportAllocs()
			for b.Loop() {
				must(b)(launch())
			}
		})
	}
}

// launcher builds a small kernel and returns a function that launches it.
func launcher(b *testing.B, timing bool) (driver.Device, func() (driver.Event, error)) {
	d := devices(b)[0]
	d.(driver.Timing).SetTiming(timing)
	k := build(b, d, add)
	args := []driver.Arg{driver.Memory(alloc(b, d, 4<<6)), driver.Value(int32(1))}
	launch := func() (driver.Event, error) { return k.Launch(driver.Grid{Groups: 1, Lanes: 64}, args...) }
	must(b)(launch())
	return d, launch
}

// BenchmarkMap computes x*x+1 over 2^26 floats: the bandwidth of memory, if all
// cores take part.
func BenchmarkMap(b *testing.B) {
	d := devices(b)[0]
	const n = 1 << 26
	if d.Info().MaxAlloc < 4*n {
		b.Skip("not enough memory")
	}
	k := build(b, d, driver.Program{Name: "square", C: `KERNEL square(CTX_K GLOBAL const f32 *x, GLOBAL f32 *y, i64 n) {
	i64 i = group_id() * lanes() + lane_id();
	y[i] = x[i] * x[i] + 1;
}`})
	x, y := alloc(b, d, 4*n), alloc(b, d, 4*n)
	must(b)(x.Write(0, make([]byte, 4*n)))
	args := []driver.Arg{driver.Memory(x), driver.Memory(y), driver.Value(int64(n))}
	lanes := min(d.Info().MaxGroup, 4096)
	grid := driver.Grid{Groups: n / int64(lanes), Lanes: lanes}
	must(b)(k.Launch(grid, args...))
	b.SetBytes(8 * n)
	for b.Loop() {
		must(b)(k.Launch(grid, args...))
	}
}

func BenchmarkTransfer(b *testing.B) {
	d := devices(b)[0]
	for name, n := range map[string]int64{"4B": 4, "4KiB": 4 << 10, "64MiB": 64 << 20} {
		m, p := alloc(b, d, n), make([]byte, n)
		b.Run("write/n="+name, func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				must(b)(m.Write(0, p))
			}
		})
		b.Run("read/n="+name, func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				must(b)(m.Read(0, p))
			}
		})
	}
}
