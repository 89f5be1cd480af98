package cuda_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	core "github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
)

func init() {
	kernels["scale"] = func(l *fakecuda.Launch) {
		x, by := driver.Slice[int32](l.Memory(0, 4*l.Int(2))), driver.Slice[int32](l.Memory(1, 4))
		for i := range x {
			x[i] *= by[0]
		}
	}
}

// steps holds launches, a copy and a clear that package devices records.
type steps struct {
	d        *core.Device
	x, y, by *core.Buffer
}

const stepped = 1000

// begin opens a device and sets x to the numbers from 1.
func begin(dev driver.Device) (s *steps, err error) {
	s = &steps{d: core.Wrap("cuda:0", dev)}
	for _, b := range []struct {
		to **core.Buffer
		n  int64
	}{{&s.x, 4 * stepped}, {&s.y, 4 * stepped}, {&s.by, 4}} {
		if *b.to, err = s.d.Alloc(b.n); err != nil {
			return s, err
		}
	}
	x := make([]int32, stepped)
	for i := range x {
		x[i] = int32(i + 1)
	}
	return s, errors.Join(s.x.Write(0, driver.Bytes(x)), s.y.Write(0, driver.Bytes(x)),
		s.by.Write(0, driver.Bytes([]int32{1})))
}

func (s *steps) end() error {
	for _, b := range []*core.Buffer{s.x, s.y, s.by} {
		if b != nil {
			b.Free()
		}
	}
	return s.d.Close()
}

func launchOf(name, parameters string, args ...driver.Arg) core.Launch {
	return core.Launch{
		Name: name, Key: name, C: func() string { return "KERNEL " + name + "(CTX_K " + parameters + ") {}\n" },
		Grid: driver.Grid{Groups: 4, Lanes: 64}, Args: args,
	}
}

// run sets x to 3x + by + 5, and y to a copy of x with two zeros.
func (s *steps) run() error {
	n := driver.Value(int64(stepped))
	return errors.Join(
		s.d.Launch(launchOf("scale", "GLOBAL i32 *x, GLOBAL i32 *by, i64 n", s.x.Arg(), s.by.Arg(), n)),
		s.d.Launch(launchOf("advance", "GLOBAL i32 *x, i64 n, i32 k", s.x.Arg(), n, driver.Value(int32(5)))),
		s.y.Copy(0, s.x, 0, 4*stepped),
		s.y.Clear(0, 8),
	)
}

// want checks x, whose first element is first, and y.
func (s *steps) want(t *testing.T, first int32) {
	t.Helper()
	x, y := make([]int32, stepped), make([]int32, stepped)
	if err := errors.Join(s.x.Read(0, driver.Bytes(x)), s.y.Read(0, driver.Bytes(y))); err != nil {
		t.Fatal(err)
	}
	if x[0] != first || y[0] != 0 || y[1] != 0 || y[2] != x[2] || y[stepped-1] != x[stepped-1] {
		t.Errorf("x begins with %d, want %d; y is %v...%d, x ends with %d",
			x[0], first, y[:3], y[stepped-1], x[stepped-1])
	}
}

// TestReplayIsOneCall checks that a recording is one graph, replayed with one
// call, and that a number written between two replays affects the next one.
func TestReplayIsOneCall(t *testing.T) {
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			c := fakecuda.Install(t, fakecuda.Options{Memory: 1 << 30, Kernels: kernels, Eager: eager})
			devs, err := cuda.Driver{}.Devices()
			if err != nil {
				t.Fatal(err)
			}
			s, err := begin(devs[0])
			if err != nil {
				t.Fatal(err)
			}
			before := c.Count("cuLaunchKernel")
			r, err := core.Record(s.run)
			if err != nil {
				t.Fatal(err)
			}
			if n := c.Count("cuLaunchKernel") - before; n != 2 {
				t.Errorf("%d launches were captured, want 2", n)
			}
			for _, call := range []string{"cuStreamBeginCapture_v2", "cuStreamEndCapture",
				"cuGraphInstantiateWithFlags", "cuGraphUpload", "cuGraphDestroy"} {
				if n := c.Count(call); n != 1 {
					t.Errorf("%s was called %d times, want once", call, n)
				}
			}
			want := int32(1)
			for i := range int32(6) {
				if err := s.by.Write(0, driver.Bytes([]int32{i})); err != nil {
					t.Fatal(err)
				}
				at := len(c.Calls())
				if err := r.Replay(2); err != nil {
					t.Fatal(err)
				}
				calls := slices.DeleteFunc(c.Calls()[at:], func(name string) bool {
					return name == "cuCtxSetCurrent" || strings.HasPrefix(name, "cuStreamWait") ||
						strings.HasPrefix(name, "cuEvent")
				})
				if !slices.Equal(calls, []string{"cuGraphLaunch", "cuGraphLaunch"}) {
					t.Errorf("two replays are %v", calls)
				}
				for range 2 {
					want = 3*want*i + 5
				}
				s.want(t, want)
			}
			if n := s.d.Stats().Launches; n != 2*12 {
				t.Errorf("%d launches are counted, want 24", n)
			}
			if err := errors.Join(r.Close(), s.end()); err != nil {
				t.Error(err)
			}
			if left := cu.Live(); left != (cu.Counts{}) {
				t.Errorf("CUDA objects left over: %+v", left)
			}
		})
	}
}

// TestRecordingFails checks that any failure between the start of a capture and
// the upload of its graph is reported, and that the device can still compute
// and record.
func TestRecordingFails(t *testing.T) {
	c := fakecuda.Install(t, fakecuda.Options{Memory: 1 << 30, Kernels: kernels})
	attempt := func() (recorded error) {
		devs, err := cuda.Driver{}.Devices()
		if err != nil {
			t.Fatal(err)
		}
		s, err := begin(devs[0])
		if err != nil {
			t.Fatal(err)
		}
		r, recorded := core.Record(s.run)
		if recorded == nil {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := s.run(); err != nil {
			t.Fatalf("after %v: %v", recorded, err)
		}
		s.want(t, 3*1+5)
		r, err = core.Record(s.run)
		if err != nil {
			t.Fatalf("a recording after %v: %v", recorded, err)
		}
		if err := errors.Join(r.Replay(1), r.Close()); err != nil {
			t.Fatalf("after %v: %v", recorded, err)
		}
		s.want(t, 3*8+5)
		if err := s.end(); err != nil {
			t.Errorf("after %v: %v", recorded, err)
		}
		if left := cu.Live(); left != (cu.Counts{}) {
			t.Errorf("after %v: CUDA objects left over: %+v", recorded, left)
		}
		return recorded
	}
	if err := attempt(); err != nil {
		t.Fatal(err)
	}
	calls := c.Calls()
	first, last := slices.Index(calls, "cuStreamBeginCapture_v2"), slices.Index(calls, "cuGraphUpload")
	if first < 0 || last < first+6 {
		t.Fatalf("the calls of a recording are from %d to %d", first, last)
	}
	for i, name := range calls[first : last+1] {
		if name == "cuCtxSetCurrent" {
			continue
		}
		c.FailAt(first+i+1, cu.ErrorUnknown)
		err := attempt()
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "cuda:0: recording") {
			t.Errorf("%s fails: %v", name, err)
		}
	}
}
