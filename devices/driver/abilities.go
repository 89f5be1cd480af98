package driver

import "errors"

// ErrMemory is wrapped by the error of an Alloc that failed because the device
// has no room.
var ErrMemory = errors.New("out of memory")

// Optional interfaces that a driver's types may also implement.

// HostMemory is implemented by buffers that the CPU can address.
type HostMemory interface{ Bytes() []byte }

// Binary is implemented by kernels that can be cached on disk. The result is
// passed to a later Build of the same source as Program.Binary.
type Binary interface{ Binary() ([]byte, error) }

// Fingerprint is implemented by devices whose kernels can be cached on disk. It
// identifies everything that determines the result of Build besides the Program
// and the device's name and version, such as the text of the prelude and the
// compiler's options. It is "" if kernels should not be cached on disk.
type Fingerprint interface{ Fingerprint() string }

// FreeMemory is implemented by devices that know how many bytes are free.
type FreeMemory interface{ FreeMemory() int64 }

// Runner is implemented by native devices. Run calls a Go function for every
// group, without a Build, and returns when all calls have returned. A panic of
// the function becomes an error. Of the grid, it uses Groups and Merge.
type Runner interface {
	Run(grid Grid, f func(Group)) error
}

// Timing is implemented by devices whose launches are slower if their times are
// measured. Timing is on at first. While it is off, the events of launches have
// an Elapsed of 0 and need not be waited for, and Sync returns the first error
// of a launch that failed.
type Timing interface{ SetTiming(on bool) }

// Clearer is implemented by buffers that can be cleared without a transfer.
type Clearer interface {
	Clear(off, n int64) (Event, error)
}

// Fetcher is implemented by buffers that can be read asynchronously. Fetch
// reads the contents after the work enqueued before it; p is filled when the
// event has been waited for.
type Fetcher interface {
	Fetch(off int64, p []byte) (Event, error)
}

// ErrNoPeer is wrapped by the error of a CopyPeer between devices that cannot
// reach each other's memory.
var ErrNoPeer = errors.New("the devices cannot reach each other's memory")

// PeerCopy is implemented by buffers that can copy directly from a buffer of
// another device of the same driver. The copy runs after the work enqueued
// before it on either device, and before work enqueued later.
type PeerCopy interface {
	CopyPeer(off int64, src Buffer, from, n int64) (Event, error)
}

// Recorder is implemented by devices that can record a sequence of launches and
// copies and replay it as one. Between Record and EndRecord, enqueued work is
// recorded and not executed; Read, Alloc and Sync are then errors, and Write
// may be one.
type Recorder interface {
	Record() error
	EndRecord() (Recording, error)
}

// Recording is a recorded sequence. Its buffers must outlive it.
type Recording interface {
	Replay() (Event, error)
	Close() error
}

// Identity is implemented by devices that several processes can tell from others: the
// result is the same in all processes of a machine.
type Identity interface{ Identity() string }

// Lender is implemented by devices whose memory other processes of the machine can use, if the
// hardware permits it.
type Lender interface {
	// Lend allocates n bytes, and marks, for another process.
	Lend(n int64, marks int) (Loan, error)
	// Borrow opens what another process has lent, by its handle.
	Borrow(handle []byte) (Loan, error)
}

// Loan is memory that two processes use, each by a device of its own. The copies of each are in the
// order of its queue. Marks order them across the processes: each process marks how far its queue has
// come and says so to the other, whose queue then waits for the mark.
type Loan interface {
	Memory() Buffer           // for Copy to and from buffers of this process's device
	Handle() []byte           // for Borrow or Join of the other process
	Join(handle []byte) error // completes Lend with the handle that Borrow has made
	Mark(i int) error         // mark i stands for the work in the queue so far
	Wait(i int) error         // later work in the queue waits for the other's mark i, as it is now
	Err() error               // why the device cannot copy, such as an earlier kernel that failed
	Close() error             // what was lent must not be open in the other process
}

// Joint is implemented by the devices of a program that runs in several processes, called
// ranks, all of which make the same calls on the same devices. One rank, the owner, has the
// device; on the other ranks it is a ghost, which has no memory and whose launches and
// writes do nothing. Read returns the owner's bytes on all ranks, and CopyPeer sends what
// ranks lack. Only the owner may access the memory of a native device.
type Joint interface {
	Owner() int
	Ghost() bool   // another rank is the owner
	Local() Device // the device itself; nil for a ghost

	// Note notes a call that sends nothing, with a number of bytes or groups, so that it is
	// found if ranks make different calls. Calls after Quiet, until the function that it returns
	// is called, are not noted: those that only the owner makes, or that depend on the
	// garbage collector. IsQuiet reports whether that is so.
	Note(what string, count int64)
	Quiet() (end func())
	IsQuiet() bool

	// Keep keeps an error that only the owner sees until all ranks see it, at the next Read
	// or Same, which copies p of the owner to all ranks. Kept returns that error on the owner.
	Keep(err error)
	Kept() error
	Same(what string, p []byte) error

	// Lacking returns why a buffer has no memory, see Without; nil if all have.
	Lacking() error

	// Own returns the memory of a buffer of the device, or nil if this rank has none.
	Own(b Buffer) Buffer

	// Without returns a buffer that stands for memory that the owner could not allocate, and
	// keeps err.
	Without(n int64, err error) (Buffer, error)
}

// Handle is implemented by devices, buffers and kernels that expose their
// driver's own handle: a CUcontext, CUdeviceptr, CUfunction or cl_mem.
type Handle interface{ Handle() uintptr }
