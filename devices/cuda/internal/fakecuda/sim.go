package fakecuda

import (
	"runtime"
	"strings"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cuda/cu"
)

type device struct {
	mem     map[uint64][]byte
	used    int64
	streams int
}

// op is a command in a stream: a function to call, a marker to wait for, or a
// marker to reach.
type op struct {
	do         func()
	wait, mark *marker
}

type marker struct {
	stream  *stream
	reached bool
}

type stream struct {
	dev     int
	eager   bool
	ops     []op
	graph   *graph // during a capture
	pending bool   // the last Query returned false
}

type event struct{ last *marker }

type graph struct {
	ops   []op
	calls []string // the calls that created the nodes

	spoilt bool // a call failed during the capture
}

// enqueue adds a command to a stream or to the graph captured from it.
func (c *CUDA) enqueue(s *stream, o op) cu.Result {
	if s.graph != nil {
		if o.wait != nil && !o.wait.reached {
			return cu.ErrorStreamCaptureIsolation
		}
		s.graph.ops = append(s.graph.ops, o)
		s.graph.calls = append(s.graph.calls, c.calls[len(c.calls)-1])
		return cu.Success
	}
	s.ops = append(s.ops, o)
	if s.eager {
		c.drain(s, nil)
	}
	return cu.Success
}

// spoil applies the effect of a failed call to captures: it ends them, or
// leaves them invalid.
func (c *CUDA) spoil(name string) {
	for _, s := range c.streams {
		switch {
		case s.graph == nil:
		case name == "cuStreamEndCapture":
			s.graph = nil
		case strings.HasPrefix(name, "cuLaunch"), strings.HasPrefix(name, "cuMemcpy"),
			strings.HasPrefix(name, "cuMemset"):
			s.graph.spoilt = true
		}
	}
}

// drain executes the commands in a stream, up to a marker or all of them.
func (c *CUDA) drain(s *stream, until *marker) {
	for len(s.ops) > 0 && (until == nil || !until.reached) {
		o := s.ops[0]
		s.ops = s.ops[1:]
		switch {
		case o.wait != nil:
			c.drain(o.wait.stream, o.wait)
		case o.mark != nil:
			o.mark.reached = true
		default:
			o.do()
		}
	}
}

// at returns n bytes of device memory; access to unallocated memory breaks the
// context.
func (c *CUDA) at(p uint64, n uint64) []byte {
	for _, d := range c.devices {
		for base, m := range d.mem {
			if p >= base && p+n <= base+uint64(len(m)) {
				return m[p-base : p-base+n]
			}
		}
	}
	c.broken = cu.ErrorIllegalAddress
	return make([]byte, n)
}

// isPinned reports whether transfers may use the host memory.
func (c *CUDA) isPinned(p, n uint64) bool {
	for base, m := range c.pinned {
		if p >= base && p+n <= base+uint64(len(m)) {
			return true
		}
	}
	return false
}

func host(p, n uint64) []byte { return unsafe.Slice((*byte)(pointer(p)), n) }

func (c *CUDA) alloc(dev int, at, n uint64) cu.Result {
	d := c.devices[dev]
	if d.used+int64(n) > c.opt.Memory {
		return cu.ErrorOutOfMemory
	}
	d.used += int64(n)
	c.next = (c.next + n + 1<<12) &^ 255
	m := make([]byte, n)
	for i := range min(n, 1<<16) {
		m[i] = 0xA5 // new memory is not zero
	}
	base := c.next
	c.next += n
	d.mem[base] = m
	put(at, base)
	return cu.Success
}

func (c *CUDA) release(p uint64) {
	for _, d := range c.devices {
		if m, ok := d.mem[p]; ok {
			d.used -= int64(len(m))
			delete(d.mem, p)
			return
		}
	}
	c.broken = cu.ErrorIllegalAddress
}

// work implements the functions of libcuda for streams and memory.
func (c *CUDA) work(name string, a []uint64) cu.Result {
	switch name {
	case "cuStreamCreate":
		d := c.devices[c.current-1]
		s := &stream{dev: int(c.current - 1), eager: c.opt.Eager != nil && c.opt.Eager(d.streams)}
		d.streams++
		h := c.handle()
		c.streams[h] = s
		put(a[0], h)
	case "cuStreamDestroy_v2":
		c.drain(c.streams[a[0]], nil)
		delete(c.streams, a[0])
	case "cuStreamSynchronize", "cuStreamQuery":
		s := c.streams[a[0]]
		if s.graph != nil {
			return cu.ErrorStreamCaptureUnsupported
		}
		if s.pending = !s.pending && len(s.ops) > 0; s.pending && name == "cuStreamQuery" {
			return cu.ErrorNotReady
		}
		c.drain(s, nil)
	case "cuStreamWaitEvent":
		if m := c.events[a[1]].last; m != nil {
			return c.enqueue(c.streams[a[0]], op{wait: m})
		}
	case "cuEventCreate":
		h := c.handle()
		c.events[h] = &event{}
		put(a[0], h)
	case "cuEventRecord":
		s := c.streams[a[1]]
		m := &marker{stream: s}
		c.events[a[0]].last = m
		return c.enqueue(s, op{mark: m})
	case "cuEventSynchronize", "cuEventQuery":
		if m := c.events[a[0]].last; m != nil && !m.reached {
			if c.asked++; name == "cuEventQuery" && c.asked%2 == 1 {
				return cu.ErrorNotReady
			}
			c.drain(m.stream, m)
		}
	case "cuEventElapsedTime":
		put(a[0], float32(0.5))
	case "cuEventDestroy_v2":
		delete(c.events, a[0])
	case "cuMemAlloc_v2":
		return c.alloc(int(c.current-1), a[0], a[1])
	case "cuMemFree_v2":
		for _, s := range c.streams {
			c.drain(s, nil)
		}
		c.release(a[0])
	case "cuMemHostAlloc":
		m := make([]byte, a[1])
		p := uint64(uintptr(unsafe.Pointer(&m[0])))
		c.pinned[p] = m
		put(a[0], p)
	case "cuMemFreeHost", "cuMemHostUnregister":
		if _, ok := c.pinned[a[0]]; !ok {
			return cu.ErrorInvalidValue
		}
		delete(c.pinned, a[0])
	case "cuMemHostRegister_v2":
		c.pinned[a[0]] = host(a[0], a[1])
	default:
		return c.shared(name, a)
	}
	return c.broken
}

// shared implements the functions for other processes, which are this one.
func (c *CUDA) shared(name string, a []uint64) cu.Result {
	var handle uint64 // the first word of the one that is passed by value
	switch {
	case !strings.HasPrefix(name, "cuIpcOpen"):
	case runtime.GOARCH == "amd64" && runtime.GOOS != "windows":
		handle = a[6]
	default:
		handle = *(*uint64)(pointer(a[1]))
	}
	switch name {
	case "cuIpcGetMemHandle", "cuIpcGetEventHandle":
		put(a[0], cu.IPCHandle{})
		put(a[0], a[1])
	case "cuIpcOpenMemHandle_v2":
		put(a[0], handle)
	case "cuIpcOpenEventHandle":
		h := c.handle()
		c.events[h] = c.events[handle]
		put(a[0], h)
	case "cuIpcCloseMemHandle":
	default:
		return c.copies(name, a)
	}
	return c.broken
}

func (c *CUDA) copies(name string, a []uint64) cu.Result {
	switch name {
	case "cuMemcpyHtoDAsync_v2":
		if !c.isPinned(a[1], a[2]) {
			return cu.ErrorInvalidValue
		}
		return c.enqueue(c.streams[a[3]], op{do: func() { copy(c.at(a[0], a[2]), host(a[1], a[2])) }})
	case "cuMemcpyDtoHAsync_v2":
		if !c.isPinned(a[0], a[2]) {
			return cu.ErrorInvalidValue
		}
		return c.enqueue(c.streams[a[3]], op{do: func() { copy(host(a[0], a[2]), c.at(a[1], a[2])) }})
	case "cuMemcpyDtoDAsync_v2":
		return c.enqueue(c.streams[a[3]], op{do: func() { copy(c.at(a[0], a[2]), c.at(a[1], a[2])) }})
	case "cuMemcpyPeerAsync":
		return c.enqueue(c.streams[a[5]], op{do: func() { copy(c.at(a[0], a[4]), c.at(a[2], a[4])) }})
	case "cuMemsetD8Async":
		return c.enqueue(c.streams[a[3]], op{do: func() {
			for p, i := c.at(a[0], a[2]), 0; i < len(p); i++ {
				p[i] = byte(a[1])
			}
		}})
	case "cuMemcpyHtoD_v2":
		copy(c.at(a[0], a[2]), host(a[1], a[2]))
	case "cuMemcpyDtoH_v2":
		copy(host(a[0], a[2]), c.at(a[1], a[2]))
	default:
		return c.graphs(name, a)
	}
	return c.broken
}

func (c *CUDA) graphs(name string, a []uint64) cu.Result {
	switch name {
	case "cuStreamBeginCapture_v2":
		s := c.streams[a[0]]
		if s.graph != nil {
			return cu.ErrorIllegalState
		}
		s.graph = &graph{}
	case "cuStreamEndCapture":
		s := c.streams[a[0]]
		g, h := s.graph, c.handle()
		s.graph = nil
		if g.spoilt {
			return cu.ErrorStreamCaptureInvalidated
		}
		c.code.graphs[h] = g
		c.captured = g
		put(a[1], h)
	case "cuGraphInstantiateWithFlags":
		h := c.handle()
		c.code.graphs[h] = c.code.graphs[a[1]]
		put(a[0], h)
	case "cuGraphGetNodes":
		put(a[2], uint64(len(c.code.graphs[a[0]].ops)))
	case "cuGraphLaunch":
		s := c.streams[a[1]]
		for _, o := range c.code.graphs[a[0]].ops {
			if r := c.enqueue(s, o); r != cu.Success {
				return r
			}
		}
	case "cuGraphDestroy", "cuGraphExecDestroy":
		delete(c.code.graphs, a[0])
	default:
		return c.kernels(name, a)
	}
	return c.broken
}
