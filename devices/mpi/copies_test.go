package mpi_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/mpi"
)

// spread is the devices of several ranks, two ranks on each machine, and two buffers of each device.
type spread struct {
	joined
	size     int // of a buffer
	from, to []*mpi.Buffer
}

// onMachines calls f on n ranks, with devices that lend each other memory.
func onMachines(t *testing.T, n, devices, size int, f func(s *spread) error) {
	t.Helper()
	m := &market{}
	succeed(t, worlds(n), func(w *mpi.World) error {
		if err := w.Meet(mpi.Process{Host: fmt.Sprint("machine ", w.Rank()/2)}); err != nil {
			return err
		}
		var found mpi.Found
		for _, d := range fakes(devices, drivertest.Options{}) {
			found.Devices = append(found.Devices, &lender{d, m, &failing{}})
		}
		k, err := w.Join("fake", found, func(i int) string { return fmt.Sprint("fake:", i) })
		if err != nil {
			return err
		}
		s := &spread{joined: joined{w, k}, size: size}
		for _, d := range k.Devices {
			for _, bufs := range []*[]*mpi.Buffer{&s.from, &s.to} {
				b, err := d.Alloc(int64(size))
				if err != nil {
					return err
				}
				*bufs = append(*bufs, b.(*mpi.Buffer))
			}
		}
		return errors.Join(f(s), w.Close())
	})
}

// copies returns copies like those of the library, and random ones: of few bytes, or of many.
func (s *spread) copies(r *rand.Rand, pattern, most int) (all []mpi.Copy) {
	n := len(s.from)
	end := make([]int64, n) // of what is written to each device
	add := func(to, from int, at, size int64) {
		if end[to]+size <= int64(s.size) && s.Owners[to] != s.Owners[from] {
			all = append(all, mpi.Copy{Dst: s.to[to], Off: end[to], Src: s.from[from], From: at, N: size})
			end[to] += size
		}
	}
	place := func() (at, size int64) {
		size = 1 + r.Int64N(int64(most))
		return r.Int64N(int64(s.size) - size), size
	}
	root := r.IntN(n)
	switch pattern {
	case 0: // from all to one
		for from := range n {
			at, size := place()
			add(root, from, at, size)
		}
	case 1: // from one to all
		at, size := place()
		for to := range n {
			add(to, root, at, size)
		}
	case 2: // from all to all
		for from := range n {
			at, size := place()
			for to := range n {
				add(to, from, at, size)
			}
		}
	default:
		for range r.IntN(3 * n) {
			at, size := place()
			add(r.IntN(n), r.IntN(n), at, size)
		}
	}
	return all
}

// TestCopyAll compares copies among up to seven ranks with those of a program that has all memory.
func TestCopyAll(t *testing.T) {
	defer mpi.SetSlotSize(200)()
	const size = 10_000
	for n := 2; n <= 7; n++ {
		onMachines(t, n, 1+n%2, size, func(s *spread) error {
			r := rand.New(rand.NewPCG(uint64(n), 27)) // the same on all ranks
			got := make([]byte, size)
			for i := range 24 {
				want := make([][]byte, len(s.to))
				for k := range s.to {
					err := errors.Join(ok(s.from[k].Write(0, pattern(size, i+k))), ok(s.to[k].Write(0, got)))
					if want[k] = bytes.Clone(got); err != nil {
						return err
					}
				}
				all := s.copies(r, i%4, []int{10, 600, 2500}[i%3])
				for _, c := range all {
					for k := range s.to {
						for l := range s.from {
							if c.Dst == s.to[k] && c.Src == s.from[l] {
								copy(want[k][c.Off:c.Off+c.N], pattern(size, i+l)[c.From:])
							}
						}
					}
				}
				if len(all) > 0 {
					if err := s.CopyAll(all); err != nil {
						return err
					}
				}
				for k, b := range s.to {
					if err := ok(b.Read(0, got)); err != nil || !bytes.Equal(got, want[k]) {
						return fmt.Errorf("rank %d, batch %d: %s differs, %w", s.Rank(), i, s.IDs[k], err)
					}
				}
			}
			return nil
		})
	}
}

// TestTreeMessages: nobody gets a message from each of many ranks.
func TestTreeMessages(t *testing.T) {
	const n = 13
	for name, limits := range map[string]struct {
		pattern        int
		sent, received int
	}{
		"from all to one": {pattern: 0, sent: 1, received: bits.Len(n - 1)},
		"from one to all": {pattern: 1, sent: bits.Len(n - 1), received: 1},
		"from all to all": {pattern: 2, sent: 1 + bits.Len(n-1), received: 1 + bits.Len(n-1)},
	} {
		onMachines(t, n, 1, 10_000, func(s *spread) error {
			all := s.copies(rand.New(rand.NewPCG(1, 27)), limits.pattern, 100)
			before := s.Traffic()
			if err := s.CopyAll(all); err != nil {
				return err
			}
			if d := s.Traffic().Sub(before); d.Sent > limits.sent || d.Received > limits.received || d.Broadcasts > 0 {
				return fmt.Errorf("%s: rank %d: %+v", name, s.Rank(), d)
			}
			return nil
		})
	}
}

// TestCopyErrors: what cannot be read is an error of the device that it was for, and of no other one.
func TestCopyErrors(t *testing.T) {
	for name, most := range map[string]int{"by a tree": 100, "by messages": 30_000} {
		onMachines(t, 6, 1, 200_000, func(s *spread) error {
			all := s.copies(rand.New(rand.NewPCG(1, 27)), 0, most)
			root, bad := all[0].Dst, s.from[5]
			if root == s.to[5] {
				return errors.New("the root has the device that fails")
			}
			if s.Rank() == 5 {
				s.Devices[5].(interface{ Keep(error) }).Keep(errFake)
			}
			if err := s.CopyAll(all); err != nil {
				return err
			}
			p := make([]byte, 10)
			for k, b := range s.to {
				err := ok(b.Read(0, p))
				if failed := b == root || k == 5; failed != (err != nil && err.Error() == errFake.Error()) {
					return fmt.Errorf("%s: rank %d reads %s: %w", name, s.Rank(), s.IDs[k], err)
				}
			}
			return errors.Join(ok(bad.Read(0, p)), s.CopyAll(all), ok(root.Read(0, p)))
		})
	}
}

// TestCopiesDiverge: ranks that make different copies find it.
func TestCopiesDiverge(t *testing.T) {
	all := worlds(5)
	errs := run(all, func(w *mpi.World) error {
		if err := w.Meet(mpi.Process{Host: fmt.Sprint(w.Rank())}); err != nil {
			return err
		}
		found := mpi.Found{Devices: fakes(1, drivertest.Options{})}
		k, err := w.Join("fake", found, func(int) string { return "fake:0" })
		if err != nil {
			return err
		}
		var bufs []driver.Buffer
		for _, d := range k.Devices {
			b, err := d.Alloc(100)
			if err != nil {
				return err
			}
			bufs = append(bufs, b)
		}
		var copies []mpi.Copy
		for i, b := range bufs[1:] {
			n := int64(4)
			if w.Rank() == 3 && i == 2 {
				n = 5
			}
			copies = append(copies, mpi.Copy{
				Dst: bufs[0].(*mpi.Buffer), Off: int64(5 * i), Src: b.(*mpi.Buffer), N: n,
			})
		}
		if err := w.CopyAll(copies); err != nil {
			return err
		}
		return ok(bufs[0].Read(0, make([]byte, 5)))
	})
	if !slices.ContainsFunc(errs, func(err error) bool {
		_, ok := errors.AsType[*mpi.DivergedError](err)
		return ok
	}) {
		t.Error("no rank has found that they made different copies:", errs)
	}
}
