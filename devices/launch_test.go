package devices_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestLaunchBuildsOnce(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	for range 3 {
		ok(t, d.Launch(program("a")))
	}
	ok(t, d.Launch(program("b")))
	l := program("a")
	l.Name = "second" // another entry point of the same text
	ok(t, d.Launch(l))
	l.Grid.Groups = 0
	ok(t, d.Launch(l))
	l.Grid.Groups = -1
	wantError(t, d.Launch(l), "fake:0", "-1 groups")
	if b, n := f.Count(drivertest.Build), f.Count(drivertest.Launch); b != 3 || n != 5 {
		t.Errorf("%d builds, %d launches", b, n)
	}
	if s := d.Stats(); s.Builds != 3 || s.Launches != 5 {
		t.Errorf("%+v", s)
	}
}

// TestOneBuildForMany lets many goroutines ask for one kernel at once.
func TestOneBuildForMany(t *testing.T) {
	var texts atomic.Int32
	d, f := fake(t, drivertest.Options{OnBuild: func(driver.Program) error {
		time.Sleep(20 * time.Millisecond)
		return nil
	}})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			l := program("a")
			l.C = func() string { texts.Add(1); return "text" }
			if err := d.Launch(l); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if b, n := f.Count(drivertest.Build), f.Count(drivertest.Launch); b != 1 || n != 16 || texts.Load() != 1 {
		t.Errorf("%d texts, %d builds, %d launches", texts.Load(), b, n)
	}
}

func TestFailedBuildIsTriedAgain(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	f.FailAt(drivertest.Build, 1, 1, errors.New("user.go:12: no such thing"))
	wantError(t, d.Launch(program("a")), "fake:0: map(a): ", "user.go:12: no such thing")
	ok(t, d.Launch(program("a")))

	l := program("b")
	l.C = func() string { panic("no text") }
	func() {
		defer func() { recover() }()
		d.Launch(l)
	}()
	ok(t, d.Launch(program("b"))) // would wait forever for the build that the panic ended
	l.C = nil
	l.Key = "another"
	wantError(t, d.Launch(l), "fake:0: map(b): the kernel has no device form")
}

func TestNativeLaunch(t *testing.T) {
	d, f := fake(t, drivertest.Options{Native: true})
	b := alloc(t, d, 4*1000)
	defer b.Free()
	x := driver.Slice[int32](b.Bytes())
	l := program("a")
	l.Go = func(g driver.Group) {
		for lo, hi := g.Range(1000); lo < hi; lo++ {
			x[lo] = int32(lo)
		}
	}
	ok(t, d.Launch(l))
	for i, v := range x {
		if v != int32(i) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
	if n := f.Count(drivertest.Build); n != 0 {
		t.Errorf("%d builds for a native device", n)
	}
	if s := d.Stats(); s.Launches != 1 || s.DeviceTime <= 0 {
		t.Errorf("%+v", s)
	}
	l.Go = nil
	wantError(t, d.Launch(l), "fake:0: map(a): this device runs only Go forms")
}

// plain hides that a native device implements driver.Runner.
type plain struct{ driver.Device }

func TestNativeDeviceThatIsNoRunner(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Native: true})
	d := devices.Wrap("plain", plain{f.Device(0)})
	defer d.Close()
	var ran atomic.Int64
	l := program("a")
	l.Go = func(driver.Group) { ran.Add(1) }
	ok(t, d.Launch(l))
	if ran.Load() != 4 {
		t.Errorf("%d groups ran", ran.Load())
	}
}

// TestErrorOfAKernelThatRunsLater checks that the first call that waits returns
// the error.
func TestErrorOfAKernelThatRunsLater(t *testing.T) {
	broken := errors.New("misaligned address")
	fail := true
	d, _ := fake(t, drivertest.Options{Lazy: true, OnLaunch: func(string, driver.Grid, []driver.Arg) error {
		if fail {
			return broken
		}
		return nil
	}})
	b := alloc(t, d, 16)
	defer b.Free()
	ok(t, d.Launch(program("a")))
	err := b.Read(0, make([]byte, 16))
	wantError(t, err, "fake:0: map(a): misaligned address")
	if !errors.Is(err, broken) {
		t.Error("the error does not wrap its cause")
	}
	ok(t, d.Launch(program("b")))
	wantError(t, d.Sync(), "misaligned address")
	for range 5000 { // more than maxPending
		ok(t, d.Launch(program("c")))
	}
	wantError(t, b.Read(0, make([]byte, 16)), "fake:0: map(c): misaligned address")
	fail = false
	ok(t, d.Sync())
}

func TestCounter(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	a, err := d.Counter()
	ok(t, err)
	b, err := d.Counter()
	ok(t, err)
	if a.Buf != b.Buf || a.Buf.Len() < 4 || f.Bytes(drivertest.Clear) != a.Buf.Len() {
		t.Errorf("%d bytes, %d zeroed", a.Buf.Len(), f.Bytes(drivertest.Write))
	}
	if s := d.Stats(); s.LiveBuffers != 0 || s.Uploads != 0 {
		t.Errorf("the counter is counted: %+v", s)
	}
}

func TestClose(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{})
	d := devices.Wrap("fake:0", f.Device(0))
	alloc(t, d, 100).Free()
	b := alloc(t, d, 100_000)
	ok(t, d.Launch(program("a")))
	ok(t, d.Close())
	ok(t, d.Close())
	ok(t, d.Sync())
	if f.Count(drivertest.Close) != 0 {
		t.Error("the driver's device was closed while a buffer was in use")
	}
	wantError(t, d.Launch(program("a")), "fake:0: map(a): launch after Close")
	wantError(t, b.Write(0, []byte{1}), "fake:0: write after Close")
	_, err := d.Alloc(1)
	wantError(t, err, "fake:0: allocation after Close")
	b.Free()
	if n, _ := f.Live(); n != 0 || f.Count(drivertest.Close) != 1 {
		t.Errorf("%d buffers left, closed %d times", n, f.Count(drivertest.Close))
	}
}

// TestEveryFailure makes each call of a driver fail once.
func TestEveryFailure(t *testing.T) {
	for _, opt := range []drivertest.Options{{}, {Native: true}, {Lazy: true}} {
		for _, checked := range []bool{false, true} {
			t.Run(fmt.Sprintf("native=%v,lazy=%v,checked=%v", opt.Native, opt.Lazy, checked), func(t *testing.T) {
				drivertest.FailEach(t, opt, func(f *drivertest.Fake) (err error) {
					d := devices.Wrap(f.Device(0).ID(), f.Device(0))
					d.SetChecked(checked)
					defer func() { err = errors.Join(err, d.Close()) }()
					a, err := d.Alloc(1000)
					if err != nil {
						return err
					}
					defer a.Free()
					b, err := d.Alloc(2000)
					if err != nil {
						return err
					}
					defer b.Free()
					p := make([]byte, 1000)
					for _, step := range []func() error{
						func() error { return a.Write(0, p) },
						func() error { return d.Launch(program("a")) },
						func() error { _, err := d.Counter(); return err },
						func() error { return b.Copy(0, a, 0, 1000) },
						func() error { return d.Launch(program("b")) },
						func() error { return b.Read(0, p) },
						d.Sync,
					} {
						if err := step(); err != nil {
							return err
						}
					}
					return nil
				})
			})
		}
	}
}

func TestLaunchIsCheap(t *testing.T) {
	d, _ := fake(t, drivertest.Options{Native: true})
	l := program("a")
	l.Grid.Groups = 1
	if n := testing.AllocsPerRun(100, func() { d.Launch(l) }); n > 1 {
		t.Errorf("%v allocations in a native launch", n) // one is the fake's record
	}
	null := devices.Wrap("null", nullDevice{})
	defer null.Close()
	l.Args = []driver.Arg{driver.Value(1)}
	if n := testing.AllocsPerRun(100, func() { null.Launch(l) }); n > 1 {
		t.Errorf("%v allocations in a launch", n)
	}
}

// nullDevice does nothing and reports at once that it has finished.
type nullDevice struct{}

func (nullDevice) Info() driver.Info                           { return driver.Info{Name: "null"} }
func (nullDevice) Alloc(int64) (driver.Buffer, error)          { return nil, driver.ErrMemory }
func (nullDevice) Build(driver.Program) (driver.Kernel, error) { return nullDevice{}, nil }
func (nullDevice) Sync() error                                 { return nil }
func (nullDevice) Close() error                                { return nil }
func (nullDevice) Wait() error                                 { return nil }
func (nullDevice) Elapsed() time.Duration                      { return 0 }
func (d nullDevice) Launch(driver.Grid, ...driver.Arg) (driver.Event, error) {
	return d, nil
}

// BenchmarkLaunch measures the overhead of this package on a driver's launch.
func BenchmarkLaunch(b *testing.B) {
	d := devices.Wrap("null", nullDevice{})
	defer d.Close()
	l := program("a")
	l.Args = []driver.Arg{driver.Value(1), driver.Value(2)}
	b.ReportAllocs()
	for b.Loop() {
		d.Launch(l)
	}
}

// BenchmarkNativeLaunch measures an empty launch on the CPU.
func BenchmarkNativeLaunch(b *testing.B) {
	devs, err := devices.Get("cpu")
	ok(b, err)
	for _, groups := range []int64{1, 2, 64} {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			l := program("a")
			l.Grid.Groups = groups
			b.ReportAllocs()
			for b.Loop() {
				devs[0].Launch(l)
			}
		})
	}
}
