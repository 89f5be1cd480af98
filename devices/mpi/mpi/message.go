package mpi

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

// largest is the most bytes in one message. MPI counts in 32 bits.
var largest = 1 << 30

// pieces calls f with the parts of p that are messages of their own. An empty p is
// one message.
func pieces(p []byte, f func(q []byte) error) error {
	for {
		q := p[:min(len(p), largest)]
		if err := f(q); err != nil {
			return err
		}
		if p = p[len(q):]; len(p) == 0 {
			return nil
		}
	}
}

// Send sends p to a rank, and waits until p may change. That may be when the receiver
// takes the message, so two ranks that send to each other first, or one that sends to
// itself, may wait forever: use Isend.
func (c *Comm) Send(p []byte, to, tag int) error {
	l := c.lib
	return pieces(p, func(q []byte) error {
		r := l.send.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(to),
			uintptr(tag), c.handle)
		return l.check(l.send, r, "%d bytes to rank %d with tag %d", len(p), to, tag)
	})
}

// Recv waits for a message of len(p) bytes from a rank.
func (c *Comm) Recv(p []byte, from, tag int) error {
	l := c.lib
	status := l.abi.newStatus()
	return pieces(p, func(q []byte) error {
		r := l.recv.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(from),
			uintptr(tag), c.handle, uintptr(unsafe.Pointer(&status[0])))
		if err := l.check(l.recv, r, "%d bytes from rank %d with tag %d", len(p), from, tag); err != nil {
			return err
		}
		return l.full(status, len(q), from, tag)
	})
}

// newStatus returns memory for an MPI_Status.
func (a *abi) newStatus() []uint64 { return make([]uint64, (a.statusSize+7)/8) }

// full checks that a received message had n bytes.
func (l *library) full(status []uint64, n, from, tag int) error {
	got := new(int32)
	r := l.getCount.Call(uintptr(unsafe.Pointer(&status[0])), l.abi.bytes, uintptr(unsafe.Pointer(got)))
	if err := l.check(l.getCount, r, ""); err != nil {
		return err
	}
	if int(*got) != n {
		return fmt.Errorf("mpi: a message from rank %d with tag %d has %d bytes, not %d", from, tag, *got, n)
	}
	return nil
}

// Request is a call under way: a message, or a collective call. It must be waited for,
// and keeps its memory alive. It must be used by one goroutine at a time.
type Request struct {
	lib   *library
	by    *dl.Func // the call
	parts []part
	mem   []byte

	receive   bool
	peer, tag int

	status []uint64
	flag   *int32
}

type part struct {
	handle *uintptr
	n      int
}

// begin makes a request whose parts start starts.
func (c *Comm) begin(by *dl.Func, p []byte, peer, tag int, start func(q []byte, h *uintptr) int32) (*Request, error) {
	l := c.lib
	r := &Request{lib: l, by: by, mem: p, peer: peer, tag: tag, status: l.abi.newStatus(), flag: new(int32)}
	err := pieces(p, func(q []byte) error {
		h := new(uintptr)
		if code := start(q, h); code != 0 {
			return l.check(by, code, "%s", r)
		}
		r.parts = append(r.parts, part{h, len(q)})
		return nil
	})
	return r, err
}

// String describes the message.
func (r *Request) String() string {
	return fmt.Sprintf("%d bytes, rank %d, tag %d", len(r.mem), r.peer, r.tag)
}

// Isend starts to send p to a rank. p must not change until the request is complete.
func (c *Comm) Isend(p []byte, to, tag int) (*Request, error) {
	l := c.lib
	return c.begin(l.isend, p, to, tag, func(q []byte, h *uintptr) int32 {
		return l.isend.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(to),
			uintptr(tag), c.handle, uintptr(unsafe.Pointer(h)))
	})
}

// Irecv starts to receive a message of len(p) bytes from a rank. p must not be used
// until the request is complete.
func (c *Comm) Irecv(p []byte, from, tag int) (*Request, error) {
	l := c.lib
	r, err := c.begin(l.irecv, p, from, tag, func(q []byte, h *uintptr) int32 {
		return l.irecv.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(from),
			uintptr(tag), c.handle, uintptr(unsafe.Pointer(h)))
	})
	r.receive = true
	return r, err
}

// Ibcast is Bcast that does not wait. p must not be used until the request is complete.
func (c *Comm) Ibcast(p []byte, root int) (*Request, error) {
	l := c.lib
	return c.begin(l.ibcast, p, root, 0, func(q []byte, h *uintptr) int32 {
		return l.ibcast.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(root),
			c.handle, uintptr(unsafe.Pointer(h)))
	})
}

// Ibarrier is Barrier that does not wait: its request is complete when all ranks have
// called it.
func (c *Comm) Ibarrier() (*Request, error) {
	l := c.lib
	return c.begin(l.ibarrier, nil, 0, 0, func(_ []byte, h *uintptr) int32 {
		return l.ibarrier.Call(c.handle, uintptr(unsafe.Pointer(h)))
	})
}

// Wait waits until the call is complete. A second call does nothing.
func (r *Request) Wait() error {
	var errs []error
	for _, p := range r.parts {
		code := r.lib.wait.Call4(uintptr(unsafe.Pointer(p.handle)), uintptr(unsafe.Pointer(&r.status[0])), 0, 0)
		errs = append(errs, r.done(code, p))
	}
	r.parts, r.mem = nil, nil
	return errors.Join(errs...)
}

// Test reports whether the call is complete, without waiting.
func (r *Request) Test() (done bool, err error) {
	for len(r.parts) > 0 {
		p := r.parts[0]
		*r.flag = 0
		code := r.lib.test.Call4(uintptr(unsafe.Pointer(p.handle)), uintptr(unsafe.Pointer(r.flag)),
			uintptr(unsafe.Pointer(&r.status[0])), 0)
		if code == 0 && *r.flag == 0 {
			return false, nil
		}
		r.parts = r.parts[1:]
		if err := r.done(code, p); err != nil {
			return true, errors.Join(err, r.Wait())
		}
	}
	r.mem = nil
	return true, nil
}

// Cancel gives up a message that has not been received. If it has been received
// meanwhile, it is lost.
func (r *Request) Cancel() error {
	var errs []error
	for _, p := range r.parts {
		if code := r.lib.cancel.Call4(uintptr(unsafe.Pointer(p.handle)), 0, 0, 0); code != 0 {
			errs = append(errs, r.lib.check(r.lib.cancel, code, "%s", r))
			continue
		}
		code := r.lib.wait.Call4(uintptr(unsafe.Pointer(p.handle)), uintptr(unsafe.Pointer(&r.status[0])), 0, 0)
		errs = append(errs, r.lib.check(r.lib.wait, code, "%s", r))
	}
	r.parts, r.mem = nil, nil
	return errors.Join(errs...)
}

func (r *Request) done(code int32, p part) error {
	if code != 0 {
		return r.lib.check(r.by, code, "%s", r)
	}
	if !r.receive {
		return nil
	}
	return r.lib.full(r.status, p.n, r.peer, r.tag)
}

// Bcast copies p of rank root to p of all ranks, which must have the same length.
func (c *Comm) Bcast(p []byte, root int) error {
	l := c.lib
	return pieces(p, func(q []byte) error {
		r := l.bcast.Call(uintptr(unsafe.Pointer(unsafe.SliceData(q))), uintptr(len(q)), l.abi.bytes, uintptr(root),
			c.handle)
		return l.check(l.bcast, r, "%d bytes of rank %d", len(p), root)
	})
}

// Allgather copies p of all ranks to all on every rank, in the order of ranks. p has
// the same length on all ranks, less than 2 GiB, and len(all) is Size times that.
func (c *Comm) Allgather(p, all []byte) error {
	l := c.lib
	if len(p) > math.MaxInt32 || len(all) != len(p)*c.size {
		return fmt.Errorf("mpi: Allgather of %d bytes from each of %d ranks into %d bytes", len(p), c.size, len(all))
	}
	r := l.allgather.Call(uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), l.abi.bytes,
		uintptr(unsafe.Pointer(unsafe.SliceData(all))), uintptr(len(p)), l.abi.bytes, c.handle)
	return l.check(l.allgather, r, "%d bytes", len(p))
}
