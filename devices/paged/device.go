package paged

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
)

// Device is a page: a device that shares its memory with the other pages of a Pager.
type Device struct {
	pager  *Pager
	number int64 // among the pages of the pager
}

// Page returns a new page.
func (p *Pager) Page() *Device { return &Device{p, p.pages.Add(1)} }

// Info describes the device that the pages share.
func (d *Device) Info() driver.Info { return d.pager.info }

// Alloc returns a buffer. A large one has no memory until it is used.
func (d *Device) Alloc(n int64) (driver.Buffer, error) {
	p := d.pager
	if n < 0 {
		return nil, fmt.Errorf("paged: cannot allocate %d bytes", n)
	}
	if n > p.most {
		return nil, fmt.Errorf("%w: a buffer of %d bytes, where %d may be used (SKEL_MEMORY)",
			driver.ErrMemory, n, p.most)
	}
	if n > p.small {
		return &Buffer{page: d, pager: p, n: n, size: p.slotSize(n)}, nil
	}
	mem, err := p.dev.Alloc(n)
	if err != nil {
		return nil, err
	}
	return &Buffer{page: d, pager: p, n: n, mem: mem, fixed: true, filled: true}, nil
}

// AllocFrom returns a buffer that holds n bytes of r from offset at on. They are read when they are
// needed, several times if they have left the device in between, so they must not change.
func (d *Device) AllocFrom(r io.ReaderAt, at, n int64) (driver.Buffer, error) {
	made, err := d.Alloc(n)
	if err != nil {
		return nil, err
	}
	b := made.(*Buffer)
	if b.fixed {
		return b, driver.Fill(b.mem, false, 0, n, r, at)
	}
	p := d.pager
	p.mu.Lock()
	defer p.mu.Unlock()
	b.src, b.at, b.filled = r, at, true
	b.remember()
	return b, nil
}

// Build builds a kernel for the device.
func (d *Device) Build(prog driver.Program) (driver.Kernel, error) {
	k, err := d.pager.dev.Build(prog)
	if err != nil {
		return nil, err
	}
	return &kernel{d, k}, nil
}

// Sync makes the calls that wait, and waits until the queue of the device is empty.
func (d *Device) Sync() error {
	err := d.pager.Make()
	return cmp.Or(err, d.pager.dev.Sync())
}

// Close does nothing: Pager.Close frees the memory.
func (d *Device) Close() error { return nil }

// Handle returns the handle of the device.
func (d *Device) Handle() uintptr {
	if h, ok := d.pager.dev.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Launch enqueues a kernel of the device that the pages share, with buffers of pages. It is launched when results are
// needed; errors then name it by what.
func (d *Device) Launch(what string, k driver.Kernel, grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	p := d.pager
	own := slices.Clone(args)
	uses := make([]use, 0, len(args))
	for i, a := range args {
		if a.Buf == nil {
			own[i].Data = slices.Clone(a.Data)
			continue
		}
		b, ok := a.Buf.(*Buffer)
		if !ok || b.pager != p {
			return nil, fmt.Errorf("paged: argument %d is memory of another device (%T)", i, a.Buf)
		}
		how := changes
		if a.Reads {
			how = reads
		}
		uses = append(uses, use{buf: b, how: how})
	}
	return later(&call{page: d, what: what, uses: uses, do: func(mem []driver.Buffer) (driver.Event, error) {
		for i := range own {
			if own[i].Buf != nil {
				own[i].Buf, mem = mem[0], mem[1:]
			}
		}
		return k.Launch(grid, own...)
	}})
}

// Fingerprint identifies the compiler of the device.
func (d *Device) Fingerprint() string {
	if f, ok := d.pager.dev.(driver.Fingerprint); ok {
		return f.Fingerprint()
	}
	return ""
}

// kernel is a kernel that a page has built.
type kernel struct {
	dev *Device
	raw driver.Kernel
}

func (k *kernel) Launch(grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	return k.dev.Launch("", k.raw, grid, args...)
}

func (k *kernel) Close() error { return k.raw.Close() }

// Binary returns the kernel for the cache on disk.
func (k *kernel) Binary() ([]byte, error) {
	if b, ok := k.raw.(driver.Binary); ok {
		return b.Binary()
	}
	return nil, errors.New("paged: the kernels of the device have no binaries")
}
