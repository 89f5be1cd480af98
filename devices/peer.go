package devices

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

// hostChunk is the size of the pieces in which data passes through the host
// between devices that cannot reach each other.
const hostChunk = 16 << 20

// copyPeer copies from a buffer of another device.
func (b *Buffer) copyPeer(off int64, src *Buffer, from, n int64) error {
	if r := Current(); r != nil {
		return r.copy(b, off, src, from, n)
	}
	return b.peer(off, src, from, n)
}

// peer is copyPeer without recording.
func (b *Buffer) peer(off int64, src *Buffer, from, n int64) error {
	d := b.dev
	start := traceNow()
	ev, err := b.enqueuePeer(off, src, from, n)
	host := errors.Is(err, driver.ErrNoPeer)
	if host {
		err = b.copyThroughHost(off, src, from, n)
	}
	if err != nil {
		return fmt.Errorf("%s: copy of %d bytes from %s: %w", d.id, n, src.dev.id, err)
	}
	if !host {
		d.stats.copies.Add(1)
		d.stats.copyBytes.Add(n)
		d.enqueued(work{event: ev, start: start, label: "copy from " + src.dev.id, bytes: n})
	}
	return nil
}

// enqueuePeer enqueues a copy that bypasses the host.
func (b *Buffer) enqueuePeer(off int64, src *Buffer, from, n int64) (driver.Event, error) {
	p, ok := b.raw.(driver.PeerCopy)
	s, virtual := src.raw.(*paged.Buffer)
	if !ok && !virtual {
		return nil, driver.ErrNoPeer
	}
	defer lockGates(b.dev, src.dev)()
	if virtual && b.dev.page == nil {
		return s.CopyTo(b.raw, off, from, n)
	}
	return p.CopyPeer(off, src.raw, from, n)
}

// lockGates locks the gates of two devices for reading, always in the same
// order: otherwise two calls and two captures could deadlock.
func lockGates(a, b *Device) (unlock func()) {
	if b.Base().lane < a.Base().lane {
		a, b = b, a
	}
	a.gate.RLock()
	if a.gate == b.gate { // pages of one device
		return a.gate.RUnlock
	}
	b.gate.RLock()
	return func() {
		b.gate.RUnlock()
		a.gate.RUnlock()
	}
}

// copyThroughHost copies in pieces through a buffer on the host. If one of the
// devices is native, a single transfer does.
func (b *Buffer) copyThroughHost(off int64, src *Buffer, from, n int64) error {
	if host := b.native(); host != nil {
		return src.read(from, host[off:off+n])
	}
	if host := src.native(); host != nil {
		return b.write(off, host[from:from+n])
	}
	piece := make([]byte, min(n, hostChunk))
	for n > 0 {
		p := piece[:min(n, hostChunk)]
		if err := src.read(from, p); err != nil {
			return err
		}
		if err := b.write(off, p); err != nil {
			return err
		}
		off, from, n = off+int64(len(p)), from+int64(len(p)), n-int64(len(p))
	}
	return nil
}

// native returns the memory of a buffer on a native device, even if the buffer
// was freed during a recording that uses it, and nil on other devices.
func (b *Buffer) native() []byte {
	if h, ok := b.raw.(driver.HostMemory); ok && b.dev.Native() {
		return h.Bytes()
	}
	return nil
}
