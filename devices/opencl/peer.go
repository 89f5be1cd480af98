package opencl

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// CopyPeer copies n bytes from byte offset from of a buffer of another device,
// in the order of both devices' queues. The devices must belong to one
// platform, whose context allows copies between them.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev.platform != b.dev.platform {
		return driver.Done, fmt.Errorf("opencl: %w: they belong to different platforms", driver.ErrNoPeer)
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
	if err := b.dev.begin(b.dev.queue.EnqueueCopyBuffer(s.mem, b.mem, from, off, n, []*cl.Event{&before},
		&e.ev)); err != nil {
		if memoryError(err) { // the implementation moved the other buffer to this device
			err = fmt.Errorf("%w: %w", driver.ErrNoPeer, err)
		}
		return driver.Done, errors.Join(err, e.ev.Release(), before.Release())
	}
	// Make the source's queue wait for the event before the event is shared and
	// may be released.
	err := s.dev.begin(s.dev.queue.EnqueueBarrier([]*cl.Event{&e.ev}, nil))
	b.dev.pending.add(e)
	return e, errors.Join(err, before.Release())
}
