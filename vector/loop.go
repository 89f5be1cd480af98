package vector

import (
	"errors"

	"github.com/skelgo/skelgo/devices"
)

var (
	errNotRun = errors.New("vector: it is a result of a loop that has not been run yet")
	errPart   = errors.New("vector: it was made while a loop was recorded, and became a part of another result: take a View of it there if it is needed itself")
)

// recorded looks whether an array that was made while a loop was recorded can
// be used here and now. The caller holds a.mu.
func (a *Array) recorded() error {
	if devices.Current() == a.loop {
		return nil
	}
	if !a.loop.Ran() {
		return errNotRun
	}
	a.loop = nil
	return nil
}

// Finish puts what a loop made, and only named so far, into memory, as a part of
// the loop. It is called when all of the loop has been recorded.
func (a *Array) Finish(r *devices.Recording, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.apart && a.apartIn == r && !a.freed { // a replay begins and ends with one value
		if err == nil {
			if err := a.combine(); err != nil {
				_ = r.Fail(err)
			}
		}
		a.apart = false
	}
	switch {
	case a.freed || a.loop != r:
	case err != nil:
		_ = a.fail(err)
	case a.lazy != nil && a.used:
		a.lazy = nil
		_ = a.fail(errPart)
	case a.lazy != nil:
		if err := a.settle(); err != nil {
			_ = r.Fail(err)
		}
	}
}

// Replaying prepares the array for being changed by a loop: expressions that
// read it are settled, the host copy is no longer valid, and what kernels have
// written to replicas is combined.
func (a *Array) Replaying(r *devices.Recording) error {
	a.mu.Lock()
	if a.loop == r {
		a.loop = nil
	}
	a.host.clear()
	a.version.Add(1)
	deps := a.deps
	a.deps = nil
	var err error
	if a.apart {
		err = a.combine()
	}
	a.mu.Unlock()
	settleAll(deps)
	return err
}
