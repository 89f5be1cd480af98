package opencl_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// An enqueue, its event and the end of that, as a program sees it that waits
// now and then.
func BenchmarkLaunch(b *testing.B) {
	d := devices(b)[0]
	k := build(b, d, add)
	args := []driver.Arg{driver.Memory(alloc(b, d, 4<<6)), driver.Value(int32(1))}
	grid := driver.Grid{Groups: 1, Lanes: 64}
	must(b)(k.Launch(grid, args...))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := k.Launch(grid, args...); err != nil {
			b.Fatal(err)
		}
		if i%500 == 499 {
			if err := d.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A launch and the wait for it.
func BenchmarkRoundTrip(b *testing.B) {
	d := devices(b)[0]
	k := build(b, d, add)
	args := []driver.Arg{driver.Memory(alloc(b, d, 4<<6)), driver.Value(int32(1))}
	b.ReportAllocs()
	for b.Loop() {
		must(b)(k.Launch(driver.Grid{Groups: 1, Lanes: 64}, args...))
	}
}

// x*x+1 over 2^26 floats: the speed of memory, if all cores take part.
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
	grid := driver.Grid{Groups: n / 4096, Lanes: 4096}
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
