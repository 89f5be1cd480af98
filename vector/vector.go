package vector

import (
	"fmt"
	"math"
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
func From[T any](s []T, where ...Distribution) *Vector[T] { return FromRows(s, len(s), 1, where) }

// FromRows is From for rows of unit elements, which stay whole. For package
// matrix.
func FromRows[T any](s []T, rows, unit int, where []Distribution) *Vector[T] {
	checkElement[T]()
	if r := devices.Current(); r != nil {
		return Failed[T](len(s), r.Refuse("vector: From"))
	}
	v := makeRows[T](rows, unit, On(where, int64(len(s))*int64(driver.SizeOf[T]())))
	if len(s) == 0 {
		_, _ = v.arr.Output() // its error, if any, sticks to it
		return v
	}
	if v.arr.err == nil {
		_ = atOnce(v.arr.pieces(), func(p piece) error { return p.fill(driver.Bytes(s[p.lo:p.hi])) })
	}
	return v
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

// New makes a vector of n elements, all zero.
func New[T any](n int, where ...Distribution) *Vector[T] {
	if n < 0 {
		panic(fmt.Sprintf("vector: New: length %d is negative", n))
	}
	return NewRows[T](n, 1, where)
}

// NewRows is New for rows of unit elements, which stay whole. For package
// matrix.
func NewRows[T any](rows, unit int, where []Distribution) *Vector[T] {
	checkElement[T]()
	v := makeRows[T](rows, unit, On(where, bytesOf[T](rows, unit)))
	for _, p := range v.arr.pieces() {
		if b, err := p.Output(); err == nil {
			if err := b.Clear(0, b.Len()); err != nil {
				_ = p.Fail(err)
			}
		}
	}
	return v
}

// bytesOf is the size of so many rows, or as much as there can be.
func bytesOf[T any](rows, unit int) int64 {
	if size := driver.SizeOf[T](); unit == 0 || rows <= math.MaxInt64/size/unit {
		return int64(rows) * int64(unit) * int64(size)
	}
	return math.MaxInt64
}

// make_ makes a vector without memory.
func make_[T any](n int, d Distribution) *Vector[T] { return makeRows[T](n, 1, d) }

func makeRows[T any](rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	v := new(Vector[T])
	newArray(&v.arr, rows, unit, driver.SizeOf[T](), d)
	return v
}

// NewAt makes a vector over several devices without memory. For package skel.
func NewAt[T any](p *Place) *Vector[T] {
	v := Joined[T](p, nil)
	v.arr.spreadOut()
	return v
}

// Joined makes one vector of parts on several devices. For package skel.
func Joined[T any](p *Place, parts []*Array) *Vector[T] {
	return &Vector[T]{Array{n: p.N, size: driver.SizeOf[T](), dist: p.Dist, place: p, parts: parts, loop: devices.Current()}}
}

// Gathered is the elements of all parts, one after the other, on a device. For
// package skel.
func Gathered[T any](d *devices.Device, parts []*Vector[T]) *Vector[T] {
	rows := []int{0}
	for k, p := range parts {
		if err := p.arr.ready(); err != nil {
			return Failed[T](0, err)
		}
		rows = append(rows, rows[k]+p.arr.n)
	}
	v := make_[T](rows[len(parts)], Single(d))
	to, err := v.arr.Output()
	for k, p := range parts {
		var from *devices.Buffer
		if err == nil {
			from, err = p.arr.Memory()
		}
		if err == nil {
			size := int64(v.arr.size)
			err = to.Copy(int64(rows[k])*size, from, 0, int64(p.arr.n)*size)
		}
	}
	_ = v.arr.Fail(err)
	return v
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
func (v *Vector[T]) Slice() []T { return Elements[T](&v.arr) }

// Elements is the memory of an array of T when the CPU can address it, else
// nil. For package skel; the array must have been settled.
func Elements[T any](a *Array) []T {
	if a.mem == nil {
		return nil
	}
	return elements[T](a.buffer(), a.n)
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

// Device is where the vector lives; of several devices, the first.
func (v *Vector[T]) Device() *devices.Device { return v.arr.Device() }

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
	defer runtime.KeepAlive(src)
	if err := src.arr.ready(); err != nil || v == src {
		return err
	}
	return v.arr.Assign(&src.arr)
}

// Clone is a copy on the same devices.
func (v *Vector[T]) Clone() *Vector[T] {
	unit := 1
	if p := v.arr.place; p != nil {
		unit = p.Unit
	}
	return v.copyTo(v.arr.dist, unit)
}

func (v *Vector[T]) copyTo(d Distribution, unit int) *Vector[T] {
	defer runtime.KeepAlive(v)
	if err := v.arr.ready(); err != nil {
		return Failed[T](v.arr.n, err)
	}
	rows := v.arr.n
	if unit > 0 {
		rows /= unit
	}
	c := makeRows[T](rows, unit, d)
	if c.arr.err == nil {
		_ = c.arr.Fail(c.arr.take(&v.arr))
	}
	return c
}

// To is a copy with another distribution; v itself when it has that one. Only
// what a device does not hold goes there, from device to device where there is
// a way. The zero Distribution is the program's choice.
func (v *Vector[T]) To(d Distribution) *Vector[T] { return v.ToRows(d, 1) }

// ToRows is To for rows of unit elements, which stay whole. For package matrix.
func (v *Vector[T]) ToRows(d Distribution, unit int) *Vector[T] {
	d = On([]Distribution{d}, int64(v.arr.n)*int64(v.arr.size))
	if p := v.arr.place; d.Equal(v.arr.dist) && (p == nil || p.Copies() || p.Unit == unit) && d.err == nil {
		return v
	}
	return v.copyTo(d, unit)
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
	for _, p := range v.arr.pieces() {
		if err := p.Device().Sync(); err != nil {
			return v.arr.Fail(err)
		}
	}
	return v.Err()
}

// Free gives the memory back at once; the vector must not be used again.
// Vectors that are not freed are collected with the garbage, later: a device whose
// memory fills up asks for that.
func (v *Vector[T]) Free() { v.arr.free() }

// String describes the vector without computing or downloading it.
func (v *Vector[T]) String() string {
	var z T
	if err := v.arr.Err(); err != nil {
		return fmt.Sprintf("vector of %d %T, failed: %v", v.arr.n, z, err)
	}
	return fmt.Sprintf("vector of %d %T on %v", v.arr.n, z, v.arr.dist)
}
