package driver

import "errors"

// ErrMemory is wrapped by the error of an Alloc that failed because the
// device has no room for it.
var ErrMemory = errors.New("out of memory")

// The optional abilities: small interfaces that a type of a driver may also
// implement.

// HostMemory is implemented by buffers that the CPU can address.
type HostMemory interface{ Bytes() []byte }

// Binary is implemented by kernels that can be kept on disk; what it returns
// comes back in Program.Binary of a later Build of the same source.
type Binary interface{ Binary() ([]byte, error) }

// Fingerprint is implemented by devices whose kernels can be kept on disk: it
// stands for everything besides the Program, the device's name and its version
// that decides what Build makes, such as the text of the prelude and the
// compiler's options. It is "" when the kernels should not be kept on disk.
type Fingerprint interface{ Fingerprint() string }

// FreeMemory is implemented by devices that know how many bytes are free.
type FreeMemory interface{ FreeMemory() int64 }

// Runner is implemented by native devices: it runs a Go function for every
// group, without a Build, and returns when all are done. A panic of the
// function is an error.
type Runner interface {
	Run(groups int64, f func(Group)) error
}

// Timing is implemented by devices on which knowing how long each launch took
// makes a launch slower. It is on at first; while it is off the events of
// launches have an Elapsed of 0, nobody need wait for them, and Sync gives the
// first error of those that failed.
type Timing interface{ SetTiming(on bool) }

// Clearer is implemented by buffers that can be zeroed without a transfer.
type Clearer interface {
	Clear(off, n int64) (Event, error)
}

// Fetcher is implemented by buffers that can be read without waiting: p holds the
// bytes that were there at the time of the call, after what was enqueued before,
// when the event has been waited for.
type Fetcher interface {
	Fetch(off int64, p []byte) (Event, error)
}

// ErrNoPeer is wrapped by the error of a CopyPeer between devices that cannot
// reach each other's memory.
var ErrNoPeer = errors.New("the devices cannot reach each other's memory")

// PeerCopy is implemented by buffers that can take bytes straight from a
// buffer of another device of the same driver. The copy runs after what was
// enqueued before on either device, and before what is enqueued later.
type PeerCopy interface {
	CopyPeer(off int64, src Buffer, from, n int64) (Event, error)
}

// Recorder is implemented by devices that can record a sequence of launches
// and copies and replay it as one. Between Record and EndRecord what is
// enqueued is recorded and not run; Read, Alloc and Sync are errors then, and
// Write may be one.
type Recorder interface {
	Record() error
	EndRecord() (Recording, error)
}

// Recording is a recorded sequence. Its buffers must outlive it.
type Recording interface {
	Replay() (Event, error)
	Close() error
}

// Handle is implemented by devices, buffers and kernels whose driver's own
// handle others may use: a CUcontext, CUdeviceptr, CUfunction or a cl_mem.
type Handle interface{ Handle() uintptr }
