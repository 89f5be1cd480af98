package vector

import (
	"fmt"
	"math"
	"sync"
	"weak"

	"github.com/skelgo/skelgo/devices"
)

// Array is the body of a container without its element type: the parts of
// its memory, which bytes the host copy holds, and the expression that it
// still is. It is exported for package skel.
type Array struct {
	mu    sync.Mutex
	n     int // elements
	size  int // bytes of an element
	dist  Distribution
	mem   *memory // nil while the array is only an expression
	host  []byte  // the host copy, nil until something is read
	valid ranges  // bytes of host that equal the device's
	err   error

	lazy Lazy // nil when the elements are in memory
	used bool // the expression was already made part of a consumer
	deps []weak.Pointer[Array]
}

// Lazy is an expression that can be put into memory.
type Lazy interface {
	// Settle computes all elements into dst.
	Settle(dst *Array) error
}

// memory is what the garbage collector's clean-up needs to reach when the
// array itself is gone.
type memory struct {
	mu    sync.Mutex
	parts []part
	freed bool
}

// part is the piece of an array that one device holds.
type part struct {
	off, n int // elements
	buf    *devices.Buffer
}

func (m *memory) free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.freed {
		return
	}
	m.freed = true
	for _, p := range m.parts {
		p.buf.Free()
	}
}

// Len is the number of elements.
func (a *Array) Len() int { return a.n }

// ElemSize is the size of an element in bytes.
func (a *Array) ElemSize() int { return a.size }

// Device is where the array lives.
func (a *Array) Device() *devices.Device { return a.dist.device }

// Err is the first error on the way to this array.
func (a *Array) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// fail makes err stick, unless there was one before.
func (a *Array) fail(err error) error {
	if a.err == nil {
		a.err = err
	}
	return a.err
}

// Fail makes err the error of the array, unless it has one already, and
// returns the error that it has.
func (a *Array) Fail(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fail(err)
}

// alloc gives the array its memory. The caller holds a.mu.
func (a *Array) alloc() error {
	if a.mem.parts != nil {
		return nil
	}
	if a.n > math.MaxInt64/a.size {
		return a.fail(fmt.Errorf("vector: %d elements of %d bytes are more than a device can address", a.n, a.size))
	}
	buf, err := a.dist.device.Alloc(int64(a.n) * int64(a.size))
	if err != nil {
		return a.fail(err)
	}
	a.mem.mu.Lock()
	defer a.mem.mu.Unlock()
	a.mem.parts = []part{{0, a.n, buf}}
	return nil
}

// Output gives the memory of an array for a kernel to fill: the host copy is
// no longer valid. It does not settle dependents; see Change.
func (a *Array) Output() (*devices.Buffer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.output()
}

func (a *Array) output() (*devices.Buffer, error) {
	if a.err != nil {
		return nil, a.err
	}
	a.live()
	if err := a.alloc(); err != nil {
		return nil, err
	}
	a.valid.clear()
	return a.buffer(), nil
}

// buffer is the memory of the only part.
func (a *Array) buffer() *devices.Buffer { return a.mem.parts[0].buf }

// live panics when the array was freed: a bug of the caller.
func (a *Array) live() {
	if a.mem.freed {
		panic("vector: used after Free")
	}
}

// Memory settles the array and gives its memory.
func (a *Array) Memory() (*devices.Buffer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return nil, err
	}
	return a.buffer(), nil
}

// settle puts the elements into memory. The caller holds a.mu.
func (a *Array) settle() error {
	a.live()
	if a.err != nil {
		return a.err
	}
	if a.lazy == nil {
		return a.alloc()
	}
	lazy := a.lazy
	a.lazy = nil
	if err := a.alloc(); err != nil {
		return err
	}
	// The expression reads other arrays and writes this one's memory, so it
	// may run under this lock: expressions have no cycles.
	if err := lazy.Settle(&Array{n: a.n, size: a.size, dist: a.dist, mem: a.mem}); err != nil {
		return a.fail(err)
	}
	return nil
}

// Take is a use of the array as an input. The first use of an expression
// gives the expression, so that it becomes part of the consumer; any other
// use settles the array and gives nil.
func (a *Array) Take() (Lazy, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	if a.err == nil && a.lazy != nil && !a.used {
		a.used = true
		return a.lazy, nil
	}
	return nil, a.settle()
}

// Change prepares the array for being changed in memory: it is settled,
// and so is every expression that reads it.
func (a *Array) Change() error {
	deps, err := a.takeDependents()
	settleAll(deps)
	return err
}

func settleAll(deps []weak.Pointer[Array]) {
	for _, d := range deps {
		if dep := d.Value(); dep != nil {
			dep.settleDependent()
		}
	}
}

// takeDependents settles the array, and gives the expressions that read it
// and forgets them.
func (a *Array) takeDependents() (deps []weak.Pointer[Array], err error) {
	a.mu.Lock()
	defer a.mu.Unlock() // settle may panic
	err = a.settle()
	deps, a.deps = a.deps, nil
	return deps, err
}

// settleDependent settles an expression that somebody may still hold; its
// error, if any, sticks to it and is shown there.
func (a *Array) settleDependent() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lazy != nil && !a.mem.freed {
		_ = a.settle()
	}
}

// dependent notes that dep is an expression over a.
func (a *Array) dependent(dep weak.Pointer[Array]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.deps) == cap(a.deps) { // before growing, forget those that are gone
		kept := a.deps[:0]
		for _, d := range a.deps {
			if v := d.Value(); v != nil {
				kept = append(kept, d)
			}
		}
		a.deps = kept
	}
	a.deps = append(a.deps, dep)
}

// read makes host bytes [lo, hi) valid, downloading only what is missing.
// Memory that the CPU can address is copied too: it goes back to the pool with
// the array, while the host copy lives as long as somebody holds it.
func (a *Array) read(lo, hi int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return err
	}
	native := a.buffer().Bytes()
	for _, gap := range a.valid.missing(lo, hi) {
		if native != nil {
			copy(a.host[gap.lo:gap.hi], native[gap.lo:gap.hi])
		} else if err := a.buffer().Read(gap.lo, a.host[gap.lo:gap.hi]); err != nil {
			return a.fail(err)
		}
		a.valid.add(gap.lo, gap.hi)
	}
	return nil
}

// write changes bytes [off, off+len(p)) on the device, and in the host copy
// where there is one.
func (a *Array) write(off int64, p []byte) error {
	if len(p) == 0 {
		return a.Err()
	}
	if err := a.Change(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.buffer().Write(off, p); err != nil {
		return a.fail(err)
	}
	if a.host != nil {
		copy(a.host[off:], p)
		a.valid.add(off, off+int64(len(p)))
	}
	return nil
}

// free gives the memory back at once. Expressions that read it are settled
// first; their errors stick to them.
func (a *Array) free() {
	settleAll(a.abandon())
	a.mem.free()
}

// abandon gives the expressions that read the array, which nobody needs now.
func (a *Array) abandon() (deps []weak.Pointer[Array]) {
	a.mu.Lock()
	defer a.mu.Unlock() // live may panic
	a.live()
	a.lazy = nil
	deps, a.deps = a.deps, nil
	return deps
}

func checkIndex(what string, i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("vector: %s: index %d out of range [0, %d)", what, i, n))
	}
}

// Distribution says where the elements are.
func (a *Array) Distribution() Distribution { return a.dist }
