package cl

import "unsafe"

var (
	clEnqueueWriteBuffer = newFunction("clEnqueueWriteBuffer")
	clEnqueueReadBuffer  = newFunction("clEnqueueReadBuffer")
	clEnqueueCopyBuffer  = newFunction("clEnqueueCopyBuffer")
	clEnqueueFillBuffer  = newFunction("clEnqueueFillBuffer")
)

// EnqueueWriteBuffer copies p to byte offset off of a buffer. A non-blocking
// write requires an event, which keeps p pinned; p must not change before the
// event is done.
func (q *CommandQueue) EnqueueWriteBuffer(m *MemObject, blocking bool, off int64, p []byte, wait []*Event,
	ev *Event) error {
	return q.transfer(clEnqueueWriteBuffer, m, blocking, off, p, wait, ev)
}

// EnqueueReadBuffer copies from byte offset off of a buffer to p. A
// non-blocking read requires an event, which keeps p pinned; p holds the data
// when the event is done.
func (q *CommandQueue) EnqueueReadBuffer(m *MemObject, blocking bool, off int64, p []byte, wait []*Event,
	ev *Event) error {
	return q.transfer(clEnqueueReadBuffer, m, blocking, off, p, wait, ev)
}

func (q *CommandQueue) transfer(f *function, m *MemObject, blocking bool, off int64, p []byte, wait []*Event,
	ev *Event) error {
	if !blocking && ev == nil {
		return refuse(f.name, InvalidEvent, "a non-blocking transfer needs an event, which keeps the memory pinned")
	}
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	block := uintptr(1)
	if !blocking {
		block = 0
		if len(p) > 0 {
			ev.pin(unsafe.SliceData(p))
		}
	}
	err = f.call9(q.Handle(), m.Handle(), block, uintptr(off), uintptr(len(p)), uintptr(address(p)),
		uintptr(len(hs)), uintptr(address(hs)), uintptr(out))
	if err != nil {
		if !blocking {
			ev.unpin()
		}
		return detail(err, "%d bytes at %d of a buffer of %d", len(p), off, m.size)
	}
	ev.enqueued()
	return nil
}

// EnqueueCopyBuffer copies n bytes between buffers, or within one if the ranges
// do not overlap.
func (q *CommandQueue) EnqueueCopyBuffer(src, dst *MemObject, srcOff, dstOff, n int64, wait []*Event, ev *Event) error {
	f := clEnqueueCopyBuffer
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	err = f.call9(q.Handle(), src.Handle(), dst.Handle(), uintptr(srcOff), uintptr(dstOff), uintptr(n),
		uintptr(len(hs)), uintptr(address(hs)), uintptr(out))
	if err != nil {
		return detail(err, "%d bytes, from offset %d of a buffer of %d to offset %d of a buffer of %d",
			n, srcOff, src.size, dstOff, dst.size)
	}
	ev.enqueued()
	return nil
}

// EnqueueFillBuffer fills n bytes of a buffer from byte offset off with a
// pattern of 1, 2, 4, ... 128 bytes; off and n must be multiples of its length.
func (q *CommandQueue) EnqueueFillBuffer(m *MemObject, pattern []byte, off, n int64, wait []*Event, ev *Event) error {
	f := clEnqueueFillBuffer
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	err = f.call9(q.Handle(), m.Handle(), uintptr(address(pattern)), uintptr(len(pattern)), uintptr(off), uintptr(n),
		uintptr(len(hs)), uintptr(address(hs)), uintptr(out))
	if err != nil {
		return detail(err, "%d bytes at %d of a buffer of %d with a pattern of %d bytes", n, off, m.size, len(pattern))
	}
	ev.enqueued()
	return nil
}
