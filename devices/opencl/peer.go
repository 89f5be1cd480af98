package opencl

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// CopyPeer copies n bytes of a buffer of another device, from byte from on, in
// the order of both devices' queues. Devices of one platform share a context,
// in which OpenCL copies between them.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev.platform != b.dev.platform {
		return driver.Done, fmt.Errorf("opencl: %w: they are of different platforms", driver.ErrNoPeer)
	}
	if s.dev == b.dev {
		return b.Copy(off, src, from, n)
	}
	if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil || n == 0 {
		return driver.Done, err
	}
	var before cl.Event
	if err := s.dev.begin(s.dev.queue.EnqueueMarker(nil, &before)); err != nil {
		return driver.Done, errors.Join(err, before.Release())
	}
	e := new(event)
	if err := b.dev.begin(b.dev.queue.EnqueueCopyBuffer(s.mem, b.mem, from, off, n, []*cl.Event{&before}, &e.ev)); err != nil {
		if memoryError(err) { // to copy, it moves the other buffer to this device
			err = fmt.Errorf("%w: %w", driver.ErrNoPeer, err)
		}
		return driver.Done, errors.Join(err, e.ev.Release(), before.Release())
	}
	// Before anybody else can see the event, wait for it, and release it.
	err := s.dev.begin(s.dev.queue.EnqueueBarrier([]*cl.Event{&e.ev}, nil))
	b.dev.pending.add(e)
	return e, errors.Join(err, before.Release())
}
