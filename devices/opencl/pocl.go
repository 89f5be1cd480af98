package opencl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// PoCL (3.1, and perhaps later ones) loads a kernel's code anew for each grid
// that is wider than all before, and counts the uses of every copy. A command
// that ends gives its use back to the newest copy, whichever it had: when the
// kernel runs on two devices and a third is given a wider grid, a count falls
// below zero, and an assertion ends the process. So a wider grid is enqueued
// when nothing runs. The copies, and so this, are those of the whole process.
var pocl = struct {
	sync.RWMutex // read-locked by the enqueue of a grid that is not wider
	devices      map[*Device]bool
	widest       map[loaded]int
}{devices: map[*Device]bool{}, widest: map[loaded]int{}}

// loaded is what PoCL loads code for.
type loaded struct {
	text  [sha256.Size]byte // of the kernel
	lanes int               // in a group
}

// isPocl says whether a device is one of PoCL's.
func (d *Device) isPocl() bool { return d.platform.name == "Portable Computing Language" }

// joinPocl counts a device among those that share code.
func (d *Device) joinPocl() {
	if d.isPocl() {
		pocl.Lock()
		defer pocl.Unlock()
		pocl.devices[d] = true
	}
}

// leavePocl takes it out again.
func (d *Device) leavePocl() {
	pocl.Lock()
	defer pocl.Unlock()
	delete(pocl.devices, d)
}

// text stands for a program that is built for PoCL, from text or from a binary.
func text(p driver.Program) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %v %v\n%s", p.Name, p.Checked, p.Binary != nil, p.C))
}

// poclCommand is command for the launch of a grid so wide.
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
