package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/mpi"
)

// joined is the devices of all ranks, as one of them sees them.
type joined struct {
	*mpi.World
	*mpi.Kind
}

// join makes worlds whose ranks have the devices that find returns.
func join(t *testing.T, n int, find func(rank int) []driver.Device, f func(j joined) error) {
	t.Helper()
	succeed(t, worlds(n), func(w *mpi.World) error {
		if err := w.Meet(mpi.Process{Host: "here"}); err != nil {
			return err
		}
		found := mpi.Found{Devices: find(w.Rank())}
		k, err := w.Join("fake", found, func(i int) string { return fmt.Sprint("fake:", i) })
		if err != nil {
			return err
		}
		return errors.Join(f(joined{w, k}), w.Close())
	})
}

// fakes returns count fake devices of a rank.
func fakes(count int, o drivertest.Options) []driver.Device {
	o.Name, o.Devices = "fake", count
	devs, err := drivertest.NewFake(o).Devices()
	if err != nil {
		panic(err)
	}
	return devs
}

func ok(ev driver.Event, err error) error {
	if err != nil {
		return err
	}
	return ev.Wait()
}

// TestCopies copies between devices of one rank and of several, and reads the results on all.
func TestCopies(t *testing.T) {
	for name, o := range map[string]drivertest.Options{
		"native": {Native: true}, "compiled": {}, "lazy": {Lazy: true}, "apart": {Apart: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Memory = 1 << 20
			find := func(int) []driver.Device { return fakes(2, o) }
			join(t, 2, find, func(j joined) error {
				if want := []string{"0/fake:0", "0/fake:1", "1/fake:0", "1/fake:1"}; !slices.Equal(j.IDs, want) {
					return fmt.Errorf("the devices are %v, want %v", j.IDs, want)
				}
				const n = 5000
				var bufs []driver.Buffer
				for i, d := range j.Devices {
					if ghost := d.(driver.Joint).Ghost(); ghost != (j.Owners[i] != j.Rank()) {
						return fmt.Errorf("%s is a ghost: %t", j.IDs[i], ghost)
					}
					b, err := d.Alloc(n)
					if err := errors.Join(err, ok(b.Write(0, pattern(n, i)))); err != nil {
						return err
					}
					bufs = append(bufs, b)
				}
				got := make([]byte, n)
				for to := range bufs {
					for from := range bufs {
						want := pattern(n, to)
						copy(want[100:], pattern(n, from)[30:1030])
						if to != from {
							if err := ok(bufs[to].(driver.PeerCopy).CopyPeer(100, bufs[from], 30, 1000)); err != nil {
								return err
							}
						} else {
							c, err := j.Devices[to].Alloc(1000)
							if err := errors.Join(err, ok(c.Copy(0, bufs[from], 30, 1000)),
								ok(bufs[to].Copy(100, c, 0, 1000)), c.Free()); err != nil {
								return err
							}
						}
						err := ok(bufs[to].Read(0, got))
						if err := errors.Join(err, same(got, want)); err != nil {
							return fmt.Errorf("from %s to %s: %w", j.IDs[from], j.IDs[to], err)
						}
						if err := ok(bufs[to].Write(0, pattern(n, to))); err != nil {
							return err
						}
					}
				}
				for _, b := range bufs {
					clear(got)
					want := pattern(n, slices.Index(bufs, b))
					clear(want[7:107])
					err := errors.Join(ok(b.(driver.Clearer).Clear(7, 100)), ok(b.Read(0, got)), same(got, want),
						b.Free())
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

// TestNotOnGhosts runs a function on native devices: each only on the rank that has it.
func TestNotOnGhosts(t *testing.T) {
	find := func(int) []driver.Device { return []driver.Device{cpu.New()} }
	join(t, 3, find, func(j joined) error {
		for i, d := range j.Devices {
			ran := false
			err := d.(driver.Runner).Run(driver.Grid{Groups: 1}, func(driver.Group) { ran = true })
			if err != nil || ran != (i == j.Rank()) {
				return fmt.Errorf("rank %d, %s: ran %t, error %w", j.Rank(), j.IDs[i], ran, err)
			}
		}
		return nil
	})
}

// TestErrorsOfOneRank makes calls fail on the rank that has the device. All ranks see the error
// when they read the device, or what has been copied from it.
func TestErrorsOfOneRank(t *testing.T) {
	find := func(int) []driver.Device { return []driver.Device{cpu.New()} }
	join(t, 2, find, func(j joined) error {
		d, other := j.Devices[1], j.Devices[0]
		b, err := d.Alloc(64)
		c, err2 := other.Alloc(64)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		fail := func() {
			if !d.(driver.Joint).Ghost() {
				d.(driver.Joint).Keep(errors.New("broken"))
				d.(driver.Joint).Keep(errors.New("a consequence"))
			}
		}
		want := func(what string, err error) error {
			if err == nil || err.Error() != "broken" {
				return fmt.Errorf("rank %d: %s: error %w", j.Rank(), what, err)
			}
			return nil
		}
		p := make([]byte, 8)
		fail()
		if err := errors.Join(want("read", ok(b.Read(0, p))), ok(b.Read(0, p))); err != nil {
			return err
		}
		fail()
		err = want("sync", d.(driver.Joint).Same("sync", nil))
		if err := errors.Join(err, d.(driver.Joint).Same("sync", nil)); err != nil {
			return err
		}
		fail()
		err = ok(c.(driver.PeerCopy).CopyPeer(0, b, 0, 8))
		if err := errors.Join(err, want("read of a copy", ok(c.Read(0, p)))); err != nil {
			return err
		}
		if err := want("read of what was copied", ok(b.Read(0, p))); err != nil {
			return err
		}
		return errors.Join(b.Free(), c.Free())
	})
}

// TestMissingMemory uses a buffer for which the owner had no memory, beside others.
func TestMissingMemory(t *testing.T) {
	for _, native := range []bool{true, false} {
		find := func(int) []driver.Device { return fakes(1, drivertest.Options{Native: native, Memory: 1 << 20}) }
		join(t, 2, find, func(j joined) error {
			d := j.Devices[1]
			b, err := d.Alloc(2 << 20) // a ghost has room for everything
			if err != nil {
				if b, err = d.(driver.Joint).Without(2<<20, err); err != nil {
					return err
				}
			}
			good, err := d.Alloc(8)
			if err != nil {
				return err
			}
			if b.Len() != 2<<20 || native && int64(len(b.(driver.HostMemory).Bytes())) < b.Len() {
				return errors.New("the buffer has another length")
			}
			k, err := d.Build(driver.Program{Name: "f", C: "x", Go: func(driver.Group, []driver.Arg) {}})
			if err != nil {
				return err
			}
			p := make([]byte, 8)
			err = errors.Join(ok(b.Write(0, p)), ok(good.Write(0, p)), ok(good.Copy(0, b, 0, 8)),
				ok(b.(driver.Clearer).Clear(0, 8)))
			if !native {
				err = errors.Join(err, ok(k.Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(b))))
			}
			if err != nil {
				return err
			}
			if err := ok(good.Read(0, p)); err == nil || !strings.Contains(err.Error(), driver.ErrMemory.Error()) {
				return fmt.Errorf("rank %d: error %w", j.Rank(), err)
			}
			if err := errors.Join(b.Free(), k.Close()); err != nil {
				return err
			}
			return errors.Join(ok(good.Read(0, p)), good.Free())
		})
	}
}

// TestRecordings records on devices of all ranks, if they can.
func TestRecordings(t *testing.T) {
	for _, can := range []bool{true, false} {
		find := func(int) []driver.Device {
			if can {
				return fakes(1, drivertest.Options{Memory: 1 << 20})
			}
			return []driver.Device{cpu.New()}
		}
		join(t, 2, find, func(j joined) error {
			for i, d := range j.Devices {
				r, is := d.(driver.Recorder)
				if is != can {
					return fmt.Errorf("%s records: %t", j.IDs[i], is)
				}
				if !can {
					continue
				}
				a, err := d.Alloc(8)
				b, err2 := d.Alloc(8)
				if err := errors.Join(err, err2, ok(a.Write(0, pattern(8, 3))), ok(b.Write(0, pattern(8, 4))),
					r.Record()); err != nil {
					return err
				}
				_, err = b.Copy(0, a, 0, 8)
				rec, err2 := r.EndRecord()
				if err := errors.Join(err, err2); err != nil {
					return err
				}
				got := make([]byte, 8)
				if err := errors.Join(ok(b.Read(0, got)), same(got, pattern(8, 4)), ok(rec.Replay()),
					ok(b.Read(0, got)), same(got, pattern(8, 3)), rec.Close(), a.Free(), b.Free()); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// accelerator is a device with a name and an identity.
type accelerator struct {
	driver.Device
	kind     driver.Kind
	identity string
}

func (a accelerator) Info() driver.Info {
	return driver.Info{Name: "card", Kind: a.kind}
}
func (a accelerator) Identity() string { return a.identity }

// TestDivide divides the accelerators of a machine among its ranks.
func TestDivide(t *testing.T) {
	for _, test := range []struct {
		hosts string   // a letter for each rank
		see   []string // the identities that each rank sees; capital letters are processors
		want  string   // which devices each rank gets
	}{
		{"aa", []string{"pq", "pq"}, "p q"},
		{"aaa", []string{"pq", "pq", "pq"}, "p p q"},
		{"aa", []string{"pqrs", "pqrs"}, "pq rs"},
		{"aa", []string{"pqr", "pqr"}, "p qr"},
		{"aa", []string{"p", "q"}, "p q"},     // the launcher has divided them
		{"aa", []string{"pq", "rs"}, "pq rs"}, // the same
		{"ab", []string{"pq", "pq"}, "pq pq"}, // two machines whose cards have equal numbers
		{"aabb", []string{"pq", "pq", "pq", "pq"}, "p q p q"},
		{"aa", []string{"P", "P"}, "P P"}, // the launcher binds ranks to cores
		{"aa", []string{"pPq", "pPq"}, "pP Pq"},
		{"aa", []string{"", "p"}, " p"},
	} {
		var got []string
		all := worlds(len(test.see))
		succeed(t, all, func(w *mpi.World) error {
			if err := w.Meet(mpi.Process{Host: string(test.hosts[w.Rank()])}); err != nil {
				return err
			}
			var found mpi.Found
			for _, c := range test.see[w.Rank()] {
				kind := driver.GPU
				if c < 'a' {
					kind = driver.CPU
				}
				found.Devices = append(found.Devices, accelerator{kind: kind, identity: string(c)})
			}
			k, err := w.Join("x", found, func(i int) string { return fmt.Sprint("x:", i) })
			if err != nil {
				return err
			}
			text := ""
			for rank := range w.Size() {
				if rank > 0 {
					text += " "
				}
				for i, owner := range k.Owners {
					if owner == rank {
						text += k.Devices[i].(interface{ Identity() string }).Identity()
					}
				}
			}
			if w.Rank() == 0 {
				got = append(got, text)
			}
			return nil
		})
		if len(got) != 1 || got[0] != test.want {
			t.Errorf("ranks on %s that see %q get %q, want %q", test.hosts, test.see, got, test.want)
		}
	}
}
