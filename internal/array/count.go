package array

import (
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
)

// DeviceLen is the number of elements of an array, where a kernel computes it: the array is
// the result of a selection. Arrays that are computed from it element by element share
// its Count. See docs/adr/0023.
type DeviceLen struct {
	vector Vector[int] // one element, on the device of the array
	varies bool        // each run of a recorded loop computes it again

	arrays atomic.Int32 // how many arrays have the count and were not freed
	shared atomic.Bool  // the program has the count, too
}

// NewDeviceLen returns a count on d without memory, which a kernel is about to write.
func NewDeviceLen(d *devices.Device) *DeviceLen {
	c := &DeviceLen{varies: Recording() != nil}
	newArray(&c.vector.arr, 1, 1, intSize, Single(d))
	return c
}

const intSize = 8 // bytes of an int in memory; package devices requires 64 bits

// Share returns the count as a vector of one element for the program.
func (c *DeviceLen) Share() *Vector[int] {
	c.shared.Store(true)
	return &c.vector
}

// release frees the memory of the count if nothing else has it. Allocating it anew in each
// call would take longer than a small selection, so it does not wait for the garbage
// collector.
func (c *DeviceLen) release() {
	if c.arrays.Add(-1) == 0 && !c.shared.Load() {
		c.Body().Free()
	}
}

// Body returns the array of the count.
func (c *DeviceLen) Body() *Array { return &c.vector.arr }

// known reports whether the host can read the count without waiting.
func (c *DeviceLen) known() bool {
	a := c.Body()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err != nil || Readable[int](a) != nil || len(a.host.valid.spans) > 0
}

// Varies reports whether the count differs from run to run of the loop that is being
// recorded, or of another loop that may run between its runs.
func (c *DeviceLen) Varies() bool { return c.varies && Recording() != nil }

// Value waits for the count, which is at most n. If that fails, Value returns n.
func (c *DeviceLen) Value(n int) (count int, err error) {
	read := func() { count, err = c.vector.At(0) }
	switch r := Recording(); {
	case r == nil:
		read()
	case c.varies:
		err = r.Refuse("vector: Len of a result of Filter, Partition, Unique or Compact")
	default: // the count is from before the loop
		r.Pause(read)
	}
	if err != nil {
		return n, err
	}
	return min(max(count, 0), n), nil
}

// SetCount makes c the number of elements of the array. From then on the length with
// which the array was created is its capacity. The caller has just created the array.
func (a *Array) SetCount(c *DeviceLen) {
	a.count = c
	c.arrays.Add(1)
}

// Count returns the count of an array on one device; nil if the length is simply Cap.
func (a *Array) Count() *DeviceLen { return a.count }

// Cap returns the number of elements for which the array has memory. It is the length,
// unless a kernel computes that.
func (a *Array) Cap() int { return a.n }

// Len returns the number of elements. If a kernel computes it, Len waits for the kernel;
// if that fails, Len returns Cap.
func (a *Array) Len() int {
	n, _ := a.Length()
	return n
}

// Length is Len with the error.
func (a *Array) Length() (int, error) {
	switch {
	case a.count != nil:
		return a.count.Value(a.n)
	case !a.countedParts:
		return a.n, nil
	}
	sum := 0
	for _, p := range a.parts {
		n, err := p.Length()
		if err != nil {
			return a.n, err
		}
		sum += n
	}
	return sum, nil
}

// LengthOnDevice reports whether kernels must read the length of the array from its
// count, or from those of its parts: the host would have to wait for it, or it differs
// from run to run of the loop that is being recorded.
func (a *Array) LengthOnDevice() bool {
	if a.countedParts {
		for _, p := range a.parts {
			if p.LengthOnDevice() {
				return true
			}
		}
	}
	switch {
	case a.count == nil:
		return false
	case a.count.varies:
		return Recording() != nil
	case Recording() != nil:
		return false
	}
	return !a.count.known()
}

// countErr returns the error of the count.
func (a *Array) countErr() error {
	if a.count == nil {
		return nil
	}
	return a.count.Body().Err()
}

// Place returns where the elements are, or nil if the array is on one device. If kernels
// compute the lengths of the parts, it waits for them.
func (a *Array) Place() *Place {
	if !a.countedParts {
		return a.place
	}
	rows := make([]int, len(a.parts)+1)
	for k, p := range a.parts {
		rows[k+1] = rows[k] + p.Len()
	}
	return a.place.Cut(rows, 1)
}

// CapPlace is Place with the capacities of the parts. It does not wait.
func (a *Array) CapPlace() *Place { return a.place }

// Constant returns the length of the array as a vector of one element on its device. In
// a recording, the vector is written before the loop.
func Constant(a *Array) (v *Vector[int]) {
	n, err := a.Length()
	if err != nil {
		return Failed[int](1, err)
	}
	d := a.dist.Device()
	if d == nil {
		return Failed[int](1, a.Err())
	}
	write := func() { v = From([]int{n}, 1, 1, Single(d)) }
	if r := Recording(); r != nil {
		r.Pause(write)
	} else {
		write()
	}
	return v
}
