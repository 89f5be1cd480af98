package vector

import (
	"fmt"
	"runtime"
	"weak"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// Vector is a sequence of elements on a device. T is a number, a bool, or an
// array or struct of these; other types panic when a Vector of them is made.
type Vector[T any] struct {
	arr Array
}

// From copies s to the default device, or to where the optional distribution
// says. s is not used afterwards.
func From[T any](s []T, where ...Distribution) *Vector[T] {
	if r := devices.Current(); r != nil {
		return Failed[T](len(s), r.Refuse("vector: From"))
	}
	v := make_[T](len(s), On(where))
	if v.arr.err == nil && v.arr.alloc() == nil && len(s) > 0 {
		if err := v.arr.buffer().Write(0, driver.Bytes(s)); err != nil {
			v.arr.fail(err)
		}
	}
	return v
}

// New makes a vector of n elements, all zero.
func New[T any](n int, where ...Distribution) *Vector[T] {
	if n < 0 {
		panic(fmt.Sprintf("vector: New: length %d is negative", n))
	}
	v := make_[T](n, On(where))
	if b, err := v.arr.output(); err == nil {
		if err := b.Clear(0, b.Len()); err != nil {
			v.arr.fail(err)
		}
	}
	return v
}

// make_ makes a vector without memory.
func make_[T any](n int, d Distribution) *Vector[T] {
	checkElement[T]()
	return &Vector[T]{Array{n: n, size: driver.SizeOf[T](), dist: d, err: d.err, loop: devices.Current()}}
}

// Failed is a vector of n elements that could not be computed: it is on no
// device, and err is its error and that of all that is made of it.
func Failed[T any](n int, err error) *Vector[T] {
	return make_[T](n, Distribution{err: err})
}

// Deferred makes a vector that is the expression lazy over the arrays in
// inputs, and is computed when it is needed. For package skel.
func Deferred[T any](n int, d Distribution, lazy Lazy, inputs []*Array) *Vector[T] {
	v := make_[T](n, d)
	if v.arr.err == nil {
		v.arr.lazy = lazy
		if r := v.arr.loop; r != nil {
			r.Result(&v.arr)
		}
		w := weak.Make(&v.arr)
		for _, in := range inputs {
			in.dependent(w)
		}
	}
	return v
}

// Uninitialised makes a vector whose elements a kernel is about to write.
// For package skel.
func Uninitialised[T any](n int, d Distribution) *Vector[T] { return make_[T](n, d) }

// Body is the vector without its element type. For package skel.
func (v *Vector[T]) Body() *Array { return &v.arr }

// Slice is the memory of the vector when the CPU can address it, else nil.
// For package skel; the vector must have been settled.
func (v *Vector[T]) Slice() []T {
	if v.arr.mem == nil {
		return nil
	}
	return elements[T](v.arr.buffer(), v.arr.n)
}

func elements[T any](b *devices.Buffer, n int) []T {
	if b == nil {
		return nil
	}
	p := b.Bytes()
	if p == nil {
		return nil
	}
	return driver.Slice[T](p[:n*driver.SizeOf[T]()])
}

// Len is the number of elements.
func (v *Vector[T]) Len() int { return v.arr.n }

// Device is where the vector lives.
func (v *Vector[T]) Device() *devices.Device { return v.arr.dist.device }

// Err is the first error on the way to the vector. It does not compute it:
// see Wait.
func (v *Vector[T]) Err() error { return v.arr.Err() }

// Set changes element i.
func (v *Vector[T]) Set(i int, x T) error {
	checkIndex("Set", i, v.arr.n)
	return v.Write(i, []T{x})
}

// Write changes the len(s) elements from off on; s is not used afterwards. It
// panics when the range does not fit.
func (v *Vector[T]) Write(off int, s []T) error {
	if off < 0 || off > v.arr.n-len(s) {
		panic(fmt.Sprintf("vector: Write: [%d:%d] out of range [0:%d]", off, off+len(s), v.arr.n))
	}
	return v.arr.write(int64(off)*int64(v.arr.size), driver.Bytes(s))
}

// CopyFrom changes all elements to those of src, which has the same length.
func (v *Vector[T]) CopyFrom(src *Vector[T]) error {
	if v.arr.n != src.arr.n {
		panic(fmt.Sprintf("vector: CopyFrom: lengths differ: %d and %d", v.arr.n, src.arr.n))
	}
	if v == src {
		return v.Wait()
	}
	defer runtime.KeepAlive(src)
	from, err := src.arr.Memory()
	if err != nil {
		return err
	}
	if r := devices.Current(); r != nil && from.Device() != v.arr.Device() { // before anything is changed
		return r.Refuse("vector: CopyFrom between devices")
	}
	if err := v.arr.Change(); err != nil {
		return err
	}
	to, err := v.arr.Output()
	if err != nil {
		return err
	}
	return v.arr.Fail(to.Copy(0, from, 0, int64(v.arr.n)*int64(v.arr.size)))
}

// Clone is a copy on the same device.
func (v *Vector[T]) Clone() *Vector[T] { return v.copyTo(v.arr.dist) }

func (v *Vector[T]) copyTo(d Distribution) *Vector[T] {
	defer runtime.KeepAlive(v)
	src, err := v.arr.Memory()
	if err != nil {
		return Failed[T](v.arr.n, err)
	}
	c := make_[T](v.arr.n, d)
	if to, err := c.arr.output(); err == nil && v.arr.n > 0 {
		if err := to.Copy(0, src, 0, int64(v.arr.n)*int64(v.arr.size)); err != nil {
			c.arr.fail(err)
		}
	}
	return c
}

// To is a copy with another distribution; v itself when it has that one. The
// elements go from device to device where there is a way.
func (v *Vector[T]) To(d Distribution) *Vector[T] {
	if d.device != nil && d == v.arr.dist {
		return v
	}
	return v.copyTo(On([]Distribution{d}))
}

// Distribution says where the elements are.
func (v *Vector[T]) Distribution() Distribution { return v.arr.dist }

// Wait computes the vector if it is still an expression, waits until the
// device is done, and gives the first error on the way.
func (v *Vector[T]) Wait() error {
	if r := devices.Current(); r != nil {
		return r.Refuse("vector: Wait")
	}
	if _, err := v.arr.Memory(); err != nil {
		return err
	}
	return v.arr.Fail(v.arr.Device().Sync())
}

// Free gives the memory back at once; the vector must not be used again.
// Vectors that are not freed are collected with the garbage, later.
func (v *Vector[T]) Free() { v.arr.free() }

// String describes the vector without computing or downloading it.
func (v *Vector[T]) String() string {
	var z T
	if err := v.arr.Err(); err != nil {
		return fmt.Sprintf("vector of %d %T, failed: %v", v.arr.n, z, err)
	}
	return fmt.Sprintf("vector of %d %T on %v", v.arr.n, z, v.arr.Device())
}
