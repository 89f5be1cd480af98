package paged_test

import (
	"bytes"
	"math/rand/v2"
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
		for i := range bufs {
			var err error
			page := pages[i%len(pages)]
			if want[i] = fresh(n); i%2 == 0 {
				bufs[i], err = page.AllocFrom(bytes.NewReader(append(fresh(5), want[i]...)), 5, n)
			} else if bufs[i], err = page.Alloc(n); err == nil {
				wait(bufs[i].Write(0, want[i]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		k, err := pages[0].Build(increment)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 100).Draw(t, "calls") {
			i, j := rapid.IntRange(0, 11).Draw(t, "i"), rapid.IntRange(0, 11).Draw(t, "j")
			off := rapid.IntRange(0, n-1).Draw(t, "off")
			size := rapid.IntRange(1, n-off).Draw(t, "size")
			switch rapid.IntRange(0, 5).Draw(t, "call") {
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
