package cpu

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Driver finds the one CPU device.
type Driver struct{}

// Name is "cpu".
func (Driver) Name() string { return "cpu" }

// Missing is always "": there is always a CPU.
func (Driver) Missing() string { return "" }

// Devices gives a new CPU device.
func (Driver) Devices() ([]driver.Device, error) { return []driver.Device{New()}, nil }

// Device is the processor that this program runs on.
type Device struct {
	info driver.Info
	used atomic.Int64 // bytes in live buffers
}

// New opens the CPU as a device.
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
	}}
}

// Info describes the processor; Memory is what the machine has, or what the
// program's control group may use, if that is less.
func (d *Device) Info() driver.Info { return d.info }

// FreeMemory is what the machine has less what live buffers take.
func (d *Device) FreeMemory() int64 { return max(0, d.info.Memory-d.used.Load()) }

// Alloc makes a buffer, aligned to 64 bytes and zeroed. More than the machine
// has is driver.ErrMemory, where Go's own allocator would end the program.
func (d *Device) Alloc(bytes int64) (driver.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("cpu: a buffer of %d bytes", bytes)
	}
	if used := d.used.Add(bytes); used > d.info.Memory || used < 0 {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("cpu: %w: asked for %d bytes, %d of %d are free",
			driver.ErrMemory, bytes, d.FreeMemory(), d.info.Memory)
	}
	mem, release, err := allocate(bytes)
	if err != nil {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("cpu: %w: asked for %d bytes: %w", driver.ErrMemory, bytes, err)
	}
	return &Buffer{dev: d, mem: mem, release: release}, nil
}

// Build takes the program's Go form.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	if p.Go == nil {
		return nil, fmt.Errorf("cpu: program %s has no Go form, and the CPU device runs nothing else", p.Name)
	}
	return kernel(p.Go), nil
}

// Sync does nothing: every call is finished when it returns.
func (d *Device) Sync() error { return nil }

// Close does nothing; buffers live on until they are freed.
func (d *Device) Close() error { return nil }

type kernel func(driver.Group, []driver.Arg)

func (k kernel) Launch(grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	return driver.Done, Run(grid.Groups, func(g driver.Group) { k(g, args) })
}

func (k kernel) Close() error { return nil }
