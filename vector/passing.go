package vector

import "github.com/skelgo/skelgo/devices"

// InPassing calls launch, and gives it the array's memory when the array is
// still an expression: launch computes the elements besides what it is for,
// and they need not be computed again. For package skel.
func (a *Array) InPassing(launch func(mem *devices.Buffer) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	if r := devices.Current(); a.lazy != nil && a.err == nil && r != a.loop {
		if err := a.settle(); err != nil { // a loop must not compute it again and again
			return err
		}
	}
	if a.lazy == nil || a.err != nil {
		return launch(nil)
	}
	if _, err := a.output(); err != nil {
		return err
	}
	// As in settle, launch may run under the lock: it reads what the
	// expression reads, and expressions have no cycles.
	if err := launch(a.buffer()); err != nil {
		return err
	}
	a.lazy = nil
	return nil
}
