package vector_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/vector"
)

// endless is a device with buffers of any length. They have no memory, and record the offsets and lengths of all
// calls.
type endless struct {
	driver.Device
	mu    sync.Mutex
	calls []string
}

func (d *endless) Alloc(n int64) (driver.Buffer, error) { return endlessBuffer{d, n}, nil }

func (d *endless) Info() driver.Info {
	info := d.Device.Info()
	info.Memory, info.MaxAlloc = 1<<60, 1<<60
	return info
}

func (d *endless) record(format string, args ...any) (driver.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, fmt.Sprintf(format, args...))
	return driver.Done, nil
}

type endlessBuffer struct {
	dev *endless
	n   int64
}

func (b endlessBuffer) Len() int64  { return b.n }
func (b endlessBuffer) Free() error { return nil }

func (b endlessBuffer) Write(off int64, p []byte) (driver.Event, error) {
	return b.dev.record("write %d at %d", len(p), off)
}

func (b endlessBuffer) Read(off int64, p []byte) (driver.Event, error) {
	return b.dev.record("read %d at %d", len(p), off)
}

func (b endlessBuffer) Copy(off int64, _ driver.Buffer, from, n int64) (driver.Event, error) {
	return b.dev.record("copy %d at %d from %d", n, off, from)
}

// TestHuge checks that lengths and offsets have 64 bits everywhere; SkelCL's had 32.
func TestHuge(t *testing.T) {
	dev := &endless{Device: drivertest.NewFake(drivertest.Options{}).Device(0)}
	d := devices.Wrap("endless:0", dev)
	const n = 1<<32 + 10
	v := vector.Uninitialized[float64](n, vector.Single(d))
	ok(t, v.Set(1<<32+3, 1))
	ok(t, v.Write(1<<31, []float64{1, 2, 3}))
	c := v.Clone()
	ok(t, c.Err())
	if v.Len() != n || c.Len() != n {
		t.Errorf("lengths %d and %d, want %d", v.Len(), c.Len(), n)
	}
	if b := d.Stats().LiveBytes; b != 2*8*n {
		t.Errorf("%d bytes are live, want %d", b, 2*8*n)
	}
	c.Free()
	v.Free()
	for _, n := range []int{1 << 60, 1<<61 + 1, math.MaxInt} { // the bytes overflow
		if v := vector.Uninitialized[float64](n, vector.Single(d)); v.Wait() == nil {
			t.Errorf("no error for a vector of %d elements", n)
		}
	}
	ok(t, d.Close())
	want := []string{"write 8 at 34359738392", "write 24 at 17179869184", "copy 34359738448 at 0 from 0"}
	if !slices.Equal(dev.calls, want) {
		t.Errorf("calls %q, want %q", dev.calls, want)
	}
}
