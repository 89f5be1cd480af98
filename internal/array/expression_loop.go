package array

import (
	"errors"

	"github.com/skelgo/skelgo/devices"
)

var (
	errNotRun = errors.New("vector: the container is a result of a loop that has not been run yet: " +
		"call Run first")
	errPart = errors.New("vector: the container was created while a loop was recorded, " +
		"and was fused into another result: " +
		"to keep its elements, take a View of it while recording")
)

// usableHere returns an error if the array was created while a loop was recorded and
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

// Finish settles the array, as part of the loop, if the loop created it and it is
// still pending. devices.Record calls Finish at the end of the recording.
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

// Replaying prepares the array for a replay of a loop that changes it: it settles the
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
