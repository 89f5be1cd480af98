package mpi

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// process is the state of MPI in this process. MPI can be started once.
var process struct {
	mu       sync.Mutex
	started  bool
	finished bool
	ours     bool // Init started MPI, and Finalize ends it
	multiple bool
	lib      *library
	world    *Comm
	err      error
}

// Init opens an MPI library, starts MPI and returns the communicator of all ranks.
// Only the first call has an effect; later ones return the same. If other code of
// the process, linked with the same library, has started MPI, Init joins it.
//
// Without a launcher the communicator has one rank. The error wraps ErrNoLibrary if
// the machine has no library.
func Init() (*Comm, error) {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		p.started = true
		restore, err := keepSignals()
		if err != nil {
			p.err = err
			return nil, err
		}
		p.world, p.err = start()
		p.err = errors.Join(p.err, restore())
	}
	return p.world, p.err
}

func start() (*Comm, error) {
	by, launched := Launched()
	l, err := choose(by, launched)
	if err != nil {
		return nil, err
	}
	p := &process
	p.lib = l
	flag := new(int32)
	if err := l.check(l.finalized, l.finalized.Call(uintptr(unsafe.Pointer(flag))), ""); err != nil {
		return nil, err
	}
	if *flag != 0 {
		return nil, errors.New("mpi: MPI has ended in this process and cannot start again")
	}
	if err := l.check(l.initialized, l.initialized.Call(uintptr(unsafe.Pointer(flag))), ""); err != nil {
		return nil, err
	}
	level := new(int32)
	if *flag != 0 {
		err = l.check(l.queryThread, l.queryThread.Call(uintptr(unsafe.Pointer(level))), "")
	} else {
		err = l.check(l.initThread, l.initThread.Call(0, 0, l.abi.threadMultiple, uintptr(unsafe.Pointer(level))), "")
		p.ours = err == nil
	}
	if err != nil {
		return nil, err
	}
	p.multiple = uintptr(*level) >= l.abi.threadMultiple
	world, err := l.comm(l.abi.world)
	if err != nil {
		return nil, err
	}
	if launched && by.Size > 0 && by.Size != world.size {
		return nil, fmt.Errorf("mpi: this process was started by %v as one of %d, but %s (%s) counts %d: "+
			"start with the mpirun of the library", by, by.Size, l.version, l.Path(), world.size)
	}
	return world, nil
}

// Finalize ends MPI. Every rank must call it, after its last message; a launcher
// takes a rank that ends without it for a failure, and ends the others. It does
// nothing if Init was not called or could not start MPI, or if other code started it.
func Finalize() error {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ours || p.finished {
		return nil
	}
	p.finished = true
	return p.lib.check(p.lib.finalize, p.lib.finalize.Call(), "")
}

// Version returns the name, version and file of the library that Init opened:
// "Open MPI v4.1.4 (libmpi.so.40)".
func Version() string {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lib == nil {
		return ""
	}
	return fmt.Sprintf("%s (%s)", p.lib.version, p.lib.Path())
}

// ThreadMultiple reports whether many goroutines may call at the same time. Init
// asks the library for that.
func ThreadMultiple() bool {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.multiple
}

// Comm is a communicator: a set of ranks whose messages do not mix with those of
// other communicators.
type Comm struct {
	lib        *library
	handle     uintptr
	rank, size int
}

func (l *library) comm(handle uintptr) (*Comm, error) {
	rank, size := new(int32), new(int32)
	err := errors.Join(
		l.check(l.commSetErrhandler, l.commSetErrhandler.Call(handle, l.abi.errorsReturn), ""),
		l.check(l.commRank, l.commRank.Call(handle, uintptr(unsafe.Pointer(rank))), ""),
		l.check(l.commSize, l.commSize.Call(handle, uintptr(unsafe.Pointer(size))), ""))
	if err != nil {
		return nil, err
	}
	return &Comm{lib: l, handle: handle, rank: int(*rank), size: int(*size)}, nil
}

// handle returns the value of a handle that a function has stored.
func (a *abi) handle(at *uintptr) uintptr {
	if a.intHandles {
		return uintptr(*(*uint32)(unsafe.Pointer(at)))
	}
	return *at
}

// Rank returns the number of this process in the communicator, from 0.
func (c *Comm) Rank() int { return c.rank }

// Size returns the number of processes in the communicator.
func (c *Comm) Size() int { return c.size }

// Dup returns a new communicator of the same ranks. Every rank must call it, in the
// same order as the other collective calls. It must be freed.
func (c *Comm) Dup() (*Comm, error) {
	l, out := c.lib, new(uintptr)
	if err := l.check(l.commDup, l.commDup.Call(c.handle, uintptr(unsafe.Pointer(out))), ""); err != nil {
		return nil, err
	}
	return l.comm(l.abi.handle(out))
}

// SplitShared returns a new communicator of the ranks on this machine, in the order
// of c. Every rank must call it. It must be freed.
func (c *Comm) SplitShared() (*Comm, error) {
	l, out := c.lib, new(uintptr)
	r := l.commSplitType.Call(c.handle, l.abi.typeShared, uintptr(c.rank), l.abi.noInfo, uintptr(unsafe.Pointer(out)))
	if err := l.check(l.commSplitType, r, ""); err != nil {
		return nil, err
	}
	return l.comm(l.abi.handle(out))
}

// Free releases a communicator of Dup or SplitShared. Every rank must call it.
func (c *Comm) Free() error {
	l := c.lib
	at := new(uintptr)
	if l.abi.intHandles {
		*(*uint32)(unsafe.Pointer(at)) = uint32(c.handle)
	} else {
		*at = c.handle
	}
	return l.check(l.commFree, l.commFree.Call(uintptr(unsafe.Pointer(at))), "")
}

// Abort ends the processes of all ranks; the launcher returns the code. It does not
// return unless it fails.
func (c *Comm) Abort(code int) error {
	l := c.lib
	return l.check(l.abort, l.abort.Call(c.handle, uintptr(code)), "")
}

// Barrier waits until all ranks have called it.
func (c *Comm) Barrier() error {
	l := c.lib
	return l.check(l.barrier, l.barrier.Call(c.handle), "")
}
