package drivertest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
)

// FakeDevice is a device of a Fake.
type FakeDevice struct {
	fake  *Fake
	index int

	mu         sync.Mutex
	buffers    int
	recordings int // number of open recordings
	used       int64

	running   sync.Mutex // guards the fields below and the order of execution
	queue     []*task    // tasks not yet executed; lazy devices only
	recording *fakeRecording

	executing sync.Mutex
}

// ID returns the ID that package devices gives this device.
func (d *FakeDevice) ID() string { return fmt.Sprintf("%s:%d", d.fake.opt.Name, d.index) }

// Info describes the device.
func (d *FakeDevice) Info() driver.Info {
	o := &d.fake.opt
	return driver.Info{
		Name: fmt.Sprintf("Fake %d", d.index), Platform: "drivertest", Version: "1",
		Kind: o.Kind, Native: o.Native, Units: 1, Memory: o.Memory, MaxAlloc: o.Memory,
		LocalMemory: 32 << 10, MaxGroup: 256, Float64: true,
	}
}

// Alloc returns a buffer in Go memory.
func (d *FakeDevice) Alloc(n int64) (driver.Buffer, error) {
	if err := d.record(Call{Op: Alloc, Bytes: n}); err != nil {
		return nil, err
	}
	if err := d.refuse(Alloc); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if n < 0 || n > d.fake.opt.Memory-d.used {
		return nil, fmt.Errorf("fake: %w: asked for %d bytes, %d are free",
			driver.ErrMemory, n, d.fake.opt.Memory-d.used)
	}
	d.buffers++
	d.used += n
	return &fakeBuffer{dev: d, mem: make([]byte, n)}, nil
}

// FreeMemory returns the number of bytes that Alloc can still allocate.
func (d *FakeDevice) FreeMemory() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fake.opt.Memory - d.used
}

// Fingerprint returns a constant.
func (d *FakeDevice) Fingerprint() string { return "fake" }

// Build accepts any program.
func (d *FakeDevice) Build(p driver.Program) (driver.Kernel, error) {
	err := d.record(Call{Op: Build, Name: p.Name, Bytes: int64(len(p.C)), Binary: p.Binary != nil})
	if err != nil {
		return nil, err
	}
	if p.Binary != nil && !bytes.Equal(p.Binary, binaryOf(p)) {
		return nil, errors.New("fake: not a binary of this program")
	}
	if d.fake.opt.Native && p.Go == nil {
		return nil, fmt.Errorf("fake: program %s has no Go form", p.Name)
	}
	if f := d.fake.opt.OnBuild; f != nil {
		if err := f(p); err != nil {
			return nil, err
		}
	}
	k := &fakeKernel{dev: d, program: p}
	if d.fake.opt.Cached {
		return cachedKernel{k}, nil
	}
	return k, nil
}

// Run runs the Go form.
func (d *FakeDevice) Run(grid driver.Grid, f func(driver.Group)) error {
	if err := d.record(Call{Op: Launch, Grid: grid}); err != nil {
		return err
	}
	return cpu.Run(grid.Groups, f)
}

// Sync executes the queue.
func (d *FakeDevice) Sync() error {
	if err := errors.Join(d.record(Call{Op: Sync}), d.refuse(Sync)); err != nil {
		return err
	}
	return d.drain(nil)
}

// Close fails if buffers are still allocated or recordings open.
func (d *FakeDevice) Close() error {
	if err := d.record(Call{Op: Close}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.buffers > 0 || d.recordings > 0 {
		return fmt.Errorf("fake: closed with %d buffers allocated and %d recordings", d.buffers, d.recordings)
	}
	return nil
}

func (d *FakeDevice) record(c Call) error {
	c.Device = d.index
	return d.fake.record(c)
}

// task is an entry of the queue and its own event.
type task struct {
	dev  *FakeDevice
	do   func() error
	done bool
	err  error
}

func (t *task) Wait() error            { return t.dev.drain(t) }
func (t *task) Elapsed() time.Duration { return time.Microsecond }

// enqueue executes do, or adds it to the queue of a lazy device or to the
// recording in progress.
func (d *FakeDevice) enqueue(do func() error) (driver.Event, error) {
	d.running.Lock()
	if r := d.recording; r != nil {
		r.tasks = append(r.tasks, do)
		d.running.Unlock()
		return driver.Done, nil
	}
	if !d.fake.opt.Lazy {
		d.running.Unlock()
		d.executing.Lock() // calls of several goroutines are in some order
		defer d.executing.Unlock()
		return driver.Done, do()
	}
	defer d.running.Unlock()
	t := &task{dev: d, do: do}
	d.queue = append(d.queue, t)
	return t, nil
}

// drain executes the queue up to and including the task last, or all of it if
// last is nil. It returns the error of last, or the first error.
func (d *FakeDevice) drain(last *task) error {
	d.running.Lock()
	defer d.running.Unlock()
	var first error
	for len(d.queue) > 0 && (last == nil || !last.done) {
		t := d.queue[0]
		d.queue = d.queue[1:]
		t.err, t.done = t.do(), true
		if first == nil {
			first = t.err
		}
	}
	if last != nil {
		return last.err
	}
	return first
}

// fakeKernel is a program that was not compiled.
type fakeKernel struct {
	dev     *FakeDevice
	program driver.Program
}

func (k *fakeKernel) Launch(grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	err := k.dev.record(Call{Op: Launch, Name: k.program.Name, Grid: grid, Args: len(args)})
	if err != nil {
		return nil, err
	}
	if k.program.Go == nil && k.dev.fake.opt.OnLaunch == nil {
		return k.dev.enqueue(func() error { return nil })
	}
	own := make([]driver.Arg, len(args)) // the caller may reuse args and their bytes
	for i, a := range args {
		a.Data = bytes.Clone(a.Data)
		own[i] = a
	}
	return k.dev.enqueue(func() error { return k.run(grid, own) })
}

func (k *fakeKernel) run(grid driver.Grid, args []driver.Arg) error {
	if f := k.dev.fake.opt.OnLaunch; f != nil {
		if err := f(k.program.Name, grid, args); err != nil {
			return err
		}
	}
	if k.program.Go == nil {
		return nil
	}
	return cpu.Run(grid.Groups, func(g driver.Group) { k.program.Go(g, args) })
}

func (k *fakeKernel) Close() error { return nil }

// cachedKernel is a kernel that can be cached on disk.
type cachedKernel struct{ *fakeKernel }

func (k cachedKernel) Binary() ([]byte, error) { return binaryOf(k.program), nil }

func binaryOf(p driver.Program) []byte {
	return fmt.Appendf(nil, "fake binary of %s, %d bytes", p.Name, len(p.C))
}
