package mpi_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/mpi"
)

// lender is a device whose buffers are bytes, and which lends them.
type lender struct {
	driver.Device
	market *market
	fails  *failing
}

// market has what the devices of all ranks have lent.
type market struct {
	mu    sync.Mutex
	loans []*account
}

// account is what both sides of a loan share.
type account struct {
	memory []byte
	marks  [2][]int // that each side has made
	waited [2][]int // for those of the other side
	closed [2]bool
}

// failing is how devices fail: each of these calls fails once.
type failing struct {
	lend, borrow, join, put, get bool

	memory bool // Lend finds none
	broken error
}

var errFake = errors.New("a fake error")

func (f *failing) once(which *bool) error {
	if *which {
		*which = false
		return errFake
	}
	return nil
}

func (d *lender) Alloc(n int64) (driver.Buffer, error) { return &plain{d, make([]byte, n)}, nil }

// plain is a buffer of a lender.
type plain struct {
	dev *lender
	b   []byte
}

func (p *plain) Len() int64 { return int64(len(p.b)) }
func (p *plain) Free() error {
	p.b = nil
	return nil
}

func (p *plain) Write(off int64, q []byte) (driver.Event, error) {
	copy(p.b[off:off+int64(len(q))], q)
	return driver.Done, nil
}

func (p *plain) Read(off int64, q []byte) (driver.Event, error) {
	copy(q, p.b[off:off+int64(len(q))])
	return driver.Done, nil
}

func (p *plain) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s := src.(*plain)
	which := &p.dev.fails.get
	if s.dev == p.dev && len(s.b) != len(p.b) && len(p.b) == mpi.LaneSize() {
		which = &p.dev.fails.put
	}
	copy(p.b[off:off+n], s.b[from:from+n])
	return driver.Done, p.dev.fails.once(which)
}

func (d *lender) Lend(n int64, marks int) (driver.Loan, error) {
	if err := d.fails.once(&d.fails.lend); err != nil {
		if d.fails.memory {
			err = driver.ErrMemory
		}
		return nil, err
	}
	a := &account{memory: make([]byte, n)}
	for side := range a.marks {
		a.marks[side], a.waited[side] = make([]int, marks), make([]int, marks)
	}
	d.market.mu.Lock()
	defer d.market.mu.Unlock()
	d.market.loans = append(d.market.loans, a)
	return &loan{d, a, 0, len(d.market.loans)}, nil
}

func (d *lender) Borrow(handle []byte) (driver.Loan, error) {
	if err := d.fails.once(&d.fails.borrow); err != nil {
		return nil, err
	}
	d.market.mu.Lock()
	defer d.market.mu.Unlock()
	id := int(binary.LittleEndian.Uint32(handle))
	return &loan{d, d.market.loans[id-1], 1, id}, nil
}

// loan is one side of an account.
type loan struct {
	dev  *lender
	a    *account
	side int
	id   int
}

func (l *loan) Err() error            { return l.dev.fails.broken }
func (l *loan) Memory() driver.Buffer { return &plain{l.dev, l.a.memory} }
func (l *loan) Handle() []byte        { return binary.LittleEndian.AppendUint32(nil, uint32(l.id)) }

func (l *loan) Join(handle []byte) error {
	if int(binary.LittleEndian.Uint32(handle)) != l.id {
		return errors.New("the handle of another loan")
	}
	return l.dev.fails.once(&l.dev.fails.join)
}

func (l *loan) Mark(i int) error {
	l.dev.market.mu.Lock()
	defer l.dev.market.mu.Unlock()
	l.a.marks[l.side][i]++
	return nil
}

// Wait checks that the other side has made the mark once more than at the last call.
func (l *loan) Wait(i int) error {
	l.dev.market.mu.Lock()
	defer l.dev.market.mu.Unlock()
	l.a.waited[l.side][i]++
	if made, waited := l.a.marks[1-l.side][i], l.a.waited[l.side][i]; made != waited {
		return fmt.Errorf("side %d waits for mark %d, made %d times, the %d. time", l.side, i, made, waited)
	}
	return nil
}

func (l *loan) Close() error {
	l.dev.market.mu.Lock()
	defer l.dev.market.mu.Unlock()
	if l.a.closed[l.side] {
		return errors.New("closed twice")
	}
	l.a.closed[l.side] = true
	return nil
}

// TestLanes copies between the devices of three ranks through memory that they lend each other. One
// call of the first two ranks may fail.
func TestLanes(t *testing.T) {
	defer mpi.SetSlotSize(1000)()
	for name, f := range map[string]failing{
		"": {}, "lend": {lend: true}, "memory": {lend: true, memory: true}, "borrow": {borrow: true},
		"join": {join: true},
	} {
		t.Run("failing: "+name, func(t *testing.T) { testLanes(t, f) })
	}
}

func testLanes(t *testing.T, f failing) {
	m := &market{}
	find := func(int) (devs []driver.Device) {
		fails := f
		for _, d := range fakes(2, drivertest.Options{}) {
			devs = append(devs, &lender{d, m, &fails})
		}
		return devs
	}
	const n = 9000 // more pieces than there are slots
	join(t, 3, find, func(j joined) error {
		var bufs []driver.Buffer
		want := make([][]byte, len(j.Devices))
		for i, d := range j.Devices {
			b, err := d.Alloc(n)
			want[i] = pattern(n, i)
			if err := errors.Join(err, ok(b.Write(0, want[i]))); err != nil {
				return err
			}
			bufs = append(bufs, b)
		}
		r := rand.New(rand.NewPCG(9, 27)) // the same on all ranks
		for range 300 {
			to, from, size := r.IntN(len(bufs)), r.IntN(len(bufs)), 1+r.IntN(1+r.IntN(n))
			off, at := r.IntN(n-size+1), r.IntN(n-size+1)
			if to == from {
				continue
			}
			copy(want[to][off:off+size], want[from][at:])
			err := ok(bufs[to].(driver.PeerCopy).CopyPeer(int64(off), bufs[from], int64(at), int64(size)))
			if err != nil {
				return err
			}
		}
		got := make([]byte, n)
		for i, b := range bufs {
			if err := ok(b.Read(0, got)); err != nil || !bytes.Equal(got, want[i]) {
				return fmt.Errorf("rank %d: %s differs, %w", j.Rank(), j.IDs[i], err)
			}
		}
		return nil
	})
	for i, a := range m.loans { // joined loans stay, and what was lent while the other side has it open
		switch joined := a.waited[1][0] > 0; {
		case joined && a.closed != [2]bool{}, f.borrow && !joined && !a.closed[0], f.join && !joined && a.closed[0]:
			t.Errorf("loan %d, joined: %t, is closed on the sides: %v", i, joined, a.closed)
		}
	}
	if used := len(m.loans); f == (failing{}) && used != 24 { // pairs of 6 devices of 3 ranks
		t.Errorf("%d loans", used)
	}
}

// TestLaneErrors: an error of a copy into a lane, or out of it, is that of the device that is copied to,
// and later copies work.
func TestLaneErrors(t *testing.T) {
	defer mpi.SetSlotSize(1000)()
	for _, f := range []failing{{put: true}, {get: true}} {
		m := &market{}
		find := func(rank int) (devs []driver.Device) {
			fails := f
			for _, d := range fakes(1, drivertest.Options{}) {
				devs = append(devs, &lender{d, m, &fails})
			}
			return devs
		}
		join(t, 2, find, func(j joined) error {
			var bufs []driver.Buffer
			for i, d := range j.Devices {
				b, err := d.Alloc(5000)
				if err := errors.Join(err, ok(b.Write(0, pattern(5000, i)))); err != nil {
					return err
				}
				bufs = append(bufs, b)
			}
			got := make([]byte, 5000)
			to := bufs[1].(driver.PeerCopy)
			err := ok(to.CopyPeer(0, bufs[0], 0, 5000))
			if err == nil {
				err = ok(bufs[1].Read(0, got))
			}
			if err == nil || err.Error() != errFake.Error() {
				return fmt.Errorf("%+v: %w", f, err)
			}
			_ = ok(bufs[0].Read(0, got)) // the source may have kept it, too
			return errors.Join(ok(to.CopyPeer(0, bufs[0], 0, 5000)), ok(bufs[1].Read(0, got)),
				same(got, pattern(5000, 0)))
		})
	}
}

// TestLaneBroken: a rank whose device has failed says so, instead of waiting for one whose device waits
// for its mark.
func TestLaneBroken(t *testing.T) {
	m, all, ended := &market{}, worlds(2), make(chan struct{})
	errs := run(all, func(w *mpi.World) error {
		if err := w.Meet(mpi.Process{Host: "here"}); err != nil {
			return err
		}
		fails := &failing{}
		found := mpi.Found{Devices: []driver.Device{&lender{fakes(1, drivertest.Options{})[0], m, fails}}}
		k, err := w.Join("fake", found, func(i int) string { return fmt.Sprint("fake:", i) })
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
		if err := ok(bufs[1].(driver.PeerCopy).CopyPeer(0, bufs[0], 0, 100)); err != nil {
			return err
		}
		if w.Rank() == 1 { // its queue would wait for the mark
			<-ended
			return nil
		}
		defer close(ended)
		fails.broken = errFake
		w.SetPatience(10 * time.Millisecond)
		return ok(bufs[1].Read(0, make([]byte, 100)))
	})
	if !errors.Is(errs[0], errFake) || errs[1] != nil {
		t.Error(errs)
	}
}
