package cuda_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// fakes opens the devices of a fake machine and checks that nothing leaks.
func fakes(t *testing.T, opt fakecuda.Options) (*fakecuda.CUDA, []driver.Device) {
	t.Helper()
	opt.Kernels = kernels
	if opt.Memory == 0 {
		opt.Memory = 1 << 30
	}
	c := fakecuda.Install(t, opt)
	devs, err := cuda.Driver{}.Devices()
	if err != nil || len(devs) == 0 {
		t.Fatalf("%d devices, %v", len(devs), err)
	}
	t.Cleanup(func() {
		for _, d := range devs {
			if err := d.Close(); err != nil {
				t.Error("close:", err)
			}
			if err := d.Close(); err != nil {
				t.Error("second close:", err)
			}
		}
		if left := cu.Live(); left != (cu.Counts{}) {
			t.Errorf("CUDA objects left over: %+v", left)
		}
	})
	return c, devs
}

// schedules chooses which streams of a device (0: the queue, 1: up, 2: down, 3:
// from other devices) execute commands at once, and which only when something
// waits.
var schedules = map[string]func(int) bool{
	"lazy":            nil,
	"eager":           func(int) bool { return true },
	"eager transfers": func(n int) bool { return n != 0 },
	"eager queue":     func(n int) bool { return n == 0 },
	"eager down":      func(n int) bool { return n == 2 },
	"eager peers":     func(n int) bool { return n == 3 },
}

// TestSuiteOnFakes runs the conformance suite on several kinds of fakes.
func TestSuiteOnFakes(t *testing.T) {
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{Eager: eager})
			drivertest.Run(t, devs[0])
		})
	}
	t.Run("long waits", func(t *testing.T) {
		_, devs := fakes(t, fakecuda.Options{})
		cuda.SetPatience(devs[0], 0)
		drivertest.Run(t, devs[0])
	})
	t.Run("untimed", func(t *testing.T) {
		_, devs := fakes(t, fakecuda.Options{})
		devs[0].(driver.Timing).SetTiming(false)
		drivertest.Run(t, devs[0])
	})
	t.Run("register", func(t *testing.T) {
		_, devs := fakes(t, fakecuda.Options{})
		cuda.SetStaging(devs[0], 4, 1<<20)
		drivertest.Run(t, devs[0])
	})
}

// kernels holds the kernels of drivertest for the fake.
var kernels = map[string]fakecuda.Kernel{
	"fill": func(l *fakecuda.Launch) {
		n := l.Int(1)
		x := driver.Slice[int32](l.Memory(0, 4*n))
		for i := range x {
			x[i] = int32(l.Int(2)) + int32(i)
		}
	},
	"advance": func(l *fakecuda.Launch) {
		x := driver.Slice[int32](l.Memory(0, 4*l.Int(1)))
		for i := range x {
			x[i] = 3*x[i] + int32(l.Int(2))
		}
	},
	"addTo": func(l *fakecuda.Launch) {
		x, y := driver.Slice[int32](l.Memory(0, 4*l.Int(2))), driver.Slice[int32](l.Memory(1, 4*l.Int(2)))
		for i := range x {
			x[i] += y[i]
		}
	},
	"scalars": func(l *fakecuda.Launch) {
		out := driver.Slice[int64](l.Memory(0, 19*8))
		for i := 1; i <= 8; i++ {
			out[i-1] = l.Int(i)
		}
		out[1], out[3], out[5] = out[1]&0xff, out[3]&0xffff, out[5]&0xffffffff
		out[8] = int64(driver.Slice[float32](l.Bytes(9))[0])
		r := l.Bytes(10)
		le := binary.LittleEndian
		out[9], out[10], out[11] = int64(int8(r[0])), int64(int32(le.Uint32(r[4:]))), int64(le.Uint64(r[8:]))
		out[12], out[13] = int64(driver.Slice[float32](r[24:28])[0]), int64(r[28])
		out[14], out[15] = int64(int16(le.Uint16(l.Bytes(11)))), int64(int16(le.Uint16(l.Bytes(11)[2:])))
		for i, b := range l.Bytes(12) {
			out[16+i] = int64(b)
		}
	},
	"geometry": func(l *fakecuda.Launch) {
		out := driver.Slice[int64](l.Memory(0, 32*l.Groups*l.Lanes))
		for i := range l.Groups * l.Lanes {
			copy(out[4*i:], []int64{i / l.Lanes, i % l.Lanes, l.Groups, l.Lanes})
		}
	},
	"mirror": func(l *fakecuda.Launch) {
		for g := range l.Groups {
			x := driver.Slice[int32](l.Memory(0, 256*l.Groups))[64*g : 64*g+64]
			for i := range 32 {
				x[i], x[63-i] = x[63-i], x[i]
			}
		}
	},
	"checked": func(l *fakecuda.Launch) {
		first := 0
		if l.Checked {
			first = 1
		}
		n, i, by := l.Int(first+1), l.Int(first+2), l.Int(first+3)
		x := driver.Slice[int32](l.Memory(first, 4*n))
		report := func(kind, site, index, bound int64) {
			if !l.Checked {
				return
			}
			if r := l.Memory(0, 24); r[0] == 0 {
				copy(r, driver.Bytes([]int64{kind | site<<32, index, bound}))
			}
		}
		if i < 0 || i >= n {
			report(1, 7, i, n)
			i = 0
		}
		if by == 0 {
			report(2, 9, 0, 0)
			x[0] = 0
			return
		}
		x[0] = x[i] / int32(by)
	},
}

var fill = driver.Program{Name: "fill", C: "KERNEL fill(CTX_K GLOBAL i32 *out, i64 n, i32 v) {}\n"}
var advance = driver.Program{Name: "advance", C: "KERNEL advance(CTX_K GLOBAL i32 *x, i64 n, i32 k) {}\n"}

// work uses everything that a device has and closes what it opened.
func work(d driver.Device) (err error) {
	var open []interface{ Close() error }
	keep := func(c interface{ Close() error }, e error) bool {
		if e == nil {
			open = append(open, c)
		} else if err == nil {
			err = e
		}
		return e == nil
	}
	defer func() {
		for i := len(open) - 1; i >= 0; i-- {
			err = errors.Join(err, open[i].Close())
		}
	}()
	keep(d, nil)
	const n = 64 << 10
	a, e := d.Alloc(4 * n)
	if !keep(closer{a}, e) {
		return err
	}
	b, e := d.Alloc(4 * n)
	if !keep(closer{b}, e) {
		return err
	}
	k, e := d.Build(fill)
	if !keep(k, e) {
		return err
	}
	grid, args := driver.Grid{Groups: 2, Lanes: 64}, []driver.Arg{driver.Memory(a), driver.Value(int64(n)),
		driver.Value(int32(7))}
	host := make([]byte, 4*n)
	steps := []func() (driver.Event, error){
		func() (driver.Event, error) { return k.Launch(grid, args...) },
		func() (driver.Event, error) { return a.Write(0, host[:100]) },
		func() (driver.Event, error) { return b.Write(0, host) },
		func() (driver.Event, error) { return b.Copy(0, a, 0, 4*n) },
		func() (driver.Event, error) { return a.(driver.Clearer).Clear(0, 8) },
		func() (driver.Event, error) { return b.Read(0, host[:100]) },
		func() (driver.Event, error) { return b.Read(0, host) },
	}
	for _, s := range steps {
		ev, e := s()
		if e == nil {
			e = ev.Wait()
		}
		if e != nil {
			return e
		}
	}
	if e := d.(driver.Recorder).Record(); e != nil {
		return e
	}
	_, launched := k.Launch(grid, args...)
	r, e := d.(driver.Recorder).EndRecord()
	if keep(r, e); e != nil || launched != nil {
		return errors.Join(launched, e)
	}
	if _, e := r.Replay(); e != nil {
		return e
	}
	return d.Sync()
}

type closer struct{ driver.Buffer }

func (c closer) Close() error { return c.Free() }

// TestEveryCallFails checks that each call's failure is reported by name and
// leaks nothing.
func TestEveryCallFails(t *testing.T) {
	c := fakecuda.Install(t, fakecuda.Options{Memory: 1 << 30, Kernels: kernels})
	run := func() error {
		devs, err := cuda.Driver{}.Devices()
		if err != nil || len(devs) == 0 {
			return errors.Join(err, errors.New(cuda.Driver{}.Missing()))
		}
		cuda.SetStaging(devs[0], 1, 0)
		cuda.SetPatience(devs[0], time.Hour)
		return work(devs[0])
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	calls := c.Calls()
	if len(calls) < 80 {
		t.Errorf("only %d calls", len(calls))
	}
	// Calls whose failure is tolerated or reported by Missing.
	forgiven := []string{"cuInit", "cuDeviceGetCount", "cuDeviceGet", "nvrtcGetNumSupportedArchs",
		"nvrtcGetSupportedArchs", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog"}
	for i, name := range calls {
		c.FailAt(i+1, cu.ErrorUnknown)
		err := run()
		switch {
		case slices.Contains(forgiven, name):
		case err == nil:
			t.Errorf("call %d, %s: no error", i+1, name)
		case !strings.Contains(err.Error(), name):
			t.Errorf("call %d, %s: %v", i+1, name, err)
		}
		if left := cu.Live(); left != (cu.Counts{}) {
			t.Fatalf("call %d, %s: left over: %+v (%v)", i+1, name, left, err)
		}
	}
	c.FailAt(0, 0)
	if err := run(); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

// TestTransfersKeepTheOrder checks that long transfers overlap with independent
// work only.
func TestTransfersKeepTheOrder(t *testing.T) {
	const n = 100 << 10
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			c, devs := fakes(t, fakecuda.Options{Eager: eager})
			d := devs[0]
			d.(driver.Timing).SetTiming(false)
			k := build(t, d, advance)
			a, b := alloc(t, d, 4*n), alloc(t, d, 4*n)
			x, y := make([]int32, n), make([]int32, n)
			want := int32(0)
			for i := range int32(20) {
				for j := range x {
					x[j] = i
				}
				must(t)(a.Write(0, driver.Bytes(x)))
				clear(x) // Write has returned
				must2(t, k, a, n, 5)
				must2(t, k, a, n, 6)
				if _, err := b.Copy(0, a, 0, 4*n); err != nil {
					t.Fatal(err)
				}
				must(t)(a.Write(0, driver.Bytes(x))) // waits for the copy
				must(t)(b.Read(0, driver.Bytes(y)))
				want = 3*(3*i+5) + 6
				for j, v := range y {
					if v != want {
						t.Fatalf("round %d: element %d is %d, want %d", i, j, v, want)
					}
				}
			}
			before := c.Count("cuStreamWaitEvent")
			fresh := alloc(t, d, 4*n)
			must2(t, k, a, n, 5)
			waits := c.Count("cuStreamWaitEvent")
			must(t)(fresh.Write(0, driver.Bytes(x)))
			if got := c.Count("cuStreamWaitEvent"); got != waits {
				t.Errorf("a write to a buffer that nothing uses waited %d times (%d before)", got-waits, before)
			}
		})
	}
}

// TestTransfersOfOneBuffer checks that a read sees the preceding write,
// although they use different streams, and that short writes find room while
// earlier ones are pending.
func TestTransfersOfOneBuffer(t *testing.T) {
	const n = 4 << 20
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{Eager: eager})
			b := alloc(t, devs[0], n)
			p, got := make([]byte, n), make([]byte, n)
			for round := range 3 {
				for i := range p {
					p[i] = byte(i*7 + i>>13 + round)
				}
				must(t)(b.Write(0, p))
				must(t)(b.Read(0, got))
				if string(p) != string(got) {
					t.Fatalf("round %d: a long write and read differ", round)
				}
				for i := range p {
					p[i]++
				}
				const part = cuda.ShortTransfer - 5
				for at := 0; at < n; at += part {
					must(t)(b.Write(int64(at), p[at:min(at+part, n)]))
				}
				must(t)(b.Read(0, got))
				if string(p) != string(got) {
					t.Fatalf("round %d: short writes and a long read differ", round)
				}
			}
		})
	}
}

func must2(t *testing.T, k driver.Kernel, b driver.Buffer, n int64, v int32) {
	t.Helper()
	if _, err := k.Launch(driver.Grid{Groups: 3, Lanes: 32}, driver.Memory(b), driver.Value(n),
		driver.Value(v)); err != nil {
		t.Fatal(err)
	}
}

// TestRecordingOnFakes checks that a replay uses the current contents of its
// buffers.
func TestRecordingOnFakes(t *testing.T) {
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{Eager: eager})
			recording(t, devs[0])
		})
	}
}

func TestNoLibraries(t *testing.T) {
	t.Run("no driver", func(t *testing.T) {
		fakecuda.Install(t, fakecuda.Options{NoCUDA: true})
		devs, err := cuda.Driver{}.Devices()
		if len(devs) != 0 || err != nil || !strings.Contains(cuda.Driver{}.Missing(), "libcuda.so.1") {
			t.Errorf("%v, %v, %q", devs, err, cuda.Driver{}.Missing())
		}
	})
	t.Run("no GPU", func(t *testing.T) {
		fakecuda.Install(t, fakecuda.Options{Devices: -1})
		devs, err := cuda.Driver{}.Devices()
		if len(devs) != 0 || err != nil || !strings.Contains(cuda.Driver{}.Missing(), "no GPU") {
			t.Errorf("%v, %v, %q", devs, err, cuda.Driver{}.Missing())
		}
	})
	t.Run("no compiler", func(t *testing.T) {
		var binary []byte
		t.Run("with one", func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{})
			binary, _ = build(t, devs[0], fill).(driver.Binary).Binary()
		})
		c, devs := fakes(t, fakecuda.Options{NoNVRTC: true})
		if _, err := devs[0].Build(fill); err == nil || !strings.Contains(err.Error(), "install the CUDA toolkit") {
			t.Errorf("a build without a compiler: %v", err)
		}
		p := fill
		p.Binary = binary
		b := alloc(t, devs[0], 40)
		must(t)(build(t, devs[0], p).Launch(driver.Grid{Groups: 1, Lanes: 32}, driver.Memory(b),
			driver.Value(int64(10)), driver.Value(int32(5))))
		if got := ints(t, b); got[9] != 14 {
			t.Errorf("%v", got)
		}
		for _, name := range c.Calls() {
			if strings.HasPrefix(name, "nvrtc") {
				t.Errorf("%s was called", name)
			}
		}
	})
	t.Run("an old compiler", func(t *testing.T) {
		_, devs := fakes(t, fakecuda.Options{Archs: []int32{70, 80}})
		build(t, devs[0], fill) // as PTX of compute_80, or the fake would not load it
	})
	t.Run("an old driver", func(t *testing.T) {
		_, devs := fakes(t, fakecuda.Options{Lacks: "cuFuncGetParamInfo"})
		b := alloc(t, devs[0], 40)
		k := build(t, devs[0], fill)
		for i := range int32(3) {
			must(t)(k.Launch(driver.Grid{Groups: 1, Lanes: 32}, driver.Memory(b), driver.Value(int64(10)),
				driver.Value(i)))
			if got := ints(t, b); got[9] != 9+i {
				t.Errorf("%v", got)
			}
		}
	})
}

// TestDevicesAreOpenedLate checks that opening all devices creates no context.
func TestDevicesAreOpenedLate(t *testing.T) {
	c, devs := fakes(t, fakecuda.Options{Devices: 4})
	if len(devs) != 4 || c.Count("cuDevicePrimaryCtxRetain") != 0 {
		t.Errorf("%d devices, %d contexts", len(devs), c.Count("cuDevicePrimaryCtxRetain"))
	}
	alloc(t, devs[2], 10)
	if n := c.Count("cuDevicePrimaryCtxRetain"); n != 1 {
		t.Errorf("%d contexts", n)
	}
	if d := devs[0].Info(); d.Name != "Fake H200" || !strings.Contains(d.Version, "CUDA 13.0") || d.Warp != 32 ||
		!d.Progress {
		t.Errorf("%+v", d)
	}
}

func TestPeersOnFakes(t *testing.T) {
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{Devices: 2, Eager: eager})
			peerCopies(t, devs[0], devs[1])
		})
	}
}

func TestOutOfMemoryOnFakes(t *testing.T) {
	_, devs := fakes(t, fakecuda.Options{Memory: 1 << 20})
	alloc(t, devs[0], 1<<19)
	_, err := devs[0].Alloc(1<<19 + 1)
	if !errors.Is(err, driver.ErrMemory) || !errors.Is(err, cu.ErrorOutOfMemory) ||
		!strings.Contains(err.Error(), fmt.Sprint(1<<19)) {
		t.Errorf("%v", err)
	}
}

// TestBrokenContext checks that the error of a broken context persists and says
// what to do.
func TestBrokenContext(t *testing.T) {
	err := error(&cu.Error{Func: "cuStreamQuery", Result: cu.ErrorIllegalAddress})
	for _, want := range []string{"cuStreamQuery", "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "opened again"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not speak of %s", err, want)
		}
	}
}
