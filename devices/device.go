package devices

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Device is one device, opened. Its methods may be called from many
// goroutines; what is enqueued runs after what was enqueued before. (On a native
// device, whose launches are finished when Launch returns, launches that
// goroutines make at the same time run at the same time.)
type Device struct {
	id     string
	info   driver.Info
	dev    driver.Device
	runner driver.Runner // of a native device
	lane   int           // the device's row in a trace

	kernels kernelCache
	pool    pool
	stats   counters
	pending pending
	checks  checker
	scratch scratch
	checked atomic.Bool
	timed   atomic.Bool // launches and copies have times, and events to wait for
	speed   struct {    // of copies inside its memory, once measured
		sync.Mutex
		bytes float64 // a second
	}

	// Whoever calls the driver, or waits for it, holds gate for reading. A
	// capture holds it for writing: it must have nobody else's work in it, and
	// no wait is possible meanwhile.
	gate sync.RWMutex

	closed  atomic.Bool
	closing sync.Once // Close
	ending  sync.Once // of dev, when the last buffer is gone
}

// Wrap makes a Device of a driver's device. Programs use Get; Wrap is for
// tests with a fake device, and for devices found in other ways.
func Wrap(id string, dev driver.Device) *Device {
	d := &Device{id: id, info: dev.Info(), dev: dev}
	if d.info.Native {
		r, ok := dev.(driver.Runner)
		if !ok {
			r = builder{dev}
		}
		d.runner = r
	}
	openTrace()
	d.SetTiming(timing.Load() || tracer() != nil)
	d.pool.init(d)
	check, _ := checkSetting() // Get, List and Default return the error
	d.checked.Store(check)
	opened.add(d)
	return d
}

// ID is the device's name in specifications: "cpu", "opencl:0", "cuda:1".
func (d *Device) ID() string { return d.id }

// String is the device's ID.
func (d *Device) String() string { return d.id }

// Info returns a description of the device.
func (d *Device) Info() Info { return d.info }

// Kind returns Info().Kind without copying the rest of Info.
func (d *Device) Kind() Kind { return d.info.Kind }

// Native reports whether the device runs the Go form of a kernel and has its
// memory where Go has its own.
func (d *Device) Native() bool { return d.info.Native }

// Handle returns the driver's own handle of the device, for programs that also call
// the driver's library themselves: a CUcontext for CUDA, the cl_command_queue for
// OpenCL, and 0 where there is none.
func (d *Device) Handle() uintptr {
	if h, ok := d.dev.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Checked reports whether the device is in checked mode.
func (d *Device) Checked() bool { return d.checked.Load() }

// SetChecked turns checked mode on or off for the launches to come, as
// SKEL_CHECK=1 does for every device: bad indices, divisions by zero, negative
// shifts and calls of panic in device code become errors, and each launch is
// waited for.
func (d *Device) SetChecked(on bool) { d.checked.Store(on) }

// timing says whether devices to come are timed.
var timing atomic.Bool

// SetTiming is Device.SetTiming for all devices, also for those opened later.
func SetTiming(on bool) {
	timing.Store(on)
	devs, _ := opened.all()
	for _, d := range devs {
		d.SetTiming(on)
	}
}

// SetTiming says whether Stats.DeviceTime is wanted. Where knowing how long a
// launch took makes it slower it is off at first, unless SKEL_TRACE is set;
// elsewhere it is always on.
func (d *Device) SetTiming(on bool) {
	t, ok := d.dev.(driver.Timing)
	if ok {
		t.SetTiming(on)
	}
	d.timed.Store(on || !ok)
}

// Launch is one call of a kernel, in the forms that devices need.
type Launch struct {
	Name  string             // the entry point in C, and the name in traces
	Label string             // what people see in traces and errors: "map(square)"; Name when empty
	Key   string             // stands for the C text: equal keys, equal texts
	Built *Built             // remembers the kernels with this Key; may be nil
	C     func() string      // the C text, called when it has to be built; nil when there is none
	Go    func(driver.Group) // the native form
	Grid  driver.Grid        // a launch of no groups does nothing
	Args  []driver.Arg       // of the C form

	// Sites returns the position of a place that checked mode reports,
	// "file.go:12:6", and the user's function that it belongs to, "main.nearest". It
	// may be nil.
	Sites func(id uint32) (pos, function string)

	// Function returns the user's function that a native frame belongs to: generated
	// code may hold a copy of the function. nil: nobody knows.
	Function func(frame string) string
}

func (l *Launch) label() string {
	if l.Label != "" {
		return l.Label
	}
	return l.Name
}

// Launch enqueues a kernel, which it builds if this device has not run it
// before. On a native device the kernel is finished when Launch returns; on
// others an error of the kernel itself may only show at the next Read or Sync.
// Whatever owns the buffers behind l.Args must be kept alive until Launch
// returns.
func (d *Device) Launch(l Launch) error {
	if l.Grid.Groups <= 0 {
		if l.Grid.Groups < 0 {
			return d.errorf(&l, "a launch of %d groups", l.Grid.Groups)
		}
		return nil
	}
	if d.closed.Load() {
		return d.errorf(&l, "launch after Close")
	}
	if r := Current(); r != nil {
		return r.launch(d, &l)
	}
	return d.launch(&l)
}

// launch runs a launch that is not recorded.
func (d *Device) launch(l *Launch) error {
	if d.runner != nil {
		return d.runNative(l)
	}
	checked := d.checked.Load()
	k, err := d.kernel(l, checked)
	if err != nil {
		return err
	}
	if checked {
		return d.launchChecked(k, l)
	}
	return d.enqueue(k, l)
}

// enqueue hands a launch of a kernel to the driver.
func (d *Device) enqueue(k driver.Kernel, l *Launch) error {
	d.stats.launches.Add(1)
	start := traceNow()
	d.gate.RLock()
	ev, err := k.Launch(l.Grid, l.Args...)
	d.gate.RUnlock()
	if err != nil {
		return d.errorf(l, "%w", err)
	}
	d.enqueued(work{event: ev, start: start, label: l.label(), groups: l.Grid.Groups})
	return nil
}

// runNative runs the Go form and measures it.
func (d *Device) runNative(l *Launch) error {
	if l.Go == nil {
		return d.errorf(l, "it has no Go form, and this device runs nothing else")
	}
	d.stats.launches.Add(1)
	start := time.Now()
	err := d.runner.Run(l.Grid.Groups, l.Go)
	took := time.Since(start)
	d.stats.deviceTime.Add(int64(took))
	if t := tracer(); t != nil {
		t.span(d.lane, "kernel", l.label(), start, took, spanArgs{groups: l.Grid.Groups})
	}
	if err != nil {
		return d.nativeError(l, err)
	}
	return nil
}

// Sync waits until all that was enqueued is done.
func (d *Device) Sync() error {
	if d.closed.Load() {
		return nil
	}
	if r := Current(); r != nil {
		return r.refuse("%s: a wait for the device", d.id)
	}
	return d.sync()
}

func (d *Device) sync() error {
	done := d.pending.take()
	start := traceNow()
	d.gate.RLock()
	err := d.dev.Sync()
	d.gate.RUnlock()
	if t := tracer(); t != nil {
		t.span(hostLane, "wait", "sync "+d.id, start, time.Since(start), spanArgs{})
	}
	if err != nil {
		err = fmt.Errorf("%s: sync: %w", d.id, err)
	}
	flushTrace()
	return firstError(d.pending.takeError(), d.wait(done), err)
}

// Close waits for the device, gives back its kernels and the memory that its
// pool holds, and closes it. Buffers that are still held can only be freed. A
// device that Get or List gave stays closed for the rest of the program.
func (d *Device) Close() error {
	var err error
	d.closing.Do(func() {
		err = d.sync()
		d.closed.Store(true)
		e := errors.Join(d.kernels.close(), d.checks.close(), d.scratch.close(), d.pool.trim(0), d.end())
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: close: %w", d.id, e))
		}
		opened.remove(d)
		flushTrace()
	})
	return err
}

// end closes the driver's device once it has no more buffers.
func (d *Device) end() (err error) {
	if d.closed.Load() && d.stats.liveBuffers.Load() == 0 {
		d.ending.Do(func() { err = d.dev.Close() })
	}
	return err
}

// builder runs the Go form on a native device that is no driver.Runner.
type builder struct{ driver.Device }

func (b builder) Run(groups int64, f func(driver.Group)) error {
	k, err := b.Build(driver.Program{Name: "native", Go: func(g driver.Group, _ []driver.Arg) { f(g) }})
	if err != nil {
		return err
	}
	err = wait(k.Launch(driver.Grid{Groups: groups, Lanes: 1}))
	return errors.Join(err, k.Close())
}

// wait waits for something that was enqueued, if it was.
func wait(ev driver.Event, err error) error {
	if err != nil {
		return err
	}
	return ev.Wait()
}

// firstError is the oldest of errors that were found together: what comes
// after it is likely to be its consequence.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// errorf is an error of a launch.
func (d *Device) errorf(l *Launch, format string, args ...any) error {
	return fmt.Errorf("%s: %s: "+format, append([]any{d.id, l.label()}, args...)...)
}
