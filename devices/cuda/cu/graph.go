package cu

import (
	"errors"
	"sync/atomic"
	"unsafe"
)

var (
	cuStreamBeginCapture = driver.Func("cuStreamBeginCapture_v2")
	cuStreamEndCapture   = driver.Func("cuStreamEndCapture")
	cuGraphInstantiate   = driver.Func("cuGraphInstantiateWithFlags")
	cuGraphUpload        = driver.Func("cuGraphUpload")
	cuGraphLaunch        = driver.Func("cuGraphLaunch")
	cuGraphGetNodes      = driver.Func("cuGraphGetNodes")
	cuGraphExecDestroy   = driver.Func("cuGraphExecDestroy")
	cuGraphDestroy       = driver.Func("cuGraphDestroy")
)

// CaptureMode specifies what other threads may do during a capture.
type CaptureMode int32

// Modes of capture. Goroutines move between threads, so only the last is useful
// with more than one goroutine.
const (
	CaptureGlobal      CaptureMode = 0
	CaptureThreadLocal CaptureMode = 1
	CaptureRelaxed     CaptureMode = 2
)

// BeginCapture starts a capture: work enqueued from now on becomes part of a
// graph instead of being executed.
func (s *Stream) BeginCapture(mode CaptureMode) error {
	return s.ctx.call(cuStreamBeginCapture, s.h, uintptr(mode), 0, 0)
}

// EndCapture ends the capture and returns its graph.
func (s *Stream) EndCapture() (*Graph, error) {
	h := new(uintptr)
	err := s.ctx.call(cuStreamEndCapture, s.h, uintptr(unsafe.Pointer(h)), 0, 0)
	if err != nil {
		return nil, err
	}
	if *h == 0 {
		return nil, refuse(cuStreamEndCapture.Name, ErrorStreamCaptureInvalidated, "the capture returned no graph")
	}
	live.graphs.Add(1)
	return &Graph{ctx: s.ctx, h: *h}, nil
}

// Graph is captured work.
type Graph struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// Handle returns the CUgraph.
func (g *Graph) Handle() uintptr { return g.h }

// Len returns the number of the graph's nodes, such as launches and copies.
func (g *Graph) Len() (int, error) {
	n := new(uint64)
	err := g.ctx.call(cuGraphGetNodes, g.h, 0, uintptr(unsafe.Pointer(n)), 0)
	return int(*n), err
}

// Instantiate returns an executable form of the graph.
func (g *Graph) Instantiate() (*GraphExec, error) {
	h := new(uintptr)
	err := g.ctx.do(func() error {
		return check(cuGraphInstantiate, cuGraphInstantiate.Call(uintptr(unsafe.Pointer(h)), g.h, 0))
	})
	if err != nil {
		return nil, err
	}
	live.graphs.Add(1)
	return &GraphExec{ctx: g.ctx, h: *h}, nil
}

// Destroy releases the graph. Its instances remain valid.
func (g *Graph) Destroy() error {
	if g.destroyed.Swap(true) {
		return nil
	}
	live.graphs.Add(-1)
	return g.ctx.call(cuGraphDestroy, g.h, 0, 0, 0)
}

// GraphExec is an executable graph. The memory and the kernels that it uses
// must outlive it.
type GraphExec struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// Handle returns the CUgraphExec.
func (g *GraphExec) Handle() uintptr { return g.h }

// Upload prepares the device for the first Launch.
func (g *GraphExec) Upload(s *Stream) error { return g.ctx.call(cuGraphUpload, g.h, s.h, 0, 0) }

// Launch enqueues the graph.
func (g *GraphExec) Launch(s *Stream) error {
	if g.destroyed.Load() {
		return errors.New("cuGraphLaunch: the graph is destroyed")
	}
	return g.ctx.call(cuGraphLaunch, g.h, s.h, 0, 0)
}

// Destroy releases the executable graph.
func (g *GraphExec) Destroy() error {
	if g.destroyed.Swap(true) {
		return nil
	}
	live.graphs.Add(-1)
	return g.ctx.call(cuGraphExecDestroy, g.h, 0, 0, 0)
}
