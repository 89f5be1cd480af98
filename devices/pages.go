package devices

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

// pages holds the pages of a device.
type pages struct {
	mu     sync.Mutex
	pager  *paged.Pager // nil until there are pages
	devs   []*Device
	closed bool
}

// Pages returns n devices that share the memory and the queue of the device, the first n in each
// call. Together they can hold more than the device: what does not fit
// is kept on the host, and read again when it is used. Containers that are larger than a
// quarter of the memory are spread over pages by default; see package paged. A native device, whose
// memory is that of the host, has none, and neither have devices of several ranks.
func (d *Device) Pages(n int) ([]*Device, error) {
	switch {
	case n < 0:
		return nil, fmt.Errorf("%s: Pages: the number, %d, is negative", d.id, n)
	case d.base != nil:
		return nil, fmt.Errorf("%s: a page has no pages", d.id)
	case d.info.Native || d.joint != nil || d.of != nil:
		return nil, fmt.Errorf("%s: the device has no pages", d.id)
	case d.closed.Load():
		return nil, fmt.Errorf("%s: Pages after Close", d.id)
	}
	g := &d.pages
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, fmt.Errorf("%s: Pages after Close", d.id)
	}
	if g.pager == nil {
		g.pager = paged.New(d.dev, d.memoryForPages())
		g.pager.Reclaim = d.reclaim
	}
	for k := len(g.devs); k < n; k++ {
		page := g.pager.Page()
		p := newDevice(fmt.Sprintf("%s#%d", d.id, k), page)
		p.base, p.page, p.gate = d, page, d.gate
		p.pool.initPage(p, g.pager.Small())
		p.checked.Store(d.checked.Load())
		p.timed.Store(d.timed.Load())
		opened.add(p)
		g.devs = append(g.devs, p)
	}
	return g.devs[:n:n], nil
}

// Base returns the device whose memory a page shares; for other devices, the device itself.
func (d *Device) Base() *Device {
	if d.base != nil {
		return d.base
	}
	return d
}

// Pages of a device for one container.
const (
	pagedFraction = 4    // a container that is larger than this fraction of the memory is spread over pages
	pageFraction  = 16   // a page has at most this fraction of the memory, unless there are too many
	leastPages    = 16   // of a container. There are 4 or 16 or ... times as many if they would be too large,
	mostPages     = 4096 // so that most containers have equally many, and their elements are on the same pages
)

// NeverPaged is the size in bytes up to which a container is never spread over pages.
const NeverPaged = 64 << 10

// Large reports whether a container of the given size is large compared with the memory of devs: it is
// spread over pages if they have pages, and should not be in the host's memory too if they are native. It
// reports false for devices of several ranks.
func Large(devs []*Device, bytes int64) bool {
	large := false
	for _, d := range devs {
		if d.joint != nil {
			return false
		}
		large = large || d.large(bytes/int64(len(devs)))
	}
	return large
}

// large reports whether the device needs pages for its part of a container, of n bytes.
func (d *Device) large(n int64) bool {
	return n > d.Budget()/pagedFraction || d.info.MaxAlloc > 0 && n > d.info.MaxAlloc
}

// Roomy returns devs or, if a container of the given size would need much of their memory, pages of
// them, see Device.Pages.
func Roomy(devs []*Device, bytes int64) []*Device {
	if len(devs) == 0 || bytes <= 0 {
		return devs
	}
	each := bytes / int64(len(devs))
	n := 1
	for _, d := range devs {
		if d.info.Native || d.joint != nil || d.of != nil || d.base != nil {
			return devs
		}
		if !d.large(each) {
			continue
		}
		budget, largest := d.Budget(), d.info.MaxAlloc
		n = max(n, leastPages)
		for n < mostPages && (each/int64(n) > budget/pageFraction || largest > 0 && each/int64(n) > largest) {
			n *= 4
		}
	}
	if n == 1 {
		return devs
	}
	all := make([]*Device, n*len(devs))
	for i, d := range devs {
		pages, err := d.Pages(n)
		if err != nil { // it is closed, which the first call reports
			return devs
		}
		for k, p := range pages {
			all[k*len(devs)+i] = p // in turn, so that all devices have work at any time
		}
	}
	return all
}

// Budget returns the number of bytes of the device's memory that containers may use: SKEL_MEMORY, or
// all.
func (d *Device) Budget() int64 {
	d = d.Base()
	if n, err := memorySetting(); err == nil && n > 0 {
		return n
	}
	return d.info.Memory
}

// memoryForPages returns the number of bytes that large buffers of pages may use. The rest
// is for small buffers, and for what kernels need.
func (d *Device) memoryForPages() int64 {
	if n, err := memorySetting(); err == nil && n > 0 {
		return n - n/8
	}
	return d.info.Memory - d.info.Memory/4
}

// reclaim frees the memory that the pools of the device and of its pages keep. The caller is in a call of the
// driver.
func (d *Device) reclaim() {
	for _, e := range append([]*Device{d}, d.pages.all()...) {
		_ = e.pool.trimBy(0, driver.Buffer.Free) // the driver says if it has no memory
	}
}

// trimPages frees memory of pages for a buffer of n bytes on the device itself, or a small one on a page.
func (d *Device) trimPages(n int64) {
	if len(d.pages.all()) == 0 {
		return
	}
	_ = d.pool.trim(0)
	for _, p := range d.pages.all() {
		_ = p.pool.trim(0)
	}
	d.pages.mu.Lock()
	pager := d.pages.pager
	d.pages.mu.Unlock()
	if pager != nil {
		d.gate.RLock()
		defer d.gate.RUnlock()
		pager.Trim(n)
	}
}

// moved returns the bytes that have been loaded and saved.
func (g *pages) moved() (loaded, saved int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pager == nil {
		return 0, 0
	}
	s := g.pager.Stats()
	return s.Loaded, s.Saved
}

// all returns the pages.
func (g *pages) all() []*Device {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.devs
}

// empty reports whether the pages hold no buffers.
func (g *pages) empty() bool {
	for _, p := range g.all() {
		if p.stats.liveBuffers.Load() > 0 {
			return false
		}
	}
	return true
}

// make makes the calls on pages that wait.
func (g *pages) make() error {
	g.mu.Lock()
	pager := g.pager
	g.mu.Unlock()
	if pager == nil {
		return nil
	}
	return pager.Make()
}

// wait waits until no page uses the driver on its own.
func (g *pages) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pager != nil {
		g.pager.Wait()
	}
}

// close closes the pages.
func (g *pages) close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	var errs []error
	for _, p := range g.all() {
		errs = append(errs, p.close())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pager != nil {
		g.pager.Close()
	}
	return errors.Join(errs...)
}

// AllocFrom is like AllocTo for a buffer that holds n bytes of r from offset at on. A page reads them
// when they are needed, several times if there is not enough memory to keep them; other devices
// read them at once.
func (d *Device) AllocFrom(b *Buffer, r io.ReaderAt, at, n int64) error {
	if d.page != nil && n > d.pool.largest {
		if err := d.usable("allocation"); err != nil {
			return err
		}
		d.pool.makeRoom(n)
		raw, err := d.page.AllocFrom(r, at, n)
		if err != nil {
			return fmt.Errorf("%s: %w", d.id, err)
		}
		b.owner = Current()
		d.allocated(b, raw, n)
		if d.checked.Load() {
			b.born = here()
		}
		return nil
	}
	if err := d.AllocTo(b, n); err != nil || n == 0 {
		return err
	}
	if err := b.fill(r, at); err != nil {
		b.Free()
		return err
	}
	return nil
}

// fill fills the buffer from offset at of r.
func (b *Buffer) fill(r io.ReaderAt, at int64) error {
	d := b.dev
	if rec := Current(); rec != nil {
		return rec.refuse("%s: reading %d bytes", d.id, b.n)
	}
	d.note("fill", b.n)
	if d.Ghost() {
		return nil
	}
	d.gate.RLock()
	err := driver.Fill(b.raw, d.info.Native, 0, b.n, r, at)
	d.gate.RUnlock()
	d.stats.uploads.Add(1)
	d.stats.uploadBytes.Add(b.n)
	if err != nil {
		err = fmt.Errorf("%s: reading %d bytes: %w", d.id, b.n, err)
	}
	if d.keeps() {
		d.joint.Keep(err)
		return nil
	}
	return err
}
