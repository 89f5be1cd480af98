package driver

import "time"

// Driver finds the devices of one kind. A library that is not installed is not
// an error: Devices returns no devices, and Missing says why.
type Driver interface {
	Name() string // "cpu", "opencl", "cuda": the first part of a device's ID
	Devices() ([]Device, error)
	Missing() string // why Devices found nothing; "" if it found a device
}

// Device is one accelerator with one in-order queue: every Write, Read, Copy
// and Launch runs after those enqueued before it. All methods may be called
// from many goroutines.
type Device interface {
	Info() Info
	Alloc(bytes int64) (Buffer, error)
	Build(Program) (Kernel, error)
	Sync() error // waits until the queue is empty
	Close() error
}

// Buffer is a piece of device memory. It is aligned for every type, and its
// initial contents are unspecified. When the event of a Write or Read is done,
// p may be reused, or holds the data. Offsets and lengths are in bytes. A range
// outside the buffer is an error, and so is a Copy between overlapping ranges
// of one buffer.
type Buffer interface {
	Len() int64
	Write(off int64, p []byte) (Event, error)
	Read(off int64, p []byte) (Event, error)
	Copy(off int64, src Buffer, from, n int64) (Event, error) // src is on the same device
	Free() error
}

// Kernel is a program built for a device.
type Kernel interface {
	Launch(Grid, ...Arg) (Event, error)
	Close() error
}

// Event is one piece of enqueued work.
type Event interface {
	Wait() error
	Elapsed() time.Duration // time on the device, after Wait; 0 if unknown
}

// Program is one kernel in every form that a device may need.
type Program struct {
	Name    string             // the entry point, a C identifier
	C       string             // the whole text in the shared C subset, without the prelude
	Go      func(Group, []Arg) // the Go form, run by native devices
	Checked bool               // SKEL_CHECK: build with -DSKEL_CHECK
	Binary  []byte             // an earlier result of Binary, or nil; if it is invalid, Build returns an error
}

// Grid is the number and size of the groups that run a kernel.
type Grid struct {
	Groups int64
	Lanes  int  // work-items in a group; ignored by native kernels
	Local  int  // bytes of local memory for a kernel with DYNAMIC_P; 0 for others
	Merge  bool // a call of a native kernel may be for several groups, see Group.More
}

// Group is one group of a native launch, or several consecutive groups if the grid
// allows that.
type Group struct {
	ID, Count int64
	More      int64 // the number of groups after ID that the call is for, too
}

// Range returns the part [lo, hi) of n items that belongs to this group. Groups
// get consecutive parts of almost equal size.
func (g Group) Range(n int64) (lo, hi int64) {
	q, r := n/g.Count, n%g.Count
	end := g.ID + 1 + g.More
	return g.ID*q + min(g.ID, r), end*q + min(end, r)
}

// Kind is a kind of processor.
type Kind int

// The kinds of processor.
const (
	CPU Kind = iota
	GPU
	Accelerator
)

func (k Kind) String() string { return [...]string{"CPU", "GPU", "accelerator"}[k] }

// Info describes a device. Sizes are in bytes.
type Info struct {
	Name        string // "NVIDIA H200"
	Platform    string // "Portable Computing Language"
	Version     string // of the driver or library
	Kind        Kind
	Native      bool // runs Program.Go and needs no C text
	Contracts   bool // Go's compiler has contracted x*y + z in Program.Go, which other devices round twice
	Units       int  // compute units, or cores
	Memory      int64
	MaxAlloc    int64
	LocalMemory int64
	MaxGroup    int // maximum number of work-items in a group
	Float64     bool
	Warp        int  // number of consecutive work-items that can exchange values, the prelude's SKEL_WARP; 0 if none
	Progress    bool // a running group makes progress while another one waits for it
	Products    bool // warps multiply matrices of float64, the prelude's skel_product
}

// Arg is one kernel argument: a buffer, a value of up to 8 bytes in Bits, or
// a larger value in Data.
type Arg struct {
	Buf   Buffer
	Reads bool // the kernel does not write Buf, so it need not wait for work that only reads it
	Bits  uint64
	Size  int // bytes of Bits or Data; 0 for a buffer
	Data  []byte
}

type done struct{}

func (done) Wait() error            { return nil }
func (done) Elapsed() time.Duration { return 0 }

// Done is the event of work that has finished when the call returns.
var Done Event = done{}
