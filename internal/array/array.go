package array

import (
	"fmt"
	"sync"
	"weak"

	"github.com/skelgo/skelgo/devices"
)

// Array is a container without its element type. Over several devices it is a
// list of arrays, its parts, and its methods operate on each of them.
type Array struct {
	mu    sync.Mutex // guards all fields below, unless they say otherwise
	n     int        // elements; if a kernel counts them, an upper bound
	size  int        // bytes of an element
	count *DeviceLen // set if a kernel counts the elements
	dist  Distribution
	err   error // the first one
	freed bool

	storage
	expression
	spread
}

// newArray initializes a, without memory, on one device or over several.
func newArray(a *Array, rows, unit, size int, d Distribution) {
	a.n, a.size, a.dist, a.err, a.loop = rows*unit, size, d, d.err, Recording()
	if a.place = d.Place(rows, unit); a.place != nil {
		a.makeParts()
	}
}

// ElemSize returns the size of an element in bytes.
func (a *Array) ElemSize() int { return a.size }

// Distribution returns where the elements are.
func (a *Array) Distribution() Distribution { return a.dist }

// Device returns the device that holds the array; over several devices, the first.
func (a *Array) Device() *devices.Device { return a.dist.Device() }

// Err returns the first error of the array or of a part.
func (a *Array) Err() error {
	a.mu.Lock()
	err := a.err
	a.mu.Unlock()
	if err == nil {
		err = a.countErr()
	}
	if err == nil {
		err = a.eachPart((*Array).Err)
	}
	return err
}

// fail sets the error of the array to err, unless it has an error already. It
// returns the error of the array. The caller holds a.mu.
func (a *Array) fail(err error) error {
	if a.err == nil {
		a.err = err
	}
	return a.err
}

// Fail sets the error of the array to err, unless it has an error already. It
// returns the error of the array.
func (a *Array) Fail(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fail(err)
}

// live panics if the array was freed, which is a bug of the caller.
func (a *Array) live() {
	if a.freed {
		panic("vector: used after Free")
	}
}

// Memory settles the array and returns its device memory; over several devices it
// returns nil.
func (a *Array) Memory() (*devices.Buffer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil || a.parts != nil {
		return nil, err
	}
	return a.buffer(), nil
}

// InMemory reports whether the elements are in device memory.
func (a *Array) InMemory() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mem != nil
}

// Output returns the device memory for a kernel to fill, and drops the host copy.
// It does not settle the readers of the array; see Change. Over several devices
// it prepares all parts and returns nil.
func (a *Array) Output() (*devices.Buffer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.output()
}

// output is Output for a caller that holds a.mu.
func (a *Array) output() (*devices.Buffer, error) {
	if a.err != nil {
		return nil, a.err
	}
	a.live()
	if a.parts != nil {
		if err := a.overwriteReplicas(); err != nil {
			return nil, err
		}
		return nil, a.eachPart(func(p *Array) error { _, err := p.Output(); return err })
	}
	if err := a.alloc(); err != nil {
		return nil, err
	}
	a.host.clear()
	a.version.Add(1)
	if r := Recording(); r != nil {
		r.Result(a)
		a.note()
	}
	return a.buffer(), nil
}

// Change prepares the array for changes in memory: it settles the array and
// every pending expression that reads it.
func (a *Array) Change() error {
	readers, err := a.settleAndTakeReaders()
	settleAll(readers)
	if err == nil {
		err = a.eachPart((*Array).Change)
	}
	return err
}

// Overwrite is Change followed by Output.
func (a *Array) Overwrite() (*devices.Buffer, error) {
	if mem, done, err := a.overwriteUnread(); done {
		return mem, err
	}
	if err := a.Change(); err != nil {
		return nil, err
	}
	return a.Output()
}

// overwriteUnread is Overwrite for an array on one device that no pending
// expression reads. Otherwise it does nothing, and done is false.
func (a *Array) overwriteUnread() (mem *devices.Buffer, done bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.readers) > 0 || a.parts != nil {
		return nil, false, nil
	}
	if err := a.settle(); err != nil {
		return nil, true, err
	}
	mem, err = a.output()
	return mem, true, err
}

// Write changes the bytes from offset off on to p, on the device and in the host
// copy.
func (a *Array) Write(off int64, p []byte) error {
	if len(p) == 0 {
		return a.Err()
	}
	if err := Refused("vector: Set or Write"); err != nil {
		return err
	}
	if err := a.Change(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.parts != nil {
		if err := a.combine(); err != nil {
			return err
		}
		return forEach(a.pieces(), func(q piece) error { return q.write(off, p) })
	}
	a.version.Add(1)
	if err := a.buffer().Write(off, p); err != nil {
		return a.fail(err)
	}
	a.host.write(off, p)
	return nil
}

// fill uploads all elements of a new array.
func (a *Array) fill(p []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.alloc(); err != nil || len(p) == 0 {
		return err
	}
	if err := a.buffer().Write(0, p); err != nil {
		return a.fail(err)
	}
	return nil
}

// Free releases the memory at once. It settles the expressions that read the
// array first; if that fails, they keep the error.
func (a *Array) Free() {
	mem, readers := a.abandon()
	for ; len(readers) > 0; mem, readers = a.abandon() {
		settleAll(readers)
	}
	if mem != nil {
		mem.release()
	}
	if a.count != nil {
		a.count.release()
	}
	for _, p := range a.parts {
		p.Free()
	}
	for _, c := range a.copies {
		c.array.Free()
	}
	a.copies = nil
}

// abandon drops the pending expression of the array and returns the expressions
// that read the array. If there are none, it marks the array as freed and returns
// its memory.
func (a *Array) abandon() (mem *memory, readers []weak.Pointer[Array]) {
	a.mu.Lock()
	defer a.mu.Unlock() // live may panic
	a.live()
	a.lazy = nil
	if readers, a.readers = a.readers, nil; len(readers) > 0 {
		return nil, readers
	}
	mem, a.mem = a.mem, nil
	a.freed, a.leaf = true, nil
	return mem, nil
}

func checkIndex(what string, i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("vector: %s: index %d out of range [0, %d)", what, i, n))
	}
}
