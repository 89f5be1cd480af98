package array

import (
	"errors"

	"github.com/skelgo/skelgo/devices"
)

var (
	errNotRun = errors.New("vector: it is a result of a loop that has not been run yet")
	errPart   = errors.New("vector: it was made while a loop was recorded, and became a part of another result: " +
		"take a View of it there if it is needed itself")
)

// usableHere returns an error if the array was made while a loop was recorded and
// cannot be used now. The caller holds a.mu.
func (a *Array) usableHere() error {
	if Recording() == a.loop {
		return nil
	}
	if !a.loop.Ran() {
		return errNotRun
	}
	a.loop = nil
	return nil
}

// Finish settles, as part of the loop, what the loop made and has not computed
// yet. devices.Record calls it when all of the loop has been recorded.
func (a *Array) Finish(r *devices.Recording, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.diverged && a.divergedIn == r && !a.freed { // a replay begins and ends with equal replicas
		if err == nil {
			if err := a.combine(); err != nil {
				_ = r.Fail(err)
			}
		}
		a.diverged = false
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

// Replaying prepares the array for being changed by a loop: it settles the
// expressions that read the array, drops the host copy and combines replicas that
// kernels have written.
func (a *Array) Replaying(r *devices.Recording) error {
	a.mu.Lock()
	if a.loop == r {
		a.loop = nil
	}
	a.host.clear()
	a.version.Add(1)
	readers := a.readers
	a.readers = nil
	var err error
	if a.diverged {
		err = a.combine()
	}
	a.mu.Unlock()
	settleAll(readers)
	return err
}
