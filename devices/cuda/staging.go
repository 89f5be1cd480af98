package cuda

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// The GPU accesses pinned memory at the full speed of the bus, but Go memory is
// not pinned, and pinning it takes longer than copying it. So long transfers
// are split: goroutines copy pieces between Go memory and slots of pinned
// memory while the GPU moves other pieces. One core copies 4 to 10 GB/s; the
// bus moves 50 GB/s.

const (
	slotSize = 2 << 20
	minPiece = 256 << 10
	maxCopy  = 12 // maximum number of goroutines that copy for one transfer
)

// slot is pinned memory for one piece.
type slot struct {
	mem   *cu.HostMem
	event *cu.Event // recorded after its last transfer
	used  bool      // event has been recorded
}

// staging holds the slots of a device.
type staging struct {
	dev      *Device
	workers  int
	register int // transfers from this size register the Go memory instead; 0 means never

	mu    sync.Mutex
	made  int
	slots chan *slot // the slots that no goroutine uses
}

func (s *staging) init(d *Device) {
	s.dev, s.workers = d, max(1, min(runtime.GOMAXPROCS(0), maxCopy))
	s.slots = make(chan *slot, 4*maxCopy)
}

// need creates slots until there are n.
func (s *staging) need(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.made < min(n, cap(s.slots)) {
		m, err := s.dev.ctx.MemHostAlloc(slotSize, cu.HostPortable)
		if err != nil {
			return err
		}
		e, err := s.dev.markers.get()
		if err != nil {
			return join(err, m.Free())
		}
		s.slots <- &slot{mem: m, event: e}
		s.made++
	}
	return nil
}

func (s *staging) close() error {
	var errs []error
	for ; s.made > 0; s.made-- {
		k := <-s.slots
		errs = append(errs, k.event.Synchronize(), k.event.Destroy(), k.mem.Free())
	}
	return join(errs...)
}

// idle waits until no transfer uses the slot.
func (k *slot) idle() error {
	if !k.used {
		return nil
	}
	k.used = false
	return poll(k.event)
}

// sent records that a transfer of the slot was just enqueued.
func (k *slot) sent(s *cu.Stream) error {
	k.used = true
	return k.event.Record(s)
}

// pieces holds the pieces of a transfer and hands them out.
type pieces struct {
	dev   cu.DevicePtr
	n     int64
	p     []byte // of n bytes; nil if read is set
	size  int
	read  func(p []byte, at int64) error // fills p with the bytes from at on
	count atomic.Int64                   // pieces handed out
	stop  atomic.Bool                    // a goroutine has failed
}

// next returns the next piece, bytes lo to hi-1; lo is hi at the end.
func (w *pieces) next() (lo, hi int64) {
	lo = (w.count.Add(1) - 1) * int64(w.size)
	if lo >= w.n || w.stop.Load() {
		return 0, 0
	}
	return lo, min(lo+int64(w.size), w.n)
}

// piece returns the next piece and its address on the device, or nil at the
// end.
func (w *pieces) piece() (cu.DevicePtr, []byte) {
	lo, hi := w.next()
	if lo == hi {
		return 0, nil
	}
	return w.dev + cu.DevicePtr(lo), w.p[lo:hi]
}

// run moves p in pieces, with several goroutines that each call work until
// everything is moved.
func (s *staging) run(b *Buffer, off int64, p []byte, work func(*pieces) error) error {
	return s.move(&pieces{dev: b.ptr + cu.DevicePtr(off), n: int64(len(p)), p: p}, work)
}

func (s *staging) move(w *pieces, work func(*pieces) error) error {
	const unit = 64 << 10
	w.size = min(max((int(w.n)/(2*s.workers)+unit-1)&^(unit-1), minPiece), slotSize)
	count := int(w.n+int64(w.size)-1) / w.size
	workers := min(s.workers, count)
	slots := min(2*workers, count)
	if w.read != nil {
		slots = cap(s.slots) // readers may keep theirs for long, and others shall not wait for a file
	}
	if err := s.need(slots); err != nil {
		return err
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers - 1 {
		wg.Go(func() { errs[i+1] = w.do(work) })
	}
	errs[0] = w.do(work)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *pieces) do(work func(*pieces) error) error {
	err := work(w)
	if err != nil {
		w.stop.Store(true)
	}
	return err
}

// upload performs a long write.
func (d *Device) upload(b *Buffer, off int64, p []byte) error {
	t := &transfer{stream: d.up, pool: &d.markers, lo: off, hi: off + int64(len(p))}
	if err := d.begin(b, t); err != nil {
		return err
	}
	return d.sendTo(b, t, func() error {
		if r := d.staging.register; r > 0 && len(p) >= r {
			return d.registered(p, d.up, func() error { return d.up.MemcpyHtoDAsync(b.ptr+cu.DevicePtr(off), p) })
		}
		return d.staging.run(b, off, p, d.staging.fill)
	})
}

// sendTo ends the write t, which send enqueues.
func (d *Device) sendTo(b *Buffer, t *transfer, send func() error) error {
	err := send()
	if err != nil {
		_ = poll(d.up) // enqueued work uses slots; the first error is the one to report
	}
	return join(err, d.end(b, t, err != nil))
}

// fill copies pieces into slots and enqueues their transfers.
func (s *staging) fill(w *pieces) error {
	for {
		lo, hi := w.next()
		if lo == hi {
			return nil
		}
		k := <-s.slots
		err := k.idle()
		if err == nil {
			pinned := k.mem.Bytes()[:hi-lo]
			if w.read != nil {
				err = w.read(pinned, lo)
			} else {
				copy(pinned, w.p[lo:hi])
			}
			if err == nil {
				err = s.dev.up.MemcpyHtoDAsync(w.dev+cu.DevicePtr(lo), pinned)
			}
			if err == nil {
				err = k.sent(s.dev.up)
			}
		}
		s.slots <- k
		if err != nil {
			return err
		}
	}
}

// Fill fills n bytes of the buffer from offset off on with those that read returns, which it calls with
// pinned memory.
func (b *Buffer) Fill(off, n int64, read func(p []byte, at int64) error) (driver.Event, error) {
	if err := b.check("fill", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	d := b.dev
	t := &transfer{stream: d.up, pool: &d.markers, lo: off, hi: off + n}
	if err := d.begin(b, t); err != nil {
		return nil, failed("fill", n, err)
	}
	return driver.Done, failed("fill", n, d.sendTo(b, t, func() error {
		return d.staging.move(&pieces{dev: b.ptr + cu.DevicePtr(off), n: n, read: read}, d.staging.fill)
	}))
}

// download performs a long read.
func (d *Device) download(b *Buffer, off int64, p []byte) error {
	t := &transfer{stream: d.down, pool: &d.markers, reads: true, lo: off, hi: off + int64(len(p))}
	if err := d.begin(b, t); err != nil {
		return err
	}
	var err error
	if r := d.staging.register; r > 0 && len(p) >= r {
		err = d.registered(p, d.down, func() error { return d.down.MemcpyDtoHAsync(p, b.ptr+cu.DevicePtr(off)) })
	} else {
		err = d.staging.run(b, off, p, d.staging.drain)
	}
	return join(err, d.end(b, t, true))
}

// flight is a piece that is being transferred to its slot.
type flight struct {
	slot *slot
	p    []byte
}

// drain transfers one piece while it copies another out of its slot.
func (s *staging) drain(w *pieces) error {
	var flights []flight // two at most
	var first error
	for {
		for first == nil && len(flights) < 2 {
			k := s.free(len(flights) == 0)
			if k == nil {
				break
			}
			at, p := w.piece()
			if p == nil {
				s.slots <- k
				break
			}
			if first = s.fetch(k, at, len(p)); first == nil {
				flights = append(flights, flight{k, p})
			}
		}
		if len(flights) == 0 {
			return first
		}
		if err := s.land(flights[0]); first == nil {
			first = err
		}
		flights = flights[:copy(flights, flights[1:])]
	}
}

// free returns a free slot. If none is free, it waits for one or, if wait is
// false, returns nil.
func (s *staging) free(wait bool) *slot {
	if wait {
		return <-s.slots
	}
	select {
	case k := <-s.slots:
		return k
	default:
		return nil
	}
}

// fetch enqueues the transfer of n bytes to a slot.
func (s *staging) fetch(k *slot, at cu.DevicePtr, n int) error {
	err := k.idle()
	if err == nil {
		if err = s.dev.down.MemcpyDtoHAsync(k.mem.Bytes()[:n], at); err == nil {
			err = k.sent(s.dev.down)
		}
	}
	if err != nil {
		_ = poll(s.dev.down) // the transfer may be running
		s.slots <- k
	}
	return err
}

// land waits for a piece and copies it to its destination.
func (s *staging) land(f flight) error {
	err := f.slot.idle()
	if err == nil {
		copy(f.p, f.slot.mem.Bytes())
	}
	s.slots <- f.slot
	return err
}

// registered performs a long transfer by pinning the Go memory.
func (d *Device) registered(p []byte, s *cu.Stream, enqueue func() error) error {
	if err := d.ctx.MemHostRegister(p); err != nil {
		return err
	}
	return join(enqueue(), poll(s), d.ctx.MemHostUnregister(p))
}
