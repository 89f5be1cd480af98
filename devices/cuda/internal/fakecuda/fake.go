package fakecuda

import (
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/internal/dl"
)

// Options configure the fake machine.
type Options struct {
	Devices int
	Memory  int64             // of each device, in bytes
	Eager   func(n int) bool  // reports whether stream n of a device executes commands at once
	NoCUDA  bool              // libcuda is missing
	NoNVRTC bool              // NVRTC is missing
	Lacks   string            // names of missing optional functions
	Kernels map[string]Kernel // by name
	Archs   []int32           // architectures that the compiler supports; empty means sm_90
}

// CUDA is a fake of the CUDA libraries.
type CUDA struct {
	opt     Options
	mu      sync.Mutex
	calls   []string
	failAt  int // the call that fails, counted from 1; 0 means none
	failure cu.Result
	broken  cu.Result // a sticky error
	next    uint64    // handle or address
	devices []*device
	streams map[uint64]*stream
	events  map[uint64]*event
	pinned  map[uint64][]byte
	code    code
	current uint64 // the current context; goroutines share it, so no call may rely on it
	asked   int

	captured *graph // the last captured graph
}

// Install replaces the libraries by a fake until the test ends.
func Install(t testing.TB, opt Options) *CUDA {
	c := &CUDA{opt: opt}
	c.reset()
	dl.Fake(c)
	t.Cleanup(func() { dl.Fake(nil) })
	return c
}

func (c *CUDA) reset() {
	c.next, c.broken, c.asked = 1<<32, 0, 0
	c.streams, c.events, c.pinned = map[uint64]*stream{}, map[uint64]*event{}, map[uint64][]byte{}
	c.code.init()
	c.devices = nil
	for range max(c.opt.Devices, 1) {
		c.devices = append(c.devices, &device{mem: map[uint64][]byte{}})
	}
}

// FailAt resets the machine and makes call n, counted from 1, fail.
func (c *CUDA) FailAt(n int, r cu.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reset()
	c.calls, c.failAt, c.failure = nil, n, r
}

// Calls returns the names of all calls so far.
func (c *CUDA) Calls() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.calls...)
}

// Count returns the number of calls of a function.
func (c *CUDA) Count(name string) (n int) {
	for _, s := range c.Calls() {
		if s == name {
			n++
		}
	}
	return n
}

// GraphNodes returns the calls that created the nodes of the last graph.
func (c *CUDA) GraphNodes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.captured.calls...)
}

// Load reports whether the machine has the library.
func (c *CUDA) Load(title string) error {
	nvrtc := strings.Contains(title, "NVRTC")
	if nvrtc && c.opt.NoNVRTC || !nvrtc && c.opt.NoCUDA {
		return &missing{title}
	}
	return nil
}

type missing struct{ title string }

func (m *missing) Error() string { return m.title + " was not found" }
func (m *missing) Unwrap() error { return dl.ErrMissing }

// Lack makes functions missing: those whose names are in a text.
func (c *CUDA) Lack(names string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opt.Lacks = names
}

// Has reports whether the library has an optional function.
func (c *CUDA) Has(name string) bool { return !strings.Contains(c.opt.Lacks, name) }

// Call calls a function.
func (c *CUDA) Call(name string, args []uintptr) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, name)
	if len(c.calls) == c.failAt {
		c.spoil(name)
		return int32(c.failure)
	}
	a := make([]uint64, max(len(args), 8))
	for i, v := range args {
		a[i] = uint64(v)
	}
	if r, ok := c.compiler(name, a); ok {
		return r
	}
	if c.broken != 0 && !strings.Contains(name, "Get") {
		return int32(c.broken)
	}
	return int32(c.driver(name, a))
}

// put stores a result at the address that an argument holds.
func put[T any](at uint64, v T) { *(*T)(pointer(at)) = v }

func pointer(at uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// text returns the C string at an address.
func text(at uint64) string {
	p := (*byte)(pointer(at))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

func (c *CUDA) handle() uint64 {
	c.next += 1 << 12
	return c.next
}

var attributes = map[cu.DeviceAttribute]int32{
	cu.MultiprocessorCount: 4, cu.MaxThreadsPerBlock: 1024, cu.MaxSharedMemoryPerBlock: 48 << 10,
	cu.MaxSharedMemoryPerBlockOpt: 227 << 10, cu.WarpSize: 32,
	cu.ComputeCapabilityMajor: 9, cu.ComputeCapabilityMinor: 0,
}

// driver implements the functions of libcuda.
func (c *CUDA) driver(name string, a []uint64) cu.Result {
	switch name {
	case "cuInit", "cuCtxEnablePeerAccess", "cuGraphUpload", "cuModuleUnload", "cuFuncSetAttribute":
	case "cuDriverGetVersion":
		put(a[0], int32(13000))
	case "cuDeviceGetCount":
		if c.opt.Devices < 0 {
			return cu.ErrorNoDevice
		}
		put(a[0], int32(len(c.devices)))
	case "cuDeviceGet":
		put(a[0], int32(a[1]))
	case "cuDeviceGetName":
		copy(unsafe.Slice((*byte)(pointer(a[0])), a[1]), "Fake H200\x00")
	case "cuDeviceGetUuid_v2":
		put(a[0], [16]byte{15: byte(a[1])})
	case "cuDeviceTotalMem_v2":
		put(a[0], uint64(c.opt.Memory))
	case "cuDeviceGetAttribute":
		put(a[0], attributes[cu.DeviceAttribute(a[1])])
	case "cuDeviceCanAccessPeer":
		put(a[0], int32(1))
	case "cuDevicePrimaryCtxRetain":
		put(a[0], a[1]+1)
	case "cuDevicePrimaryCtxRelease_v2":
	case "cuCtxSetCurrent":
		c.current = a[0]
	case "cuCtxSynchronize":
		for _, s := range c.streams {
			c.drain(s, nil)
		}
	case "cuMemGetInfo_v2":
		put(a[0], uint64(c.opt.Memory-c.devices[c.current-1].used))
		put(a[1], uint64(c.opt.Memory))
	default:
		return c.work(name, a)
	}
	return c.broken
}
