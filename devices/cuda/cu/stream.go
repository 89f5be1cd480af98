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

// StreamFlags says how a stream is made.
type StreamFlags uint32

// Flags of a stream.
const (
	StreamDefault     StreamFlags = 0
	StreamNonBlocking StreamFlags = 1 // it does not wait for the default stream
)

// Stream is a queue of a context: what is enqueued runs in order.
type Stream struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// MakeStream makes a stream.
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

// Handle is the CUstream.
func (s *Stream) Handle() uintptr { return s.h }

// Synchronize waits until all that was enqueued is done. The thread spins.
func (s *Stream) Synchronize() error { return s.ctx.call(cuStreamSynchronize, s.h, 0, 0, 0) }

// Query reports whether all that was enqueued is done.
func (s *Stream) Query() (bool, error) { return s.ctx.query(cuStreamQuery, s.h) }

// WaitEvent lets what is enqueued later wait for what the event was last
// recorded after.
func (s *Stream) WaitEvent(e *Event) error { return s.ctx.call(cuStreamWaitEvent, s.h, e.h, 0, 0) }

// Destroy gives the stream back. What was enqueued is still done.
func (s *Stream) Destroy() error {
	if s.destroyed.Swap(true) {
		return nil
	}
	live.streams.Add(-1)
	return s.ctx.call(cuStreamDestroy, s.h, 0, 0, 0)
}
