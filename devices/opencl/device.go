package opencl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Device is an OpenCL device with its queue and its memory.
type Device struct {
	platform *platform
	dev      *cl.Device
	queue    *cl.CommandQueue
	side     *cl.CommandQueue // for touching new memory without waiting for the main queue
	info     driver.Info
	options  string       // of the compiler
	used     atomic.Int64 // bytes in live buffers
	pending  pending
	untimed  atomic.Bool
	fence    fence
	closing  sync.Once
}

func newDevice(p *platform, cd *cl.Device) (*Device, error) {
	d := &Device{platform: p, dev: cd}
	if err := d.ask(); err != nil {
		return nil, err
	}
	var err error
	if d.queue, err = p.ctx.CreateCommandQueue(cd, cl.QueueProfilingEnable); err != nil {
		return nil, err
	}
	if d.side, err = p.ctx.CreateCommandQueue(cd, 0); err != nil {
		return nil, errors.Join(err, d.queue.Release())
	}
	p.open.Add(1)
	d.joinPocl()
	return d, nil
}

// ask fills in the properties of the device.
func (d *Device) ask() error {
	var errs []error
	number := func(p cl.DeviceParam) int64 {
		v, err := d.dev.InfoUint(p)
		errs = append(errs, err)
		return int64(v)
	}
	text := func(p cl.DeviceParam) string {
		s, err := d.dev.InfoString(p)
		errs = append(errs, err)
		return strings.TrimSpace(s)
	}
	d.info = driver.Info{
		Name:        text(cl.DeviceName),
		Platform:    d.platform.name,
		Version:     text(cl.DeviceVersion) + ", driver " + text(cl.DriverVersion),
		Kind:        kind(d.dev.Type()),
		Units:       int(number(cl.DeviceMaxComputeUnits)),
		Memory:      number(cl.DeviceGlobalMemSize),
		MaxAlloc:    number(cl.DeviceMaxMemAllocSize),
		LocalMemory: number(cl.DeviceLocalMemSize),
		MaxGroup:    int(number(cl.DeviceMaxWorkGroupSize)),
		Float64:     d.dev.HasExtension("cl_khr_fp64"),
	}
	if strings.Contains(d.platform.name, "NVIDIA CUDA") {
		d.info.Warp = 32
		d.info.Progress = number(cl.DeviceComputeCapabilityMajorNV) >= 8 // the condition that package cuda uses
	}
	d.options = "-cl-std=CL1.2 -cl-kernel-arg-info -w" // -w: some compilers print the number of warnings
	if cl.FPConfig(number(cl.DeviceSingleFPConfig))&cl.FPCorrectlyRoundedDivideSqrt != 0 {
		d.options += " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	return errors.Join(errs...)
}

func kind(t cl.DeviceType) driver.Kind {
	switch {
	case t&cl.DeviceTypeGPU != 0:
		return driver.GPU
	case t&cl.DeviceTypeCPU != 0:
		return driver.CPU
	}
	return driver.Accelerator
}

// Info describes the device.
func (d *Device) Info() driver.Info { return d.info }

// FreeMemory returns the device's memory minus the size of all live buffers.
// OpenCL does not report what other programs use.
func (d *Device) FreeMemory() int64 { return max(0, d.info.Memory-d.used.Load()) }

// Handle returns the device's cl_command_queue.
func (d *Device) Handle() uintptr { return d.queue.Handle() }

// SetTiming turns the timing of launches, which is on at first, on or off.
// Timing costs almost nothing on PoCL; with NVIDIA's OpenCL a launch takes 12
// us with it and 5 us without.
func (d *Device) SetTiming(on bool) { d.untimed.Store(!on) }

// Sync waits until all enqueued work has finished and returns the errors of
// commands that were not waited for.
func (d *Device) Sync() error {
	d.fence.forget()
	events := d.pending.take()
	return errors.Join(d.queue.Finish(), settle(events))
}

// Close waits for the device and releases its queue. After Close, buffers and
// kernels can only be freed.
func (d *Device) Close() error {
	var err error
	d.closing.Do(func() {
		d.leavePocl()
		err = errors.Join(d.Sync(), d.queue.Release(), d.side.Release(), d.platform.close())
	})
	return err
}

const (
	// smallest is the minimum size of a buffer: checked kernels read element 0
	// of an empty one.
	smallest = 16

	// touched is the size from which new buffers are written to. Most
	// implementations allocate a buffer when it is first used, and the kernel
	// that uses it would fail with an error that does not mention memory.
	touched = 1 << 20
)

// Alloc returns a new buffer. If the device has no room for it, the error wraps
// driver.ErrMemory.
func (d *Device) Alloc(bytes int64) (driver.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("opencl: cannot allocate a buffer of %d bytes", bytes)
	}
	size := max(bytes, smallest)
	if size > d.info.MaxAlloc {
		return nil, fmt.Errorf("opencl: %w: asked for %d bytes, but %s limits buffers to %d",
			driver.ErrMemory, bytes, d.info.Name, d.info.MaxAlloc)
	}
	if used := d.used.Add(size); used > d.info.Memory {
		d.used.Add(-size)
		return nil, d.noRoom(bytes, nil)
	}
	mem, err := d.platform.ctx.CreateBuffer(cl.MemReadWrite, size, nil)
	if err == nil && size >= touched {
		if err = d.side.EnqueueWriteBuffer(mem, true, 0, make([]byte, smallest), nil, nil); err != nil {
			err = errors.Join(err, mem.Release())
		}
	}
	if err != nil {
		d.used.Add(-size)
		if memoryError(err) {
			return nil, d.noRoom(bytes, err)
		}
		return nil, fmt.Errorf("opencl: allocating %d bytes: %w", bytes, err)
	}
	return &Buffer{dev: d, mem: mem, n: bytes, size: size, id: lastBuffer.Add(1)}, nil
}

func memoryError(err error) bool {
	return errors.Is(err, cl.MemObjectAllocationFailure) || errors.Is(err, cl.OutOfResources) ||
		errors.Is(err, cl.OutOfHostMemory) || errors.Is(err, cl.InvalidBufferSize)
}

func (d *Device) noRoom(bytes int64, cause error) error {
	err := fmt.Errorf("opencl: %w: asked for %d bytes, %d of %d on %s are free",
		driver.ErrMemory, bytes, d.FreeMemory(), d.info.Memory, d.info.Name)
	if cause != nil {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}
