package emulator

import (
	"errors"
	"fmt"
	"os/exec"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

const (
	warp = 32

	// units is few, so that few elements are enough for groups that have much to
	// do each.
	units = 3

	groupsOfUnit = 8       // resident on a compute unit, at most
	lanesOfUnit  = 2048    // resident on a compute unit, at most
	maxGroup     = 1024    // lanes in a group
	memory       = 2 << 30 // bytes
	localMemory  = 227 << 10
	staticLimit  = 48 << 10 // of local memory that a kernel declares
)

// Device is the emulated GPU.
type Device struct {
	mu        sync.Mutex // held while anything is enqueued, which is when it is done
	used      int64      // bytes of memory
	closed    bool
	recording *Recording // that is being made
	arena     []byte     // of launches: mapped

	compiler compiler
}

// Missing says why there is no device here, and what to do; "" when New makes one.
func Missing() string {
	if !supported {
		return "the emulator is for Linux, on amd64 and arm64"
	}
	if _, err := exec.LookPath(compilerName); err != nil {
		return "there is no " + compilerName + " (install the package clang): " + err.Error()
	}
	return ""
}

// New makes a device.
func New() (*Device, error) {
	if why := Missing(); why != "" {
		return nil, errors.New("emulator: " + why)
	}
	return &Device{}, nil
}

// Info describes the device, as the driver of CUDA would.
func (d *Device) Info() driver.Info {
	return driver.Info{
		Name:        "emulated GPU",
		Platform:    "CUDA",
		Version:     "emulated",
		Kind:        driver.GPU,
		Units:       units,
		Memory:      memory,
		MaxAlloc:    memory,
		LocalMemory: localMemory,
		MaxGroup:    maxGroup,
		Float64:     true,
		Warp:        warp,
		Progress:    true,
	}
}

// enqueue does something, or adds it to the recording that is being made.
func (d *Device) enqueue(do func() error) (driver.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.recording != nil {
		d.recording.steps = append(d.recording.steps, do)
		return driver.Done, nil
	}
	return driver.Done, do()
}

// atOnce does something that cannot be recorded.
func (d *Device) atOnce(what string, do func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.recording != nil {
		return fmt.Errorf("emulator: %s while a recording is made", what)
	}
	return do()
}

// Sync has nothing to wait for.
func (d *Device) Sync() error {
	return d.atOnce("sync", func() error { return nil })
}

// Close gives back what compiling and launching needed.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	err := unmap(d.arena)
	d.arena = nil
	return errors.Join(err, d.compiler.close())
}
