package array

import (
	"sync/atomic"
	"weak"

	"github.com/skelgo/skelgo/devices"
)

// expression holds the state of lazy computation: the pending expression of an
// array, if any, and the pending expressions that read the array.
type expression struct {
	lazy Lazy               // nil once the elements are in memory
	used bool               // lazy has become part of a consumer
	leaf any                // the expression with which package skel reads the memory; see SetLeaf
	loop *devices.Recording // the recording that created the array; nil after its first replay

	readers []weak.Pointer[Array] // pending expressions that read the array
	read    atomic.Bool           // readers may not be empty; to be loaded without mu
}

// Lazy is an expression that can be computed into memory.
type Lazy interface {
	// Settle computes all elements into dst.
	Settle(dst *devices.Buffer) error
}

// settle makes sure that the elements are in memory. The caller holds a.mu.
func (a *Array) settle() (err error) {
	a.live()
	if a.err != nil {
		return a.err
	}
	if err := a.countErr(); err != nil {
		return a.fail(err)
	}
	if a.parts != nil {
		return a.eachPart(func(p *Array) error { _, err := p.Memory(); return err })
	}
	if a.loop != nil {
		if err := a.usableHere(); err != nil {
			return err
		}
	}
	if a.lazy == nil {
		if err = a.alloc(); err == nil && Recording() != nil {
			a.note()
		}
		return err
	}
	if r := Recording(); r != nil && r != a.loop {
		r.Pause(func() { err = a.compute() }) // the array keeps its value from before the loop
		return err
	}
	return a.compute()
}

// compute computes the pending expression. It reads other arrays and writes the
// memory of this one, so it may run under a.mu: expressions have no cycles.
func (a *Array) compute() error {
	lazy := a.lazy
	a.lazy = nil
	mem, err := a.output()
	if err != nil {
		return err
	}
	if err := lazy.Settle(mem); err != nil {
		return a.fail(err)
	}
	return nil
}

// Take uses the array as an input. The first use of a pending expression returns
// the expression, which becomes part of the consumer. Any other use settles the
// array and returns what SetLeaf stored, or nil.
func (a *Array) Take() (lazy Lazy, leaf any, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	if a.err == nil && a.lazy != nil && !a.used && Recording() == a.loop {
		a.used = true
		return a.lazy, nil, nil
	}
	if err := a.settle(); err != nil {
		return nil, nil, err
	}
	return nil, a.leaf, nil
}

// SetLeaf stores the expression with which package skel reads the array, so that it
// is created only once.
func (a *Array) SetLeaf(leaf any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leaf = leaf
}

// InPassing calls launch with the memory of the array if the array is a pending
// expression, and with nil otherwise. Given memory, launch also computes the
// expression into it, so that it need not be computed again.
func (a *Array) InPassing(launch func(mem *devices.Buffer) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	if r := Recording(); a.lazy != nil && a.err == nil && r != a.loop {
		if err := a.settle(); err != nil { // a loop must not compute it in each run
			return err
		}
	}
	if a.lazy == nil || a.err != nil {
		return launch(nil)
	}
	if _, err := a.output(); err != nil {
		return err
	}
	// As in compute, launch may run under the lock: it reads what the expression
	// reads, and expressions have no cycles.
	if err := launch(a.buffer()); err != nil {
		return err
	}
	a.lazy = nil
	return nil
}

// SettleReaders computes every pending expression that reads the array, which is
// about to change. A call whose inputs may include such an expression calls it
// before it opens the inputs.
func (a *Array) SettleReaders() {
	if a.read.Load() {
		a.mu.Lock()
		readers := a.readers
		a.readers = nil
		a.read.Store(false)
		a.mu.Unlock()
		settleAll(readers)
	}
	a.mu.Lock()
	parts := a.parts
	a.mu.Unlock()
	for _, p := range parts {
		p.SettleReaders()
	}
}

// settleAll settles the expressions that somebody may still hold.
func settleAll(readers []weak.Pointer[Array]) {
	for _, r := range readers {
		if reader := r.Value(); reader != nil {
			reader.settlePending()
		}
	}
}

// settlePending settles an expression. If that fails, the expression keeps the
// error and shows it when it is used.
func (a *Array) settlePending() {
	defer a.dist.first().Quietly()() // other ranks may not have the expression any more
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lazy != nil && !a.freed {
		_ = a.settle()
	}
}

// settleAndTakeReaders settles the array, and removes and returns its readers.
func (a *Array) settleAndTakeReaders() (readers []weak.Pointer[Array], err error) {
	a.mu.Lock()
	defer a.mu.Unlock() // settle may panic
	err = a.settle()
	readers, a.readers = a.readers, nil
	return readers, err
}

// addReader notes that reader is an expression over a.
func (a *Array) addReader(reader weak.Pointer[Array]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.readers) == cap(a.readers) { // before growing, forget those that are gone
		kept := a.readers[:0]
		for _, r := range a.readers {
			if r.Value() != nil {
				kept = append(kept, r)
			}
		}
		a.readers = kept
	}
	a.readers = append(a.readers, reader)
	a.read.Store(true)
}

// awaited reports whether pending expressions are still to read the array. One of
// them may be part of a call that is about to read it, so settling it would not
// help.
func (a *Array) awaited() bool {
	a.mu.Lock()
	readers := append([]weak.Pointer[Array](nil), a.readers...)
	a.mu.Unlock()
	if len(readers) > 0 && a.dist.device.Joint() {
		return true // all ranks must decide alike, and other ranks may have collected others
	}
	for _, r := range readers {
		reader := r.Value()
		if reader == nil || !reader.settled() { // a consumer may outlive the expression
			return true
		}
	}
	for _, p := range a.parts {
		if p.awaited() {
			return true
		}
	}
	return false
}

// settled reports whether the elements are in memory, or will not be needed.
func (a *Array) settled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lazy == nil || a.freed
}
