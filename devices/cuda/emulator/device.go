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

	// units is small, so that few elements suffice to give each group much
	// work.
	units = 3

	groupsOfUnit = 8       // maximum resident on a compute unit
	lanesOfUnit  = 2048    // maximum resident on a compute unit
	maxGroup     = 1024    // lanes in a group of a kernel that is compiled for so many (KERNEL_OF)
	anyKernel    = 256     // lanes in a group of any other kernel, whose lanes may use 255 registers of 65,536
	memory       = 2 << 30 // bytes
	localMemory  = 227 << 10
	staticLimit  = 48 << 10 // limit of static local memory
)

// Device is the emulated GPU.
type Device struct {
	mu        sync.Mutex // held while enqueueing, which executes the work
	used      int64      // bytes of memory
	closed    bool
	recording *Recording // the recording in progress
	arena     []byte     // mapped memory for launches

	compiler compiler
}

// Missing returns why there is no device and what to do, or "" if New works.
func Missing() string {
	if !supported {
		return "the emulator runs only on Linux, on amd64 and arm64"
	}
	for _, program := range []string{compilerName, linkerName} {
		if _, err := exec.LookPath(program); err != nil {
			return program + " is missing (install the packages clang and binutils): " + err.Error()
		}
	}
	return ""
}

// New returns an emulated device.
func New() (*Device, error) {
	if why := Missing(); why != "" {
		return nil, errors.New("emulator: " + why)
	}
	return &Device{}, nil
}

// Info describes the device as the CUDA driver would.
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
		Products:    true,
	}
}

// enqueue executes do, or adds it to the recording in progress.
func (d *Device) enqueue(do func() error) (driver.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.recording != nil {
		d.recording.steps = append(d.recording.steps, do)
		return driver.Done, nil
	}
	return driver.Done, do()
}

// atOnce executes a call that cannot be recorded.
func (d *Device) atOnce(what string, do func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.recording != nil {
		return fmt.Errorf("emulator: %s while recording", what)
	}
	return do()
}

// Sync does nothing because all work has finished.
func (d *Device) Sync() error {
	return d.atOnce("sync", func() error { return nil })
}

// Close releases the resources of compiling and launching.
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
