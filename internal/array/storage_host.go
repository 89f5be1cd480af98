package array

import (
	"runtime"

	"github.com/skelgo/skelgo/devices/driver"
)

// hostCopy holds the bytes of an array that are known on the host.
type hostCopy struct {
	all   []byte // memory for all elements; nil until several are read
	valid ranges // the bytes of all that equal those of the device
	cells []cell // single elements, as long as all is nil
}

// cell is one element, which begins at byte off.
type cell struct {
	off int64
	p   []byte
}

const (
	smallHost = 4 << 10 // bytes; shorter arrays get memory for all elements at once
	maxCells  = 64      // single elements; with more there is memory for all
)

// clear invalidates everything.
func (h *hostCopy) clear() {
	h.valid.clear()
	h.cells = h.cells[:0]
}

// write stores p, which was written to the device at offset off.
func (h *hostCopy) write(off int64, p []byte) {
	end := off + int64(len(p))
	if h.all != nil {
		copy(h.all[off:], p)
		h.valid.add(off, end)
		return
	}
	kept := h.cells[:0]
	for _, c := range h.cells {
		if c.off >= end || c.off+int64(len(c.p)) <= off {
			kept = append(kept, c)
		}
	}
	h.cells = kept
}

// useRoom starts to keep all elements, in memory of their type.
func (h *hostCopy) useRoom(all []byte) {
	h.all = all
	for _, c := range h.cells {
		copy(all[c.off:], c.p)
		h.valid.add(c.off, c.off+int64(len(c.p)))
	}
	h.cells = nil
}

// cell returns the element at byte off, or nil if it is not known.
func (h *hostCopy) cell(off int64) []byte {
	for _, c := range h.cells {
		if c.off == off {
			return c.p
		}
	}
	return nil
}

// share makes p, a piece of the host copy of the whole array, the memory for all
// elements of a part.
func (h *hostCopy) share(p []byte) {
	switch {
	case h.all == nil:
		h.useRoom(p)
	case len(h.all) != len(p) || &h.all[0] != &p[0]:
		copy(p, h.all)
		h.all = p
	}
}

// download makes the bytes [lo, hi) of the host copy valid, and moves only those
// that are missing. The caller holds a.mu. It copies even if the CPU can address
// the device memory, because that is recycled with the array, whereas callers may
// hold the host copy longer.
func (a *Array) download(lo, hi int64) error {
	var few [4]span
	for _, gap := range a.host.valid.missing(few[:0], lo, hi) {
		if err := a.fetch(gap.lo, a.host.all[gap.lo:gap.hi]); err != nil {
			return err
		}
		a.host.valid.add(gap.lo, gap.hi)
	}
	return nil
}

// fetch reads device memory from byte off on into p.
func (a *Array) fetch(off int64, p []byte) error {
	if native := a.buffer().Readable(); native != nil {
		copy(p, native[off:])
		return nil
	}
	if err := a.buffer().Read(off, p); err != nil {
		return a.fail(err)
	}
	return nil
}

// hostOf returns the host copy of elements lo to hi-1, after downloading what is
// missing.
func hostOf[T any](a *Array, lo, hi int) ([]T, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return nil, err
	}
	if lo == hi {
		return []T{}, nil
	}
	size := int64(a.size)
	if int64(len(a.host.all)) < int64(hi)*size { // also if a loop has increased the length
		a.host.useRoom(driver.Bytes(make([]T, a.Len())))
	}
	if a.parts == nil {
		if err := a.download(int64(lo)*size, int64(hi)*size); err != nil {
			return nil, err
		}
	} else if err := a.downloadParts(lo, hi); err != nil {
		return nil, err
	}
	return driver.Slice[T](a.host.all)[lo:hi:hi], nil
}

// downloadParts is download for elements lo to hi-1 of an array over several
// devices. The host copy of a part is a piece of the host copy of the whole.
func (a *Array) downloadParts(lo, hi int) error {
	if err := a.combine(); err != nil {
		return err
	}
	return forEach(a.disjoint(), func(p piece) error {
		from, to := max(lo, p.lo), min(hi, p.hi)
		if from >= to {
			return nil
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		size := int64(a.size)
		p.host.share(a.host.all[int64(p.lo)*size : int64(p.hi)*size])
		return p.download(int64(from-p.lo)*size, int64(to-p.lo)*size)
	})
}

// cellOf returns element i of an array on one device, unless that takes host
// memory for all elements: then known is false.
func cellOf[T any](a *Array, i int) (x T, known bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return x, false, err
	}
	if s := Readable[T](a); s != nil {
		x = s[i]
		runtime.KeepAlive(a)
		return x, true, nil
	}
	if a.host.all != nil || a.n*a.size <= smallHost {
		return x, false, nil
	}
	off := int64(i) * int64(a.size)
	p := a.host.cell(off)
	if p == nil {
		if len(a.host.cells) >= maxCells {
			return x, false, nil
		}
		p = driver.Bytes(make([]T, 1))
		if err := a.fetch(off, p); err != nil {
			return x, false, err
		}
		a.host.cells = append(a.host.cells, cell{off, p})
	}
	return driver.Slice[T](p)[0], true, nil
}
