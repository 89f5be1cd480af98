package cu

import (
	"sync/atomic"
	"unsafe"
)

var (
	cuStreamCreate      = driver.Func("cuStreamCreate")
	cuStreamSynchronize = driver.Func("cuStreamSynchronize")
	cuStreamQuery       = driver.Func("cuStreamQuery")
	cuStreamWaitEvent   = driver.Func("cuStreamWaitEvent")
	cuStreamDestroy     = driver.Func("cuStreamDestroy_v2")
)

// StreamFlags specify how a stream is created.
type StreamFlags uint32

// Flags of a stream.
const (
	StreamDefault     StreamFlags = 0
	StreamNonBlocking StreamFlags = 1 // does not wait for the default stream
)

// Stream is an in-order queue of a context.
type Stream struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// MakeStream creates a stream.
func (c *Ctx) MakeStream(flags StreamFlags) (*Stream, error) {
	h := new(uintptr)
	err := c.do(func() error {
		return check(cuStreamCreate, cuStreamCreate.Call(uintptr(unsafe.Pointer(h)), uintptr(flags)))
	})
	if err != nil {
		return nil, err
	}
	live.streams.Add(1)
	return &Stream{ctx: c, h: *h}, nil
}

// Handle returns the CUstream.
func (s *Stream) Handle() uintptr { return s.h }

// Synchronize waits until all enqueued work has finished. The thread spins.
func (s *Stream) Synchronize() error { return s.ctx.call(cuStreamSynchronize, s.h, 0, 0, 0) }

// Query reports whether all enqueued work has finished.
func (s *Stream) Query() (bool, error) { return s.ctx.query(cuStreamQuery, s.h) }

// WaitEvent makes work enqueued later wait for the work that the event marks.
func (s *Stream) WaitEvent(e *Event) error { return s.ctx.call(cuStreamWaitEvent, s.h, e.h, 0, 0) }

// Destroy releases the stream. Work already enqueued still runs.
func (s *Stream) Destroy() error {
	if s.destroyed.Swap(true) {
		return nil
	}
	live.streams.Add(-1)
	return s.ctx.call(cuStreamDestroy, s.h, 0, 0, 0)
}
