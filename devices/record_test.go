package devices_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// hidden is a device without its optional interfaces.
type hidden struct{ driver.Device }

// recordable opens a fake device whose driver records, or does not.
func recordable(t *testing.T, graph, lazy bool) (*devices.Device, *drivertest.Fake) {
	f := drivertest.NewFake(drivertest.Options{Lazy: lazy,
		OnLaunch: func(_ string, _ driver.Grid, args []driver.Arg) error {
			p := args[0].Buf.(driver.HostMemory).Bytes()
			p[0] += byte(args[1].Bits)
			return nil
		}})
	var dev driver.Device = f.Device(0)
	if !graph {
		dev = hidden{dev}
	}
	d := devices.Wrap("fake:0", dev)
	t.Cleanup(func() {
		ok(t, d.Close())
		if n, _ := f.Live(); n != 0 {
			t.Errorf("%d buffers left", n)
		}
	})
	return d, f
}

func add(b *devices.Buffer, n byte) devices.Launch {
	l := program("add")
	l.Args = []driver.Arg{b.Arg(), driver.Value(n)}
	return l
}

// TestRecord checks that drivers that record and drivers that do not behave the
// same.
func TestRecord(t *testing.T) {
	for _, graph := range []bool{true, false} {
		for _, lazy := range []bool{true, false} {
			d, f := recordable(t, graph, lazy)
			a, b := alloc(t, d, 16), alloc(t, d, 16)
			ok(t, a.Clear(0, 16))
			ok(t, b.Clear(0, 16))
			var inner *devices.Buffer
			before := d.Stats()
			r, err := devices.Record(func() error {
				l := add(a, 1)
				ok(t, d.Launch(l))
				l.Args[1] = driver.Value(byte(77)) // arguments are copied
				ok(t, b.Copy(4, a, 0, 4))
				tmp := alloc(t, d, 16)
				ok(t, tmp.Copy(0, a, 0, 16))
				tmp.Free()
				inner = alloc(t, d, 16) // may reuse the memory of tmp because recorded work runs in order
				ok(t, inner.Clear(0, 16))
				ok(t, d.Launch(add(inner, 9)))
				return nil
			})
			ok(t, err)
			if s := d.Stats().Sub(before); s.Launches+s.Copies != 0 ||
				f.Count(drivertest.Launch) != map[bool]int{true: 2}[graph] {
				t.Errorf("graph %t: executed while recording: %+v", graph, s)
			}
			ok(t, r.Replay(1))
			ok(t, r.Replay(2))
			if s := d.Stats().Sub(before); s.Launches != 6 || s.Copies != 6 {
				t.Errorf("graph %t: %d launches and %d copies", graph, s.Launches, s.Copies)
			}
			if n := f.Count(drivertest.Replay); n != map[bool]int{true: 3}[graph] {
				t.Errorf("graph %t: %d replays", graph, n)
			}
			got := make([]byte, 16)
			ok(t, b.Read(0, got))
			if got[4] != 3 {
				t.Errorf("graph %t: the copy is %d", graph, got[4])
			}
			ok(t, inner.Read(0, got))
			if got[0] != 9 {
				t.Errorf("graph %t: it is %d", graph, got[0])
			}
			inner.Free() // it is owned by the recording
			others := []*devices.Buffer{alloc(t, d, 16), alloc(t, d, 16), alloc(t, d, 16)}
			for _, o := range others {
				ok(t, o.Clear(0, 16))
			}
			ok(t, r.Replay(1))
			for _, o := range others {
				ok(t, o.Read(0, got))
				if slices.Max(got) != 0 {
					t.Errorf("graph %t: a replay wrote to another's memory", graph)
				}
				o.Free()
			}
			d.SetChecked(true) // replayed step by step
			f.Reset()
			ok(t, r.Replay(1))
			if l := f.Calls(drivertest.Launch); len(l) != 2 || l[0].Args != 3 { // including the report
				t.Errorf("graph %t: launches in checked mode: %+v", graph, l)
			}
			if n := f.Count(drivertest.Replay); n != 0 {
				t.Errorf("graph %t: %d replays in checked mode", graph, n)
			}
			d.SetChecked(false)
			ok(t, r.Close())
			ok(t, r.Close())
			wantError(t, r.Replay(1), "closed")
			a.Free()
			b.Free()
			if s := d.Stats(); s.LiveBuffers != 0 {
				t.Errorf("%d buffers are live", s.LiveBuffers)
			}
		}
	}
}

// TestRecordFails makes each call of the driver fail in turn.
func TestRecordFails(t *testing.T) {
	drivertest.FailEach(t, drivertest.Options{}, func(f *drivertest.Fake) error {
		d := devices.Wrap("fake:0", f.Device(0))
		a, err := d.Alloc(16)
		if err != nil {
			return errors.Join(err, d.Close())
		}
		r, err := devices.Record(func() error {
			l := program("a")
			l.Args = []driver.Arg{a.Arg()}
			b, err := d.Alloc(16)
			if err != nil {
				return err
			}
			defer b.Free()
			return errors.Join(d.Launch(l), a.Clear(0, 8), b.Copy(0, a, 0, 8))
		})
		if err == nil {
			err = errors.Join(r.Replay(2), r.Close())
		}
		a.Free()
		return errors.Join(err, d.Close())
	})
}

// TestReplayAfterFree replays a recording that uses a freed buffer.
func TestReplayAfterFree(t *testing.T) {
	d, _ := recordable(t, true, false)
	a := alloc(t, d, 16)
	r, err := devices.Record(func() error { return d.Launch(add(a, 1)) })
	ok(t, err)
	a.Free()
	wantError(t, r.Replay(1), "was freed")
	ok(t, r.Close())
}

// slow is a fake whose events wait until finish is closed. It signals when a
// wait and when a capture begins.
type slow struct {
	driver.Device
	waits, captures chan struct{}
	finish          chan struct{}
}

type slowKernel struct {
	driver.Kernel
	dev *slow
}

type slowEvent struct {
	driver.Event
	dev *slow
}

func (s *slow) Build(p driver.Program) (driver.Kernel, error) {
	k, err := s.Device.Build(p)
	return slowKernel{k, s}, err
}

func (k slowKernel) Launch(g driver.Grid, args ...driver.Arg) (driver.Event, error) {
	ev, err := k.Kernel.Launch(g, args...)
	return slowEvent{ev, k.dev}, err
}

func (e slowEvent) Wait() error {
	close(e.dev.waits)
	<-e.dev.finish
	return e.Event.Wait()
}

func (s *slow) Record() error {
	close(s.captures)
	return s.Device.(driver.Recorder).Record()
}

func (s *slow) EndRecord() (driver.Recording, error) { return s.Device.(driver.Recorder).EndRecord() }

// TestCaptureWaits checks that no capture begins while a goroutine waits for
// the device: a driver cannot wait during a capture.
func TestCaptureWaits(t *testing.T) {
	for name, wait := range map[string]func(*devices.Device, *devices.Buffer) error{
		"Sync": func(d *devices.Device, _ *devices.Buffer) error { return d.Sync() },
		"Read": func(_ *devices.Device, b *devices.Buffer) error { return b.Read(0, make([]byte, 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			f := drivertest.NewFake(drivertest.Options{})
			s := &slow{f.Device(0), make(chan struct{}), make(chan struct{}), make(chan struct{})}
			d := devices.Wrap("fake:0", s)
			defer d.Close()
			d.SetTiming(true)
			b, other := alloc(t, d, 16), alloc(t, d, 16)
			defer b.Free()
			defer other.Free()
			ok(t, d.Launch(add(b, 1)))
			waited, recorded := make(chan error, 1), make(chan error, 1)
			go func() { waited <- wait(d, b) }()
			<-s.waits
			go func() {
				r, err := devices.Record(func() error { return other.Copy(0, b, 0, 16) })
				if err == nil {
					err = r.Close()
				}
				recorded <- err
			}()
			select {
			case <-s.captures:
				t.Error("a capture began while a goroutine was waiting")
			case <-time.After(50 * time.Millisecond):
			}
			close(s.finish)
			ok(t, <-waited)
			ok(t, <-recorded)
			<-s.captures
		})
	}
}

// TestScratch checks that the memory grows and that it is not freed while a
// recording may use it.
func TestScratch(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	a, err := d.Scratch(100)
	ok(t, err)
	b, err := d.Scratch(a.Buf.Len())
	ok(t, err)
	c, err := d.Scratch(a.Buf.Len() + 1)
	ok(t, err)
	if a.Buf != b.Buf || c.Buf == a.Buf || c.Buf.Len() < 2*a.Buf.Len() || f.Count(drivertest.Free) != 0 {
		t.Errorf("%d, then %d bytes, %d freed", a.Buf.Len(), c.Buf.Len(), f.Count(drivertest.Free))
	}
	p, err := d.Persistent("flags", 1000)
	ok(t, err)
	p.Buf.Write(0, []byte{1, 2, 3})
	q, err := d.Persistent("flags", 500)
	ok(t, err)
	other, err := d.Persistent("others", 500)
	ok(t, err)
	if q.Buf != p.Buf || other.Buf == p.Buf {
		t.Error("persistent memory is not what its name says")
	}
	grown, err := d.Persistent("flags", p.Buf.Len()+1)
	ok(t, err)
	if got := grown.Buf.(driver.HostMemory).Bytes(); slices.Max(got) != 0 ||
		len(got) <= len(p.Buf.(driver.HostMemory).Bytes()) {
		t.Errorf("grown to %d bytes, beginning with %v", len(got), got[:4])
	}
}
