package vector

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/skelgo/skelgo/devices"
)

// Array is the body of a container without its element type: its memory, which
// bytes the host copy holds, and the expression that it still is; over several
// devices, its parts (parts.go). It is exported for package skel.
type Array struct {
	mu    sync.Mutex
	n     int // elements
	size  int // bytes of an element
	dist  Distribution
	mem   *memory // nil while the array is only an expression
	host  hostCopy
	err   error
	freed bool

	lazy Lazy // nil when the elements are in memory
	used bool // the expression was already made part of a consumer
	deps []weak.Pointer[Array]
	read atomic.Bool        // deps may hold some: to be looked at without mu
	leaf any                // what package skel makes of the array as an input
	loop *devices.Recording // in which it was made, until that has been replayed

	place   *Place // over several devices
	parts   []*Array
	apart   bool               // kernels have written the replicas, each its own
	apartIn *devices.Recording // in which they have; nil outside of loops
	moving  sync.Mutex         // guards others, and is taken before mu
	others  []*elsewhere       // the elements in other places
	version atomic.Uint64      // how often the memory was handed out for writing
}

// Lazy is an expression that can be put into memory.
type Lazy interface {
	// Settle computes all elements into dst.
	Settle(dst *devices.Buffer) error
}

// memory is the memory of an array. It is apart from it, so that it can be given
// back when the array is gone; and it holds its first buffer itself, because
// every object more is felt in small calls. For the same reason it has a
// finalizer and not a cleanup, which is two objects more.
type memory struct {
	mu    sync.Mutex
	parts []part

	one   [1]part
	first devices.Buffer
}

// part is the piece of an array that one device holds.
type part struct {
	off, n int // elements
	buf    *devices.Buffer
}

// memories are those that were freed, to be used again: they have their
// finalizers, and to make an object with one and to take it away again is the
// half of what a small reduction costs.
var memories sync.Pool

func newMemory() *memory {
	if m, ok := memories.Get().(*memory); ok {
		return m
	}
	m := new(memory)
	runtime.SetFinalizer(m, (*memory).free)
	return m
}

// free gives the parts back. Memory of which nothing is left may be freed again:
// the collector does so when it was not used again.
func (m *memory) free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.parts {
		p.buf.Free()
	}
	m.parts = nil
}

// release is free when the array is freed by hand.
func (m *memory) release() {
	m.free()
	if m.first.Spent() {
		memories.Put(m)
	}
}

// Len is the number of elements.
func (a *Array) Len() int { return a.n }

// ElemSize is the size of an element in bytes.
func (a *Array) ElemSize() int { return a.size }

// Device is where the array lives; of several devices, the first.
func (a *Array) Device() *devices.Device { return a.dist.Device() }

// Err is the first error on the way to this array.
func (a *Array) Err() error {
	a.mu.Lock()
	err := a.err
	a.mu.Unlock()
	if err == nil {
		err = a.eachPart((*Array).Err)
	}
	return err
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
	if a.mem != nil {
		return nil
	}
	if a.n > math.MaxInt64/a.size {
		return a.fail(fmt.Errorf("vector: %d elements of %d bytes are more than a device can address", a.n, a.size))
	}
	m := newMemory()
	if err := a.dist.device.AllocTo(&m.first, int64(a.n)*int64(a.size)); err != nil {
		return a.fail(err)
	}
	m.one[0] = part{0, a.n, &m.first}
	m.parts = m.one[:]
	a.mem = m
	return nil
}

// Output gives the memory of an array for a kernel to fill: the host copy is
// no longer valid. It does not settle dependents; see Change. Over several
// devices there is no one memory, and it gives none.
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
	if a.parts != nil {
		if err := a.together(); err != nil {
			return nil, err
		}
		return nil, a.eachPart(func(p *Array) error { _, err := p.Output(); return err })
	}
	if err := a.alloc(); err != nil {
		return nil, err
	}
	a.host.clear()
	a.version.Add(1)
	if r := devices.Current(); r != nil {
		r.Result(a)
		a.note()
	}
	return a.buffer(), nil
}

// note tells a recording that it uses the array, also where its memory was
// looked at before: what is made of it then is kept.
func (a *Array) note() { a.buffer().Bytes() }

// buffer is the memory of the only part.
func (a *Array) buffer() *devices.Buffer { return a.mem.parts[0].buf }

// live panics when the array was freed: a bug of the caller.
func (a *Array) live() {
	if a.freed {
		panic("vector: used after Free")
	}
}

// Memory settles the array and gives its memory; over several devices, nil.
func (a *Array) Memory() (*devices.Buffer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil || a.parts != nil {
		return nil, err
	}
	return a.buffer(), nil
}

// settle puts the elements into memory. The caller holds a.mu.
func (a *Array) settle() (err error) {
	a.live()
	if a.err != nil {
		return a.err
	}
	if a.parts != nil {
		return a.eachPart(func(p *Array) error { _, err := p.Memory(); return err })
	}
	if a.loop != nil {
		if err := a.recorded(); err != nil {
			return err
		}
	}
	if a.lazy == nil {
		if err = a.alloc(); err == nil && devices.Current() != nil {
			a.note()
		}
		return err
	}
	if r := devices.Current(); r != nil && r != a.loop {
		r.Pause(func() { err = a.compute() }) // it is what it was when it was made
		return err
	}
	return a.compute()
}

// compute settles an expression. It reads other arrays and writes this one's
// memory, so it may run under a.mu: expressions have no cycles.
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

// Take is a use of the array as an input. The first use of an expression
// gives the expression, so that it becomes part of the consumer; any other
// use settles the array and gives what SetLeaf kept, nil before.
func (a *Array) Take() (lazy Lazy, leaf any, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	if a.err == nil && a.lazy != nil && !a.used && devices.Current() == a.loop {
		a.used = true
		return a.lazy, nil, nil
	}
	if err := a.settle(); err != nil {
		return nil, nil, err
	}
	return nil, a.leaf, nil
}

// InMemory says whether the elements are in memory, and not an expression.
// For package skel.
func (a *Array) InMemory() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mem != nil
}

// SetLeaf keeps with the array what package skel makes of it as an input, so
// that it is made once.
func (a *Array) SetLeaf(leaf any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leaf = leaf
}

// Overwrite is Change and then Output.
func (a *Array) Overwrite() (*devices.Buffer, error) {
	if mem, done, err := a.overwrite(); done {
		return mem, err
	}
	if err := a.Change(); err != nil {
		return nil, err
	}
	return a.Output()
}

// overwrite is Overwrite where no expression reads the array.
func (a *Array) overwrite() (mem *devices.Buffer, done bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.deps) > 0 || a.parts != nil {
		return nil, false, nil
	}
	if err := a.settle(); err != nil {
		return nil, true, err
	}
	mem, err = a.output()
	return mem, true, err
}

// Change prepares the array for being changed in memory: it is settled,
// and so is every expression that reads it.
func (a *Array) Change() error {
	deps, err := a.takeDependents()
	settleAll(deps)
	if err == nil {
		err = a.eachPart((*Array).Change)
	}
	return err
}

// SettleReaders computes every pending expression that reads the array, which is
// about to change. A call that may have such an expression as an input settles
// it before it looks at its inputs. For package skel.
func (a *Array) SettleReaders() {
	if a.read.Load() {
		a.mu.Lock()
		deps := a.deps
		a.deps = nil
		a.read.Store(false)
		a.mu.Unlock()
		settleAll(deps)
	}
	a.mu.Lock()
	parts := a.parts
	a.mu.Unlock()
	for _, p := range parts {
		p.SettleReaders()
	}
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
	if a.lazy != nil && !a.freed {
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
	a.read.Store(true)
}

// write changes bytes [off, off+len(p)) on the device, and in the host copy
// where there is one.
func (a *Array) write(off int64, p []byte) error {
	if len(p) == 0 {
		return a.Err()
	}
	if r := devices.Current(); r != nil {
		return r.Refuse("vector: Set or Write")
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
		return atOnce(a.pieces(), func(q piece) error { return q.writePiece(off, p) })
	}
	a.version.Add(1)
	if err := a.buffer().Write(off, p); err != nil {
		return a.fail(err)
	}
	a.host.write(off, p)
	return nil
}

// writePiece writes what of bytes [off, off+len(p)) of the whole is in a piece.
func (q piece) writePiece(off int64, p []byte) error {
	first := int64(q.lo) * int64(q.size)
	lo, hi := max(off, first), min(off+int64(len(p)), int64(q.hi)*int64(q.size))
	if lo >= hi {
		return nil
	}
	return q.write(lo-first, p[lo-off:hi-off])
}

// free gives the memory back at once. Expressions that read it are settled
// first; their errors stick to them.
func (a *Array) free() {
	mem, deps := a.abandon()
	for ; len(deps) > 0; mem, deps = a.abandon() {
		settleAll(deps)
	}
	if mem != nil {
		mem.release()
	}
	for _, p := range a.parts {
		p.free()
	}
	for _, e := range a.others {
		e.array.free()
	}
	a.others = nil
}

// abandon gives the expressions that read the array, which nobody needs now.
// Where there are none the array is freed, and it gives the memory.
func (a *Array) abandon() (mem *memory, deps []weak.Pointer[Array]) {
	a.mu.Lock()
	defer a.mu.Unlock() // live may panic
	a.live()
	a.lazy = nil
	if deps, a.deps = a.deps, nil; len(deps) > 0 {
		return nil, deps
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

// Distribution says where the elements are.
func (a *Array) Distribution() Distribution { return a.dist }
