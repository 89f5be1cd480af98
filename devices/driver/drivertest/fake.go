package drivertest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// Op is a kind of call to a driver.
type Op string

// The kinds of calls that a Fake records.
const (
	Alloc  Op = "Alloc"
	Free   Op = "Free"
	Write  Op = "Write"
	Read   Op = "Read"
	Copy   Op = "Copy"
	Peer   Op = "CopyPeer"
	Build  Op = "Build"
	Launch Op = "Launch"
	Sync   Op = "Sync"
	Close  Op = "Close" // of a device

	Clear     Op = "Clear"
	Record    Op = "Record"
	EndRecord Op = "EndRecord"
	Replay    Op = "Replay"
)

// Call is one recorded call.
type Call struct {
	Op     Op
	Device int
	Name   string // of the program, for Build and Launch
	Off    int64
	Bytes  int64 // length of the buffer or transfer
	Grid   driver.Grid
	Args   int  // arguments of a Launch, steps of a recording
	Binary bool // a Build from Program.Binary
}

// ErrInjected is the default error of calls that a Fake was told to fail.
var ErrInjected = errors.New("injected failure")

// Options configure a Fake.
type Options struct {
	Name    string // name of the driver; "" means "fake"
	Devices int    // number of devices; 0 means 1
	Native  bool   // runs Go forms, and Go can address its memory
	Memory  int64  // bytes of memory of each device; 0 means 1 GiB
	Lazy    bool   // executes work only when it is waited for, like a slow device
	Missing string // if set, there are no devices, for this reason
	Apart   bool   // the devices cannot reach each other's memory
	Kind    driver.Kind
	Cached  bool // kernels can be cached on disk

	// OnBuild and OnLaunch, if set, are called by Build and when a launch runs.
	OnBuild  func(p driver.Program) error
	OnLaunch func(name string, grid driver.Grid, args []driver.Arg) error
}

// Fake is a driver whose devices consist of Go memory and a list of calls. It
// runs the Go form of programs that have one and ignores the C text. It builds
// a kernel from Program.Binary only if a Fake created the binary.
type Fake struct {
	opt  Options
	devs []*FakeDevice

	mu     sync.Mutex
	calls  []Call
	counts map[Op]int
	fail   map[Op]failure
}

type failure struct {
	from, to int // the calls that fail, counted from 1
	err      error
}

// NewFake returns a Fake.
func NewFake(opt Options) *Fake {
	if opt.Name == "" {
		opt.Name = "fake"
	}
	if opt.Memory == 0 {
		opt.Memory = 1 << 30
	}
	if opt.Devices == 0 {
		opt.Devices = 1
	}
	f := &Fake{opt: opt, counts: map[Op]int{}, fail: map[Op]failure{}}
	if opt.Missing == "" {
		for i := range opt.Devices {
			f.devs = append(f.devs, &FakeDevice{fake: f, index: i})
		}
	}
	return f
}

// Name returns the driver's name.
func (f *Fake) Name() string { return f.opt.Name }

// Missing returns Options.Missing.
func (f *Fake) Missing() string { return f.opt.Missing }

// Devices returns the devices, the same ones in each call.
func (f *Fake) Devices() ([]driver.Device, error) {
	var devs []driver.Device
	for _, d := range f.devs {
		devs = append(devs, d)
	}
	return devs, nil
}

// Device returns the i-th device.
func (f *Fake) Device(i int) *FakeDevice { return f.devs[i] }

// Calls returns all calls so far, or those of the given kinds.
func (f *Fake) Calls(ops ...Op) []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	var calls []Call
	for _, c := range f.calls {
		if len(ops) == 0 {
			calls = append(calls, c)
		}
		for _, op := range ops {
			if c.Op == op {
				calls = append(calls, c)
			}
		}
	}
	return calls
}

// Count returns the number of calls of a kind.
func (f *Fake) Count(op Op) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[op]
}

// Bytes returns the number of bytes in the calls of a kind.
func (f *Fake) Bytes(op Op) int64 {
	var n int64
	for _, c := range f.Calls(op) {
		n += c.Bytes
	}
	return n
}

// Reset forgets the calls so far and the planned failures.
func (f *Fake) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = nil
	clear(f.counts)
	clear(f.fail)
}

// FailAt makes the n-th call of a kind from now, counted from 1, and the
// times-1 calls after it fail. If err is nil, they fail with ErrInjected.
func (f *Fake) FailAt(op Op, n, times int, err error) {
	if err == nil {
		err = ErrInjected
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail[op] = failure{f.counts[op] + n, f.counts[op] + n + times, err}
}

// Live returns the number and the total size of the allocated buffers.
func (f *Fake) Live() (buffers int, bytes int64) {
	for _, d := range f.devs {
		d.mu.Lock()
		buffers += d.buffers
		bytes += d.used
		d.mu.Unlock()
	}
	return buffers, bytes
}

// record records a call and returns the error with which it should fail.
func (f *Fake) record(c Call) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	f.counts[c.Op]++
	n := f.counts[c.Op]
	if x, ok := f.fail[c.Op]; ok && x.from <= n && n < x.to {
		return fmt.Errorf("%s %d: %w", c.Op, n, x.err)
	}
	return nil
}
