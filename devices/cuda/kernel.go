package cuda

import (
	"errors"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Kernel is a program built for a device.
type Kernel struct {
	dev    *Device
	mod    *cu.Module
	fn     *cu.Function
	image  []byte
	lanes  int // maximum per group, which registers may limit further
	shared int // bytes of local memory that the kernel declares

	// The following fields are guarded by Device.mu.
	params  []cu.Param // nil if CUDA is too old to report them
	call    *cu.Call
	dynamic int // maximum dynamic local memory of a launch in bytes
	closed  bool
}

const (
	// staticLimit is the local memory that a group can use without setting an
	// attribute.
	staticLimit = 48 << 10

	// muchShared is the local memory from which CUDA is told to take it from
	// the cache: for less, CUDA's own choice is right.
	muchShared = 24 << 10
)

// kernel returns the kernel of an entry point of a module.
func (d *Device) kernel(mod *cu.Module, name string) (*Kernel, error) {
	fn, err := mod.Function(name)
	if err != nil {
		return nil, err
	}
	k := &Kernel{dev: d, mod: mod, fn: fn, dynamic: staticLimit}
	if k.lanes, err = fn.Attribute(cu.FuncMaxThreadsPerBlock); err != nil {
		return nil, err
	}
	if k.shared, err = fn.Attribute(cu.FuncSharedSize); err != nil {
		return nil, err
	}
	k.dynamic -= k.shared
	if k.shared >= muchShared {
		if err := fn.SetAttribute(cu.FuncPreferredSharedCarveout, cu.SharedCarveoutMax); err != nil {
			return nil, err
		}
	}
	switch k.params, err = fn.Params(); {
	case errors.Is(err, cu.ErrorNotSupported):
		return k, nil // the first launch determines the sizes
	case err != nil:
		return nil, err
	}
	sizes := make([]int, len(k.params))
	for i, p := range k.params {
		sizes[i] = p.Size
	}
	k.call = fn.NewCall(sizes...)
	return k, nil
}

// Handle returns the CUfunction.
func (k *Kernel) Handle() uintptr { return k.fn.Handle() }

// Launch enqueues the kernel. A launch with no groups does nothing.
func (k *Kernel) Launch(g driver.Grid, args ...driver.Arg) (driver.Event, error) {
	if g.Groups == 0 {
		return driver.Done, nil
	}
	d := k.dev
	d.mu.Lock()
	ev, err := k.launch(g, args)
	d.mu.Unlock()
	if err != nil {
		return driver.Done, fmt.Errorf("cuda: %s: %w", k.fn.Name(), err)
	}
	if e, ok := ev.(*event); ok {
		d.events.settle(d.events.add(e))
	}
	return ev, nil
}

func (k *Kernel) launch(g driver.Grid, args []driver.Arg) (driver.Event, error) {
	d := k.dev
	if err := k.accepts(g); err != nil {
		return nil, err
	}
	if err := d.joinArgs(args); err != nil {
		return nil, err
	}
	if err := k.set(args); err != nil {
		return nil, err
	}
	e, err := d.startTimer()
	if err != nil {
		return nil, err
	}
	err = k.call.Launch(d.queue, cu.Dim3{X: int(g.Groups)}, cu.Dim3{X: g.Lanes}, g.Local)
	if err != nil {
		d.abandon(e)
		return nil, err
	}
	seq := d.enqueued()
	for i := range args {
		if b, ok := args[i].Buf.(*Buffer); ok {
			d.used(b, seq)
		}
	}
	return d.stopTimer(e)
}

// accepts checks the grid.
func (k *Kernel) accepts(g driver.Grid) error {
	info := &k.dev.info
	switch {
	case k.closed:
		return errors.New("the kernel is closed")
	case g.Groups < 0, g.Lanes < 1:
		return fmt.Errorf("cannot launch %d groups of %d work-items", g.Groups, g.Lanes)
	case g.Groups > math.MaxInt32:
		return fmt.Errorf("cannot launch %d groups; CUDA allows at most %d", g.Groups, math.MaxInt32)
	case g.Lanes > info.MaxGroup:
		return fmt.Errorf("groups of %d work-items, but %s allows at most %d", g.Lanes, info.Name, info.MaxGroup)
	case g.Lanes > k.lanes:
		return fmt.Errorf("groups of %d work-items, but this kernel's registers allow at most %d", g.Lanes, k.lanes)
	case g.Local > k.dynamic:
		if err := k.fn.SetAttribute(cu.FuncMaxDynamicSharedSize, g.Local); err != nil {
			return fmt.Errorf("%d bytes of dynamic local memory in addition to %d static ones: %w",
				g.Local, k.shared, err)
		}
		k.dynamic = g.Local
	}
	return nil
}

// startTimer starts timing the work enqueued next. It returns nil if timing is
// off or a recording is in progress.
func (d *Device) startTimer() (*event, error) {
	if d.untimed.Load() || d.rec != nil {
		return nil, nil
	}
	start, err := d.timers.recorded(d.queue)
	if err != nil {
		return nil, err
	}
	return &event{dev: d, start: start}, nil
}

// stopTimer stops the timer that startTimer started, and returns the event of
// the launch.
func (d *Device) stopTimer(e *event) (driver.Event, error) {
	if e == nil {
		return d.untimedEvent(), nil
	}
	stop, err := d.timers.recorded(d.queue)
	if err != nil {
		d.abandon(e)
		return nil, err
	}
	e.stop = stop
	return e, nil
}

func (d *Device) abandon(e *event) {
	if e != nil {
		d.timers.put(e.start)
	}
}

// Close releases the kernel when the running launches have finished.
func (k *Kernel) Close() error {
	d := k.dev
	d.mu.Lock()
	if k.closed {
		d.mu.Unlock()
		return nil
	}
	k.closed = true
	d.mu.Unlock()
	err := d.await(d.seq.Load())
	if err == errRecording {
		err = nil // CUDA itself keeps recorded kernels alive
	}
	return named(join(err, k.mod.Unload(), d.drop()))
}
