package vector

import (
	"fmt"
	"runtime"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// hostCopy is what the host knows of an array's elements.
type hostCopy struct {
	all   []byte // room for all elements, nil until several are read
	valid ranges // bytes of all that equal the device's
	cells []cell // single elements, where there is no room for all
}

// cell is the element that begins at byte off.
type cell struct {
	off int64
	p   []byte
}

const (
	smallHost = 4 << 10 // bytes; shorter arrays are read into room for all of it
	maxCells  = 64      // single elements, after which there is room for all
)

// clear forgets everything.
func (h *hostCopy) clear() {
	h.valid.clear()
	h.cells = h.cells[:0]
}

// write notes that bytes [off, off+len(p)) have changed to p.
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

// room begins to keep all elements, in new memory of their type.
func (h *hostCopy) room(all []byte) {
	h.all = all
	for _, c := range h.cells {
		copy(all[c.off:], c.p)
		h.valid.add(c.off, c.off+int64(len(c.p)))
	}
	h.cells = nil
}

// cell is the element at byte off if it is known.
func (h *hostCopy) cell(off int64) []byte {
	for _, c := range h.cells {
		if c.off == off {
			return c.p
		}
	}
	return nil
}

// download makes host bytes [lo, hi) valid, and moves only what is missing. The
// caller holds a.mu. Memory that the CPU can address is copied too: it goes
// back to the pool with the array, while the host copy lives as long as somebody
// holds it.
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

// fetch reads elements from byte off on.
func (a *Array) fetch(off int64, p []byte) error {
	if native := a.buffer().Bytes(); native != nil {
		copy(p, native[off:])
		return nil
	}
	if err := a.buffer().Read(off, p); err != nil {
		return a.fail(err)
	}
	return nil
}

// Host gives all elements in host memory, downloading those that are not
// there yet. The slice belongs to the vector: it must not be changed, and it
// holds the elements only until the vector changes.
func (v *Vector[T]) Host() ([]T, error) { return v.hostRange("Host", 0, v.arr.n) }

// HostRange gives elements lo to hi-1 as Host does, and downloads no others.
func (v *Vector[T]) HostRange(lo, hi int) ([]T, error) {
	if lo < 0 || hi < lo || hi > v.arr.n {
		panic(fmt.Sprintf("vector: HostRange: [%d:%d] out of range [0:%d]", lo, hi, v.arr.n))
	}
	return v.hostRange("HostRange", lo, hi)
}

func (v *Vector[T]) hostRange(what string, lo, hi int) ([]T, error) {
	if r := devices.Current(); r != nil {
		return nil, r.Refuse("vector: " + what)
	}
	a := &v.arr
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return nil, err
	}
	if lo == hi {
		return []T{}, nil
	}
	if a.host.all == nil {
		a.host.room(driver.Bytes(make([]T, a.n)))
	}
	size := int64(a.size)
	if a.parts == nil {
		if err := a.download(int64(lo)*size, int64(hi)*size); err != nil {
			return nil, err
		}
	} else if err := a.downloadParts(lo, hi); err != nil {
		return nil, err
	}
	return driver.Slice[T](a.host.all)[lo:hi:hi], nil
}

// downloadParts is download over several devices. What the host holds of a
// part is a piece of what it holds of the whole.
func (a *Array) downloadParts(lo, hi int) error {
	if err := a.combine(); err != nil {
		return err
	}
	return atOnce(a.whole(), func(p piece) error {
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

// share makes p the room for all elements, if it is not yet.
func (h *hostCopy) share(p []byte) {
	switch {
	case h.all == nil:
		h.room(p)
	case &h.all[0] != &p[0]:
		copy(p, h.all)
		h.all = p
	}
}

// At gives element i and downloads only that: a round trip to the device, so
// for many elements take HostRange. It panics when i is out of range.
func (v *Vector[T]) At(i int) (x T, err error) {
	checkIndex("At", i, v.arr.n)
	if r := devices.Current(); r != nil {
		return x, r.Refuse("vector: At")
	}
	a, k, err := v.arr.holder(i)
	if err != nil {
		return x, err
	}
	x, known, err := cellOf[T](a, k)
	if known || err != nil {
		return x, err
	}
	s, err := v.hostRange("At", i, i+1)
	if err == nil {
		x = s[0]
	}
	return x, err
}

// holder is the part that holds element i, and which it is there.
func (a *Array) holder(i int) (*Array, int, error) {
	if a.parts == nil {
		return a, i, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return a, 0, err
	}
	if err := a.combine(); err != nil {
		return a, 0, err
	}
	for _, p := range a.whole() {
		if i < p.hi {
			return p.Array, i - p.lo, nil
		}
	}
	return a, i, nil
}

// cellOf reads one element where that takes no room for all.
func cellOf[T any](a *Array, i int) (x T, known bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return x, false, err
	}
	if s := Elements[T](a); s != nil {
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
