package skel_test

import (
	"errors"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// idle is a device that accepts every call and does nothing, so that only the host's part of a call
// remains.
type idle struct{ kind driver.Kind }

type idleBuffer int64

type idleKernel struct{}

type idleEvent struct{}

func (i idle) Info() driver.Info {
	return driver.Info{
		Name: "idle", Kind: i.kind, Units: 4, Memory: 1 << 40, MaxAlloc: 1 << 40,
		LocalMemory: 48 << 10, MaxGroup: 1024, Float64: true, Warp: 32,
	}
}
func (i idle) Alloc(n int64) (driver.Buffer, error)                        { b := idleBuffer(n); return &b, nil }
func (i idle) Build(driver.Program) (driver.Kernel, error)                 { return idleKernel{}, nil }
func (i idle) Sync() error                                                 { return nil }
func (i idle) Close() error                                                { return nil }
func (i idle) SetTiming(bool)                                              {}
func (b *idleBuffer) Len() int64                                           { return int64(*b) }
func (b *idleBuffer) Write(int64, []byte) (driver.Event, error)            { return driver.Done, nil }
func (b *idleBuffer) Read(int64, []byte) (driver.Event, error)             { return driver.Done, nil }
func (b *idleBuffer) Clear(int64, int64) (driver.Event, error)             { return driver.Done, nil }
func (b *idleBuffer) Free() error                                          { return nil }
func (idleKernel) Launch(driver.Grid, ...driver.Arg) (driver.Event, error) { return idleEvent{}, nil }
func (idleKernel) Close() error                                            { return nil }
func (idleEvent) Wait() error                                              { return nil }
func (idleEvent) Elapsed() time.Duration                                   { return 0 }
func (b *idleBuffer) Copy(int64, driver.Buffer, int64, int64) (driver.Event, error) {
	return driver.Done, nil
}

// calls returns skeleton calls on 1000 elements, with the number of objects that each may allocate:
// an expression for each function whose result is a new vector; a container for a result, whose device
// memory is recycled; for an extra argument, the result of With and the argument of the call; one for
// the single segment of a scan; an index vector, as an interface value and as an input; a weak pointer
// for a pending expression.
func calls(d *devices.Device) []call {
	const n = 1000
	on := vector.Single(d)
	x, y, out := vector.New[float32](n, on), vector.New[float32](n, on), vector.New[float32](n, on)
	to := vector.New[int32](n, on)
	bound := points.With(line{2, 1})
	one := vector.NewScalar[float32](0, on)
	all := []call{
		{"Map.ApplyTo", 0, func() error { return squares.ApplyTo(out, x) }},
		{"Map.ApplyTo in place", 0, func() error { return squares.ApplyTo(x, x) }},
		{"MapWith.With.ApplyTo", 2, func() error { return points.With(line{2, 1}).ApplyTo(out, x) }},
		{"MapWith.ApplyTo", 1, func() error { return bound.ApplyTo(out, x) }},
		{"Zip.ApplyTo", 0, func() error { return times.ApplyTo(out, x, y) }},
		{"ZipVoidWith.With.Apply", 4, func() error {
			return permute.With(permutation{to.View(), out.OutView()}).Apply(vector.Indices(n), x)
		}},
		{"Reduce.Apply", 1, func() error {
			s := sum.Apply(x)
			defer s.Free()
			return s.Err()
		}},
		{"Zip+Reduce.Apply", 4, func() error {
			s := sum.Apply(times.Apply(x, y))
			defer s.Free()
			return s.Err()
		}},
		{"Scalar.Set", 1, func() error { return one.Set(3) }},
	}
	if d.Kind() == driver.GPU && d.Info().Warp > 0 { // other devices do not scan few elements in one launch
		all = append(all, call{"Scan.InclusiveTo", 1, func() error { return sums.InclusiveTo(out, x) }})
	}
	return all
}

var sums = skel.NewScan(add, 0)

type call struct {
	name   string
	allocs float64
	run    func() error
}

// TestAllocations checks that a call in steady state allocates no more than calls says. On PoCL the count
// includes the OpenCL driver, which must not allocate.
func TestAllocations(t *testing.T) {
	if devicestest.RaceDetector {
		t.Skip("see devicestest.RaceDetector")
	}
	devs := []*devices.Device{devices.Wrap("idle:cpu", idle{driver.CPU}), devices.Wrap("idle:gpu", idle{driver.GPU})}
	for _, d := range devs {
		defer d.Close()
	}
	for _, d := range devicestest.All(t) {
		if !d.Native() {
			devs = append(devs, d)
		}
	}
	for _, d := range devs {
		for _, c := range calls(d) {
			if err := c.run(); err != nil {
				t.Fatal(d, c.name, err)
			}
			got := testing.AllocsPerRun(500, func() {
				if err := c.run(); err != nil {
					t.Fatal(c.name, err)
				}
			})
			if got > c.allocs {
				t.Errorf("%v: %s: %v allocations, want at most %v", d, c.name, got, c.allocs)
			}
			if err := d.Sync(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOneLaunchPerCall checks that a repeated call is one launch and nothing else: no build, no upload, no
// download, no copy.
func TestOneLaunchPerCall(t *testing.T) {
	d := devices.Wrap("idle", idle{driver.GPU})
	defer d.Close()
	for _, c := range calls(d) {
		if c.name == "Scalar.Set" {
			continue
		}
		var s devices.Stats
		for range 2 { // the first call builds the kernel
			before := d.Stats()
			if err := c.run(); err != nil {
				t.Fatal(err)
			}
			s = d.Stats().Sub(before)
		}
		if s.Launches != 1 || s.Builds+s.CacheHits+s.Uploads+s.Downloads+s.Copies != 0 {
			t.Errorf("%s: %+v, want 1 launch and nothing else", c.name, s)
		}
	}
}

// BenchmarkCall measures what a call costs the host: it is enqueued and not waited for.
func BenchmarkCall(b *testing.B) {
	idles := devices.Wrap("idle", idle{driver.GPU})
	defer idles.Close()
	for _, d := range append([]*devices.Device{idles}, devicestest.All(b)...) {
		for _, c := range calls(d) {
			b.Run(c.name+"/device="+d.ID(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.run(); err != nil {
						b.Fatal(err)
					}
				}
				if err := d.Sync(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkLoop measures a call in a sequence of 100 that depend on each other; it waits for the last.
func BenchmarkLoop(b *testing.B) {
	const calls = 100
	idles := devices.Wrap("idle", idle{driver.GPU})
	defer idles.Close()
	for _, d := range append([]*devices.Device{idles}, devicestest.All(b)...) {
		x := vector.New[float32](1000, vector.Single(d))
		body := func() error {
			for range calls {
				if err := squares.ApplyTo(x, x); err != nil {
					return err
				}
			}
			return nil
		}
		loop, err := skel.Record(body)
		if err != nil {
			b.Fatal(err)
		}
		replay := func() error { return loop.Run(1) }
		for name, run := range map[string]func() error{"called": body, "replayed": replay} {
			b.Run(name+"/device="+d.ID(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := errors.Join(run(), d.Sync()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
			})
		}
		if err := loop.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
