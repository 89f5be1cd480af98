package devices_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestBufferTransfers(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int64{0, 1, 255, 257, 1 << 20} {
			a, b := alloc(t, d, n), alloc(t, d, n)
			if a.Len() != n || a.Device() != d {
				t.Errorf("%d bytes on %v", a.Len(), a.Device())
			}
			p, q := bytes.Repeat([]byte{7}, int(n)), make([]byte, n)
			ok(t, a.Write(0, p))
			ok(t, b.Copy(0, a, 0, n))
			ok(t, b.Read(0, q))
			if !bytes.Equal(p, q) {
				t.Errorf("%d bytes come back different", n)
			}
			if d.Native() != (a.Bytes() != nil) || d.Native() && int64(len(a.Bytes())) != n {
				t.Errorf("Bytes has %d of %d bytes", len(a.Bytes()), n)
			}
			a.Free()
			b.Free()
		}
	})
}

func TestBufferRanges(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	other, _ := fake(t, drivertest.Options{Name: "other"})
	a, b, c := alloc(t, d, 100), alloc(t, d, 100), alloc(t, other, 100)
	defer func() { a.Free(); b.Free(); c.Free() }()
	p := make([]byte, 10)
	wantError(t, a.Write(91, p), "fake:0", "write of 10 bytes at offset 91 of a buffer of 100")
	wantError(t, a.Write(-1, p), "write")
	wantError(t, a.Read(math.MaxInt64, p), "read")
	wantError(t, a.Copy(0, b, 91, 10), "copy of 10 bytes at offset 91")
	wantError(t, a.Copy(91, b, 0, 10), "copy of 10 bytes at offset 91")
	wantError(t, a.Copy(0, b, 0, -1), "copy")
	wantError(t, a.Copy(5, a, 0, 10), "overlap")
	wantError(t, a.Copy(91, c, 0, 10), "fake:0", "copy of 10 bytes at offset 91")
	wantError(t, a.Copy(0, c, 91, 10), "other:0", "copy of 10 bytes at offset 91")
	wantError(t, a.Copy(0, c, 0, -1), "copy")
	ok(t, a.Write(100, nil))
	ok(t, a.Copy(10, a, 0, 10))
	if n := f.Count(drivertest.Write); n != 0 {
		t.Errorf("%d bad or empty writes came through to the driver", n)
	}
	if _, err := d.Alloc(-1); err == nil {
		t.Error("Alloc(-1) succeeded")
	}
}

func TestUseAfterFree(t *testing.T) {
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprintf("checked=%v", checked), func(t *testing.T) {
			d, _ := fake(t, drivertest.Options{})
			d.SetChecked(checked)
			b, other := alloc(t, d, 100), alloc(t, d, 100)
			defer other.Free()
			b.Free()
			where := "SKEL_CHECK=1 reports where"
			if checked {
				where = "100 bytes on fake:0, allocated at main_test.go:"
			}
			wantPanic(t, b.Free, "skelgo: buffer freed twice", where)
			for _, use := range []func(){
				func() { b.Arg() },
				func() { b.Bytes() },
				func() { b.Write(0, nil) },
				func() { b.Read(0, nil) },
				func() { b.Copy(0, other, 0, 1) },
				func() { other.Copy(0, b, 0, 1) },
			} {
				wantPanic(t, use, "skelgo: buffer used after Free", where)
			}
			if checked {
				wantPanic(t, b.Free, "freed at buffer_test.go:")
			}
			if n := d.Stats().LiveBuffers; n != 1 {
				t.Errorf("%d live buffers", n)
			}
		})
	}
}

// TestSpent checks that a freed buffer may be reused unless its history is
// still needed.
func TestSpent(t *testing.T) {
	d, _ := fake(t, drivertest.Options{})
	var b devices.Buffer
	for n := range int64(3) {
		ok(t, d.AllocTo(&b, n+1))
		if b.Spent() {
			t.Error("a buffer is spent before it is freed")
		}
		p := []byte{7}
		ok(t, errors.Join(b.Write(n, p), b.Read(n, p)))
		if b.Len() != n+1 {
			t.Errorf("a buffer of %d bytes, want %d", b.Len(), n+1)
		}
		b.Free()
		if !b.Spent() {
			t.Error("a freed buffer is not spent")
		}
		wantPanic(t, b.Free, "freed twice")
	}
	d.SetChecked(true)
	checked := alloc(t, d, 1)
	d.SetChecked(false)
	used := alloc(t, d, 1)
	var own *devices.Buffer
	r, err := devices.Record(func() (err error) {
		own, err = d.Alloc(1)
		used.Arg()
		return err
	})
	ok(t, err)
	for name, b := range map[string]*devices.Buffer{"checked mode's": checked, "a recording's": own,
		"used by a recording": used} {
		b.Free()
		if b.Spent() {
			t.Errorf("buffer (%s) is spent after Free", name)
		}
	}
	ok(t, r.Close())
}

func TestSizeClasses(t *testing.T) {
	for _, n := range []int64{0, 1, 255, 256, 257, 4096, 4097, 1<<20 - 1, 1 << 20, 1<<20 + 1, 1<<40 + 12345} {
		c := devices.SizeClass(n)
		if c < n || c < 256 || c%32 != 0 || n > 256 && float64(c) > 1.126*float64(n) {
			t.Errorf("%d bytes get %d", n, c)
		}
		if devices.SizeClass(c) != c {
			t.Errorf("class %d is in class %d", c, devices.SizeClass(c))
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 3 << 29: "1.5 GiB",
		1 << 60: "1 EiB"} {
		if got := devices.FormatSize(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestPoolReuses(t *testing.T) {
	d, f := fake(t, drivertest.Options{})
	for range 10 {
		a, b := alloc(t, d, 1000), alloc(t, d, 1010)
		a.Free()
		b.Free()
	}
	if n := f.Count(drivertest.Alloc); n != 2 {
		t.Errorf("%d allocations by the driver for 20 buffers, two at a time", n)
	}
}

func TestPoolIsBounded(t *testing.T) {
	d, f := fake(t, drivertest.Options{Memory: 8 * 100 << 20}) // the pool holds 100 MiB
	var bufs []*devices.Buffer
	for i := range int64(30) {
		bufs = append(bufs, alloc(t, d, (1+i%7)<<20))
	}
	for _, b := range bufs {
		b.Free()
	}
	if _, bytes := f.Live(); bytes > 100<<20 || bytes < 90<<20 || bytes != devices.PoolBytes(d) {
		t.Errorf("%d bytes left with the driver, %d in the pool", bytes, devices.PoolBytes(d))
	}
	alloc(t, d, 200<<20).Free() // too large to keep
	if n := devices.PoolBytes(d); n > 100<<20 {
		t.Errorf("%d bytes in the pool", n)
	}
}

func TestOutOfMemory(t *testing.T) {
	d, f := fake(t, drivertest.Options{Memory: 1 << 30})
	var bufs []*devices.Buffer
	for range 8 {
		bufs = append(bufs, alloc(t, d, 16<<20))
	}
	for _, b := range bufs {
		b.Free()
	}
	if devices.PoolBytes(d) != 128<<20 {
		t.Fatalf("%d bytes in the pool", devices.PoolBytes(d))
	}
	b := alloc(t, d, 1<<30-5) // all there is: its class would be more, and the pool has to go
	if devices.PoolBytes(d) != 0 {
		t.Errorf("%d bytes in the pool of a device without free memory", devices.PoolBytes(d))
	}
	_, err := d.Alloc(1 << 20)
	wantError(t, err, "fake:0: out of memory: asked for 1 MiB, 5 bytes of 1 GiB are free")
	e, _ := errors.AsType[*devices.MemoryError](err)
	if e == nil || e.Device != "fake:0" || e.Asked != 1<<20 || e.Free != 5 || e.Total != 1<<30 ||
		!errors.Is(err, driver.ErrMemory) {
		t.Errorf("%#v", err)
	}
	b.Free()
	_, err = d.Alloc(1 << 40)
	wantError(t, err, "asked for 1 TiB")
	if !errors.Is(err, driver.ErrMemory) {
		t.Errorf("%#v", err)
	}
	f.FailAt(drivertest.Alloc, 1, 1, nil)
	_, err = d.Alloc(1 << 12)
	wantError(t, err, "fake:0: allocation of 4 KiB", "injected")
}

func TestCPURefusesWhatTheMachineHasNot(t *testing.T) {
	devs, err := devices.Get("cpu")
	ok(t, err)
	for _, n := range []int64{devs[0].Info().Memory + 1, 1 << 50, math.MaxInt64} {
		_, err = devs[0].Alloc(n)
		wantError(t, err, "cpu: out of memory: asked for")
	}
}

func TestBuffersFromManyGoroutines(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		var wg sync.WaitGroup
		for g := range byte(8) {
			wg.Go(func() {
				for i := range 50 {
					n := 100 + i*37
					b, err := d.Alloc(int64(n))
					if err != nil {
						t.Error(err)
						return
					}
					p, q := bytes.Repeat([]byte{g}, n), make([]byte, n)
					if err := errors.Join(b.Write(0, p), b.Read(0, q)); err != nil || !bytes.Equal(p, q) {
						t.Errorf("%d bytes of goroutine %d come back different (%v)", n, g, err)
					}
					b.Free()
				}
			})
		}
		wg.Wait()
	})
}
