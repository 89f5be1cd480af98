package paged_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/devices/paged"
)

func TestPeers(t *testing.T) {
	for name, opt := range map[string]drivertest.Options{"plain": {Devices: 2}, "lazy": {Devices: 2, Lazy: true}} {
		t.Run(name, func(t *testing.T) {
			f := drivertest.NewFake(opt)
			for _, limit := range []int64{64 << 20, 1 << 20} {
				p, q := paged.New(f.Device(0), limit), paged.New(f.Device(1), limit)
				drivertest.RunPeers(t, p.Page(), p.Page())
				drivertest.RunPeers(t, p.Page(), q.Page())
			}
		})
	}
}

func TestOpenCL(t *testing.T) {
	devs, err := opencl.Driver{}.Devices()
	if err != nil || len(devs) == 0 {
		t.Skip("no OpenCL device: ", err)
	}
	for _, limit := range []int64{1 << 30, 300 << 20} {
		p := paged.New(devs[0], limit)
		drivertest.Run(t, p.Page())
		drivertest.RunPeers(t, p.Page(), p.Page())
		p.Close()
	}
}

// TestContents makes random calls on more buffers than the device has memory for, and compares their
// contents with those of buffers in ordinary memory.
func TestContents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drivertest.NewFake(drivertest.Options{Lazy: rapid.Bool().Draw(t, "lazy")})
		const n = 4 << 10
		limit := rapid.Int64Range(2, 6).Draw(t, "buffers that fit") * n
		p := paged.New(f.Device(0), limit)
		pages := []*paged.Device{p.Page(), p.Page(), p.Page()}
		bufs, want := make([]driver.Buffer, 12), make([][]byte, 12)
		random := rand.New(rand.NewPCG(1, 2))
		fresh := func(size int) []byte {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			return b
		}
		often := rapid.SampledFrom([]int{1, 10, 1000}).Draw(t, "calls for each wait")
		wait := func(ev driver.Event, err error) {
			if err == nil {
				err = ev.Wait()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		leave := func(ev driver.Event, err error) {
			if err != nil || random.IntN(often) == 0 {
				wait(ev, err)
			}
		}
		closers := make([]func(), len(bufs))
		begin := func(i int, source bool) {
			var err error
			page := pages[i%len(pages)]
			if want[i] = fresh(n); source {
				r := &file{Reader: bytes.NewReader(append(fresh(5), want[i]...))}
				closers[i] = func() { r.closed.Store(true) }
				bufs[i], err = page.AllocFrom(r, 5, n)
			} else if bufs[i], err = page.Alloc(n); err == nil {
				closers[i] = func() {}
				wait(bufs[i].Write(0, want[i]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range bufs {
			begin(i, i%2 == 0)
		}
		k, err := pages[0].Build(increment)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 100).Draw(t, "calls") {
			i, j := rapid.IntRange(0, 11).Draw(t, "i"), rapid.IntRange(0, 11).Draw(t, "j")
			off := rapid.IntRange(0, n-1).Draw(t, "off")
			size := rapid.IntRange(1, n-off).Draw(t, "size")
			switch rapid.IntRange(0, 7).Draw(t, "call") {
			case 0:
				q := fresh(size)
				copy(want[i][off:], q)
				wait(bufs[i].Write(int64(off), q))
			case 1:
				q := make([]byte, size)
				wait(bufs[i].Read(int64(off), q))
				if !bytes.Equal(q, want[i][off:off+size]) {
					t.Fatalf("buffer %d, %d bytes from %d: wrong", i, size, off)
				}
			case 2:
				if i != j {
					leave(bufs[i].Copy(int64(off), bufs[j], int64(off), int64(size)))
					copy(want[i][off:off+size], want[j][off:])
				}
			case 3:
				leave(bufs[i].(driver.Clearer).Clear(int64(off), int64(size)))
				clear(want[i][off : off+size])
			case 4:
				leave(k.Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(bufs[i])))
				for x := range want[i] {
					want[i][x]++
				}
			case 5:
				wait(bufs[i].Write(0, want[j]))
				copy(want[i], want[j])
			case 6: // calls that only this buffer needed are not made
				if err := bufs[i].Free(); err != nil {
					t.Fatal(err)
				}
				closers[i]()
				begin(i, size%2 == 0)
			case 7:
				if i != j {
					bufs[i].(*paged.Buffer).Recycle()
					leave(bufs[i].Copy(0, bufs[j], 0, n))
					copy(want[i], want[j])
				}
			}
		}
		for i, b := range bufs {
			q := make([]byte, n)
			wait(b.Read(0, q))
			if !bytes.Equal(q, want[i]) {
				t.Fatalf("buffer %d: wrong", i)
			}
			if err := b.Free(); err != nil {
				t.Fatal(err)
			}
		}
		if peak := peak(f); peak > limit {
			t.Fatalf("%d bytes of the device were in use, %d are allowed", peak, limit)
		}
		_ = k.Close()
		p.Close()
		if count, size := f.Live(); count != 0 {
			t.Fatalf("%d buffers of %d bytes left", count, size)
		}
	})
}

// file is a reader that can be closed.
type file struct {
	*bytes.Reader
	closed atomic.Bool
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, os.ErrClosed
	}
	return f.Reader.ReadAt(p, off)
}

// TestNeeded checks that calls are made only if something can see what they change.
func TestNeeded(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Lazy: true})
	const n = 4 << 10
	p := paged.New(f.Device(0), 8*n)
	defer p.Close()
	page := p.Page()
	k, err := page.Build(increment)
	if err != nil {
		t.Fatal(err)
	}
	var bufs []driver.Buffer
	for range 4 {
		b, err := page.Alloc(n)
		if err == nil {
			_, err = b.Write(0, make([]byte, n))
		}
		if err == nil {
			_, err = k.Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(b))
		}
		if err != nil {
			t.Fatal(err)
		}
		bufs = append(bufs, b)
	}
	if _, err := bufs[1].Copy(0, bufs[0], 0, n); err != nil {
		t.Fatal(err)
	}
	var last driver.Event
	if last, err = bufs[2].Copy(0, bufs[1], 0, n); err != nil {
		t.Fatal(err)
	}
	free := func(i int, launches int) {
		t.Helper()
		if err := bufs[i].Free(); err != nil {
			t.Fatal(err)
		}
		if got := len(f.Calls(drivertest.Launch)); got != launches {
			t.Errorf("%d launches, want %d", got, launches)
		}
	}
	free(0, 0) // 1 and 2 still need its contents
	free(3, 0)
	free(1, 0)
	got := make([]byte, n)
	ev, err := bufs[2].Read(0, got)
	if err == nil {
		err = errors.Join(ev.Wait(), last.Wait())
	}
	if err != nil || got[0] != 1 || got[n-1] != 1 {
		t.Errorf("%v, bytes %d and %d, want 1", err, got[0], got[n-1])
	}
	free(2, 3) // all but that of 3
}

// TestNeededChain frees what long chains of calls on a few buffers compute, before it is computed.
func TestNeededChain(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Lazy: true})
	const n, length = 4 << 10, 5000
	p := paged.New(f.Device(0), 8*n)
	page := p.Page()
	k, err := page.Build(increment)
	if err != nil {
		t.Fatal(err)
	}
	bufs := make([]driver.Buffer, 3)
	for i := range bufs {
		if bufs[i], err = page.Alloc(n); err == nil {
			_, err = bufs[i].Write(0, make([]byte, n))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	grid := driver.Grid{Groups: 1, Lanes: 1}
	for i := range length {
		_, err := k.Launch(grid, driver.Memory(bufs[0]), driver.Memory(bufs[0])) // in place
		if err == nil {
			_, err = k.Launch(grid, driver.Memory(bufs[1+i%2]), driver.Memory(bufs[2-i%2])) // to and fro
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range bufs {
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
	_ = k.Close()
	p.Close()
	if got := len(f.Calls(drivertest.Launch)); got != 0 {
		t.Errorf("%d launches, want none", got)
	}
	if count, _ := f.Live(); count != 0 {
		t.Errorf("%d buffers left", count)
	}
}

// increment adds 1 to each byte of its argument.
var increment = driver.Program{
	Name: "increment",
	Go: func(_ driver.Group, args []driver.Arg) {
		p := args[0].Buf.(driver.HostMemory).Bytes()
		for i := range p {
			p[i]++
		}
	},
}

// peak returns the most bytes that buffers of a fake had at a time.
func peak(f *drivertest.Fake) (peak int64) {
	now := int64(0)
	for _, c := range f.Calls(drivertest.Alloc, drivertest.Free) {
		if c.Op == drivertest.Free {
			now -= c.Bytes
		} else {
			now += c.Bytes
		}
		peak = max(peak, now)
	}
	return peak
}
