package opencl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// PoCL (3.1, and perhaps later versions) loads a kernel's code again for each
// grid that is wider than all previous ones, and counts the uses of every copy.
// A finished command drops its use of the newest copy, even if it used another
// one. When a kernel runs on two devices and a third device gets a wider grid,
// a count becomes negative and an assertion ends the process. Therefore a wider
// grid is enqueued only when nothing is running. The copies belong to the whole
// process, and so does this variable.
var pocl = struct {
	sync.RWMutex // read-locked while a grid that is not wider is enqueued
	devices      map[*Device]bool
	widest       map[loaded]int
}{devices: map[*Device]bool{}, widest: map[loaded]int{}}

// loaded is the key for which PoCL loads code.
type loaded struct {
	text  [sha256.Size]byte // of the kernel
	lanes int               // in a group
}

// isPocl reports whether the device is a PoCL device.
func (d *Device) isPocl() bool { return d.platform.name == "Portable Computing Language" }

// joinPocl adds the device to those that share code.
func (d *Device) joinPocl() {
	if d.isPocl() {
		pocl.Lock()
		defer pocl.Unlock()
		pocl.devices[d] = true
	}
}

// leavePocl removes the device from those that share code.
func (d *Device) leavePocl() {
	pocl.Lock()
	defer pocl.Unlock()
	delete(pocl.devices, d)
}

// text identifies a program that is built for PoCL from text or from a binary.
func text(p driver.Program) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %v %v\n%s", p.Name, p.Checked, p.Binary != nil, p.C))
}

// poclCommand is command for a launch with a grid of the given width.
func (d *Device) poclCommand(l loaded, width int, enqueue enqueue) (driver.Event, error) {
	pocl.RLock()
	if width <= pocl.widest[l] {
		defer pocl.RUnlock()
		return d.command(enqueue)
	}
	pocl.RUnlock()
	pocl.Lock()
	defer pocl.Unlock()
	var errs []error
	if len(pocl.devices) > 1 {
		for other := range pocl.devices {
			errs = append(errs, other.queue.Finish())
		}
	}
	if err := errors.Join(errs...); err != nil {
		return driver.Done, err
	}
	pocl.widest[l] = max(width, pocl.widest[l])
	return d.command(enqueue)
}
