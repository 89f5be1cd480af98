package devices

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

// Device is an open device. Its methods may be called from many goroutines.
// Work runs in the order in which it was enqueued. On a native device a launch
// has finished when Launch returns, and launches of several goroutines run
// concurrently.
type Device struct {
	id     string
	info   driver.Info
	dev    driver.Device
	runner driver.Runner // of a native device
	joint  driver.Joint  // nil unless several ranks use the device

	natively atomic.Bool // a call of Natively is running here
	lane     int         // the device's row in a trace

	kernels kernelCache
	pool    pool
	stats   counters
	pending pending
	checks  checker
	scratch scratch
	checked atomic.Bool
	timed   atomic.Bool // launches and copies are timed and have events to wait for
	speed   struct {    // of copies inside the device's memory, measured once
		sync.Mutex
		bytes float64 // per second
	}

	// Calls to the driver hold gate for reading. A capture holds it for writing
	// because it must contain no other goroutine's work, and nothing can be
	// waited for during a capture.
	gate *sync.RWMutex // a page has that of its device

	pages pages   // that share the memory of the device
	base  *Device // the device of a page; nil for others
	page  *paged.Device

	of     *Device                // the device of all ranks, for one of PerRank; nil for others
	own    atomic.Pointer[Device] // the one of PerRank, for a device of all ranks; nil before it is needed
	barred atomic.Bool            // PerRank forbids calls now

	closed  atomic.Bool
	closing sync.Once // Close
	ending  sync.Once // closes dev when the last buffer has been freed
}

// Wrap returns a Device for a driver's device. Programs use Get; Wrap serves
// tests with a fake device, and devices that are found in other ways.
func Wrap(id string, dev driver.Device) *Device {
	d := newDevice(id, dev)
	openTrace()
	d.SetTiming(timing.Load() || tracer() != nil)
	opened.add(d)
	return d
}

// newDevice returns a Device that is not yet among those that are open.
func newDevice(id string, dev driver.Device) *Device {
	d := &Device{id: id, info: dev.Info(), dev: dev, gate: new(sync.RWMutex)}
	if d.info.Native {
		r, ok := dev.(driver.Runner)
		if !ok {
			r = builder{dev}
		}
		d.runner = r
	}
	d.joint, _ = dev.(driver.Joint)
	d.pool.init(d)
	check, _ := checkSetting() // Get, List and Default return the error
	d.checked.Store(check)
	return d
}

// ID returns the device's name in specifications: "cpu", "opencl:0", "cuda:1".
func (d *Device) ID() string { return d.id }

// String returns the device's ID.
func (d *Device) String() string { return d.id }

// Info returns a description of the device.
func (d *Device) Info() Info { return d.info }

// Kind returns Info().Kind without copying the rest; every call of a skeleton
// asks for it.
func (d *Device) Kind() Kind { return d.info.Kind }

// Native reports whether the device runs the Go form of a kernel and keeps its
// memory in the Go process.
func (d *Device) Native() bool { return d.info.Native }

// Handle returns the driver's own handle of the device, for programs that also
// call the driver's library: a CUcontext for CUDA, a cl_command_queue for
// OpenCL, or 0 if the driver has none.
func (d *Device) Handle() uintptr {
	if h, ok := d.dev.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Checked reports whether the device is in checked mode.
func (d *Device) Checked() bool { return d.checked.Load() }

// SetChecked turns checked mode on or off for later launches, as SKEL_CHECK=1
// does for every device. In checked mode, bad indices, divisions by zero,
// negative shifts and calls of panic in device code become errors, and every
// launch waits for its kernel.
func (d *Device) SetChecked(on bool) {
	d.checked.Store(on)
	for _, p := range d.pages.all() {
		p.checked.Store(on)
	}
}

// timing reports whether devices opened later measure times.
var timing atomic.Bool

// SetTiming calls Device.SetTiming for all devices, including those opened
// later.
func SetTiming(on bool) {
	timing.Store(on)
	devs, _ := opened.all()
	for _, d := range devs {
		if d.base == nil && d.of == nil {
			d.SetTiming(on)
		}
	}
}

// SetTiming chooses whether the device measures Stats.DeviceTime. If measuring
// makes launches slower, it is off by default unless SKEL_TRACE is set;
// otherwise it is always on. That of a page is that of its device.
func (d *Device) SetTiming(on bool) {
	if d.base != nil || d.of != nil {
		return
	}
	t, ok := d.dev.(driver.Timing)
	if ok {
		t.SetTiming(on)
	}
	d.timed.Store(on || !ok)
	for _, p := range d.pages.all() {
		p.timed.Store(on || !ok)
	}
	if own := d.own.Load(); own != nil {
		own.timed.Store(on || !ok)
	}
}

// Launch describes one kernel launch, in all forms that devices need.
type Launch struct {
	Name  string             // the entry point in C
	Label string             // the name in traces and errors, such as "Map(square)"; "" means Name
	Key   string             // identifies the C text: launches with equal keys have equal texts
	Built *Built             // caches the kernels with this Key; may be nil
	C     func() string      // returns the C text to build; nil if there is none
	Go    func(driver.Group) // the Go form, for native devices
	Grid  driver.Grid        // a launch with no groups does nothing
	Args  []driver.Arg       // the arguments of the C form

	// Writes holds the number of elements of each out-view of the C form, by its number in
	// WRITER. Checked mode keeps the owners of that many elements, of at most 15 out-views.
	Writes []int64

	// Sites returns, for a site that checked mode reports, its position,
	// "file.go:12:6", and the user's function that contains it, "main.nearest".
	// Sites may be nil.
	Sites func(id uint32) (pos, function string)

	// Function returns the user's function to which a native stack frame
	// belongs, because generated code may contain a copy of that function.
	// Function may be nil.
	Function func(frame string) string
}

func (l *Launch) label() string {
	if l.Label != "" {
		return l.Label
	}
	return l.Name
}

// Launch enqueues a kernel. It builds the kernel if this device has not run it
// before. On a native device the kernel has finished when Launch returns; on
// other devices an error of the kernel may not appear until the next Read or
// Sync. The owners of the buffers in l.Args must be kept alive until Launch
// returns.
func (d *Device) Launch(l Launch) error {
	if l.Grid.Groups <= 0 {
		if l.Grid.Groups < 0 {
			return d.errorf(&l, "cannot launch %d groups", l.Grid.Groups)
		}
		return nil
	}
	if d.closed.Load() || d.barred.Load() {
		return d.unusable(l.label() + ": launch")
	}
	if r := Current(); r != nil {
		return r.launch(d, &l)
	}
	d.note(l.label(), l.Grid.Groups)
	return d.launch(&l)
}

// launch executes a launch that is not recorded.
func (d *Device) launch(l *Launch) error {
	if d.keeps() {
		d.joint.Keep(d.launchHere(l))
		return d.outcome(l.label())
	}
	return d.launchHere(l)
}

// launchHere executes a launch on a device of this process.
func (d *Device) launchHere(l *Launch) error {
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

// enqueue passes a launch of a kernel to the driver.
func (d *Device) enqueue(k driver.Kernel, l *Launch) error {
	d.stats.launches.Add(1)
	start := traceNow()
	d.gate.RLock()
	var ev driver.Event
	var err error
	if d.page != nil {
		ev, err = d.page.Launch(l.label(), k, l.Grid, l.Args...)
	} else {
		ev, err = k.Launch(l.Grid, l.Args...)
	}
	d.gate.RUnlock()
	if err != nil {
		return d.errorf(l, "%w", err)
	}
	d.enqueued(work{event: ev, start: start, label: l.label(), groups: l.Grid.Groups})
	return nil
}

// runNative runs the Go form of a launch and measures its time.
func (d *Device) runNative(l *Launch) error {
	if l.Go == nil {
		return d.errorf(l, "this device runs only Go forms, and the kernel has none")
	}
	d.stats.launches.Add(1)
	start := time.Now()
	err := d.runner.Run(l.Grid, l.Go)
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

// Sync waits until all enqueued work has finished.
func (d *Device) Sync() error {
	if d.closed.Load() {
		return nil
	}
	if err := d.usable("sync"); err != nil {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: waiting for the device", d.id)
	}
	if d.joint != nil {
		d.joint.Keep(d.sync())
		return d.joint.Same("sync", nil)
	}
	return d.sync()
}

func (d *Device) sync() error {
	done := d.pending.take()
	start := traceNow()
	d.gate.RLock()
	err := firstError(d.pages.make(), d.dev.Sync())
	d.gate.RUnlock()
	if t := tracer(); t != nil {
		t.span(hostLane, "wait", "sync "+d.id, start, time.Since(start), spanArgs{})
	}
	if err != nil {
		err = fmt.Errorf("%s: sync: %w", d.id, err)
	}
	flushTrace()
	err = firstError(d.pending.takeError(), d.wait(done), err)
	d.waitPages()
	return err
}

// Close waits for the device, releases its kernels and the memory in its pool,
// and closes it. Buffers still in use can then only be freed. A device returned
// by Get or List stays closed for the rest of the program, and so do its pages. A page cannot be closed
// alone, nor can a device of PerRank.
func (d *Device) Close() error {
	if d.base != nil || d.of != nil {
		return nil
	}
	if d.barred.Load() {
		return d.unusable("close")
	}
	return d.close()
}

func (d *Device) close() error {
	var err error
	d.closing.Do(func() {
		err = d.pages.close()
		if own := d.own.Load(); own != nil {
			err = errors.Join(err, own.close())
		}
		err = errors.Join(err, d.sync())
		if d.joint != nil { // an error that nobody has seen yet
			d.joint.Keep(err)
			err = d.joint.Same("close", nil)
		}
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

// end closes the driver's device if the device is closed and has no buffers
// left.
func (d *Device) end() (err error) {
	if d.base != nil {
		return d.base.end()
	}
	if d.of != nil {
		return d.of.end()
	}
	own := d.own.Load()
	if d.closed.Load() && d.stats.liveBuffers.Load() == 0 && d.pages.empty() &&
		(own == nil || own.stats.liveBuffers.Load() == 0) {
		d.ending.Do(func() { err = d.dev.Close() })
	}
	return err
}

// builder runs the Go form on a native device that does not implement
// driver.Runner.
type builder struct{ driver.Device }

func (b builder) Run(grid driver.Grid, f func(driver.Group)) error {
	k, err := b.Build(driver.Program{Name: "native", Go: func(g driver.Group, _ []driver.Arg) { f(g) }})
	if err != nil {
		return err
	}
	grid.Lanes = 1
	err = wait(k.Launch(grid))
	return errors.Join(err, k.Close())
}

// wait waits for enqueued work unless enqueueing it failed.
func wait(ev driver.Event, err error) error {
	if err != nil {
		return err
	}
	return ev.Wait()
}

// firstError returns the first error that is not nil: later errors are probably
// its consequences.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// errorf returns an error that names the device and the launch.
func (d *Device) errorf(l *Launch, format string, args ...any) error {
	return fmt.Errorf("%s: %s: "+format, append([]any{d.id, l.label()}, args...)...)
}

// usable returns an error if the device cannot be used for a call now.
func (d *Device) usable(what string) error {
	if d.closed.Load() || d.barred.Load() {
		return d.unusable(what)
	}
	return nil
}

// unusable returns why the device cannot be used.
func (d *Device) unusable(what string) error {
	switch {
	case d.closed.Load():
		return fmt.Errorf("%s: %s after Close", d.id, what)
	case d.of != nil:
		return fmt.Errorf("%s: %s on a device of one rank after the call of devices.PerRank that passed it: "+
			"what is needed must be in the result of PerRank", d.id, what)
	}
	return fmt.Errorf("%s: %s on a device of all ranks during devices.PerRank: use the devices that it passes, and "+
		"values of the host", d.id, what)
}
