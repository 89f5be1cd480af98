package cpu

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/internal/host"
)

// Driver is the driver of the CPU device.
type Driver struct{}

// Name returns "cpu".
func (Driver) Name() string { return "cpu" }

// Missing returns "" because there is always a CPU.
func (Driver) Missing() string { return "" }

// Devices returns a new CPU device.
func (Driver) Devices() ([]driver.Device, error) { return []driver.Device{New()}, nil }

// Device is the processor that runs this program.
type Device struct {
	info driver.Info
	used atomic.Int64 // bytes in live buffers
}

// New returns a CPU device.
func New() *Device {
	total := totalMemory()
	return &Device{info: driver.Info{
		Name:     model(),
		Platform: "Go",
		Version:  runtime.Version(),
		Kind:     driver.CPU,
		Native:   true,
		Units:    runtime.GOMAXPROCS(0),
		Memory:   total,
		MaxAlloc: total,
		MaxGroup: 1,
		Float64:  true,

		Contracts: contracts(),
	}}
}

// Info describes the processor. Its Memory is the machine's, or the limit of
// the program's control group if that is lower.
func (d *Device) Info() driver.Info { return d.info }

// FreeMemory returns the machine's memory minus the size of all live buffers.
func (d *Device) FreeMemory() int64 { return max(0, d.info.Memory-d.used.Load()) }

// Alloc returns a buffer that is aligned to 64 bytes and zeroed. If the machine
// does not have that much memory, Alloc returns driver.ErrMemory, whereas Go's
// allocator would terminate the program.
func (d *Device) Alloc(bytes int64) (driver.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("cpu: cannot allocate a buffer of %d bytes", bytes)
	}
	if used := d.used.Add(bytes); used > d.info.Memory || used < 0 {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("cpu: %w: asked for %d bytes, %d of %d are free",
			driver.ErrMemory, bytes, d.FreeMemory(), d.info.Memory)
	}
	mem, release, err := host.Alloc(bytes)
	if err != nil {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("cpu: %w: asked for %d bytes: %w", driver.ErrMemory, bytes, err)
	}
	return &Buffer{dev: d, mem: mem, release: release}, nil
}

// Build returns a kernel that runs the program's Go form.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	if p.Go == nil {
		return nil, fmt.Errorf("cpu: program %s has no Go form, and the CPU device runs only Go forms", p.Name)
	}
	return kernel(p.Go), nil
}

// Sync does nothing: every call has finished when it returns.
func (d *Device) Sync() error { return nil }

// Close does nothing; buffers stay valid until they are freed.
func (d *Device) Close() error { return nil }

type kernel func(driver.Group, []driver.Arg)

func (k kernel) Launch(grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	return driver.Done, Run(grid.Groups, func(g driver.Group) { k(g, args) })
}

func (k kernel) Close() error { return nil }
