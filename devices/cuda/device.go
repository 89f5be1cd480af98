package cuda

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Device is a GPU with its queue and its memory.
type Device struct {
	dev     cu.Device
	info    driver.Info
	arch    int      // 90 for sm_90
	options []string // of the compiler
	untimed atomic.Bool

	opening sync.Mutex // guards the fields below, which are set when the device is first used
	ready   atomic.Bool
	closed  bool
	holders atomic.Int64 // the device itself, its buffers, kernels and recordings
	ctx     *cu.Ctx
	queue   *cu.Stream // launches, copies, short transfers
	up      *cu.Stream // long transfers to the device
	down    *cu.Stream // long transfers from the device
	from    *cu.Stream // long transfers from other devices
	short   shortTransfers
	staging staging
	peers   peers
	pulls   peerCopy

	events  pending
	timers  eventPool
	markers eventPool

	mu   sync.Mutex    // held while enqueueing; also guards Buffer.use and Buffer.moving
	seq  atomic.Uint64 // the number of commands enqueued so far
	done atomic.Uint64 // the number of commands known to be done
	rec  *recorder     // the recording in progress; set while mu and waits are held

	// Waiting for the queue would end a capture, so waits is read-locked during
	// such a wait, and locked when a recording begins or ends.
	waits    sync.RWMutex
	lastWait atomic.Int64  // duration of the last wait in ns
	patience time.Duration // maximum duration of a short wait

	// ins and insDone count the long transfers to the device that have been
	// enqueued, and those that are known to be done.
	ins, insDone atomic.Uint64
}

func newDevice(c cu.Device) (*Device, error) {
	d := &Device{dev: c, patience: spinning}
	if err := d.ask(); err != nil {
		return nil, err
	}
	d.holders.Store(1)
	d.staging.init(d)
	return d, nil
}

// ask fills in the properties of the device.
func (d *Device) ask() error {
	var errs []error
	number := func(a cu.DeviceAttribute) int {
		v, err := d.dev.Attribute(a)
		errs = append(errs, err)
		return v
	}
	name, err := d.dev.Name()
	errs = append(errs, err)
	memory, err := d.dev.TotalMem()
	errs = append(errs, err)
	major, minor, err := cu.DriverVersion()
	errs = append(errs, err)
	d.arch = 10*number(cu.ComputeCapabilityMajor) + number(cu.ComputeCapabilityMinor)
	d.info = driver.Info{
		Name:     name,
		Platform: "CUDA",
		Version:  fmt.Sprintf("CUDA %d.%d%s, sm_%d", major, minor, driverRelease(), d.arch),
		Kind:     driver.GPU,
		Units:    number(cu.MultiprocessorCount),
		Memory:   memory,
		MaxAlloc: memory,
		// The second applies to Grid.Local.
		LocalMemory: int64(max(number(cu.MaxSharedMemoryPerBlock), number(cu.MaxSharedMemoryPerBlockOpt))),
		MaxGroup:    number(cu.MaxThreadsPerBlock),
		Float64:     true,
		Warp:        number(cu.WarpSize),
		Progress:    true,
		Products:    d.arch == 90, // where chains of fused multiply-adds have been compared with it
	}
	d.options = compilerOptions
	return join(errs...)
}

var release = regexp.MustCompile(`\b\d{3}\.\d+(\.\d+)?\b`)

// driverRelease returns the version of the NVIDIA driver if Linux reports it.
func driverRelease() string {
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		return ""
	}
	if v := release.FindString(string(text)); v != "" {
		return ", driver " + v
	}
	return ""
}

// Info describes the device.
func (d *Device) Info() driver.Info { return d.info }

// Identity returns the UUID of the device, by which processes of a machine find out whether they
// see the same one. It is "" if it is not known.
func (d *Device) Identity() string {
	id, err := d.dev.UUID()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", id)
}

// SetTiming turns the timing of launches, which is on at first, on or off. It
// costs two events per launch, about 2 us.
func (d *Device) SetTiming(on bool) { d.untimed.Store(!on) }

// Handle returns the CUcontext, or 0 if it cannot be created.
func (d *Device) Handle() uintptr {
	if d.open() != nil {
		return 0
	}
	return d.ctx.Handle()
}

// open creates the context and the streams when the device is first used: the
// context takes 0.1 s and some of the device's memory.
func (d *Device) open() error {
	if d.ready.Load() {
		return nil
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.ready.Load() {
		return nil
	}
	if d.closed {
		return errors.New("cuda: the device is closed")
	}
	if err := d.openAll(); err != nil {
		return fmt.Errorf("cuda: %s cannot be used: %w", d.info.Name, join(err, d.tearDown()))
	}
	d.ready.Store(true)
	return nil
}

func (d *Device) openAll() (err error) {
	if d.ctx, err = d.dev.Retain(); err != nil {
		return err
	}
	for _, s := range []**cu.Stream{&d.queue, &d.up, &d.down, &d.from} {
		if *s, err = d.ctx.MakeStream(cu.StreamNonBlocking); err != nil {
			return err
		}
	}
	d.timers.init(d.ctx, cu.EventDefault)
	d.markers.init(d.ctx, cu.EventDisableTiming)
	return d.short.open(d)
}

// Close waits for the device and releases its resources. After Close, buffers
// and kernels can only be freed.
func (d *Device) Close() error {
	d.opening.Lock()
	if d.closed {
		d.opening.Unlock()
		return nil
	}
	d.closed = true
	d.opening.Unlock()
	var err error
	if d.ready.Load() {
		err = join(d.endRecording(), d.Sync())
	}
	return join(err, named(d.drop()))
}

// drop releases one reference to the device. The last one destroys the context.
func (d *Device) drop() error {
	if d.holders.Add(-1) > 0 {
		return nil
	}
	return d.tearDown()
}

// tearDown releases everything that openAll created.
func (d *Device) tearDown() error {
	d.ready.Store(false)
	if d.ctx == nil {
		return nil
	}
	errs := []error{d.staging.close(), d.short.close(), d.pulls.close(), d.timers.close(), d.markers.close()}
	for _, s := range []**cu.Stream{&d.queue, &d.up, &d.down, &d.from} {
		if *s != nil {
			errs = append(errs, (*s).Synchronize(), (*s).Destroy())
			*s = nil
		}
	}
	errs = append(errs, d.ctx.Release())
	d.ctx = nil
	return join(errs...)
}
