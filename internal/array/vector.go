package array

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"weak"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// Vector is an Array with an element type, and the underlying type of vector.Vector
// and vector.Scalar.
type Vector[T any] struct {
	arr Array
}

// Body returns the vector without its element type.
func (v *Vector[T]) Body() *Array { return &v.arr }

// Slice is Elements of the vector.
func (v *Vector[T]) Slice() []T { return Elements[T](&v.arr) }

// Elements returns the memory of an array of T if the CPU can address it, and nil
// otherwise: all for which the array has memory. The array must have been settled.
func Elements[T any](a *Array) []T {
	if a.mem == nil {
		return nil
	}
	p := a.buffer().Bytes()
	if p == nil {
		return nil
	}
	return driver.Slice[T](p[:a.n*driver.SizeOf[T]()])
}

// Readable is Elements if the host may read the memory itself, which only some ranks of a program
// may if it runs on several; nil otherwise.
func Readable[T any](a *Array) []T {
	if a.dist.device.Joint() {
		return nil
	}
	return Elements[T](a)
}

// From returns a vector with a copy of s, which consists of rows of unit elements
// that stay whole.
func From[T any](s []T, rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	if err := Refused("vector: From"); err != nil {
		return Failed[T](len(s), err)
	}
	v := Uninitialized[T](rows, unit, d.Or(int64(len(s))*int64(driver.SizeOf[T]())))
	if len(s) == 0 {
		_, _ = v.arr.Output() // v keeps the error, if any
		return v
	}
	if v.arr.err == nil {
		_ = forEach(v.arr.pieces(), func(p piece) error { return p.fill(driver.Bytes(s[p.lo:p.hi])) })
	}
	return v
}

// New returns a vector of zeros: rows of unit elements that stay whole.
func New[T any](rows, unit int, d Distribution) *Vector[T] {
	v := UninitializedOr[T](rows, unit, d)
	for _, p := range v.arr.pieces() {
		if b, err := p.Output(); err == nil {
			if err := b.Clear(0, b.Len()); err != nil {
				_ = p.Fail(err)
			}
		}
	}
	return v
}

// bytesOf returns the size of the rows in bytes, or the largest int64 if that is less.
func bytesOf[T any](rows, unit int) int64 {
	if size := driver.SizeOf[T](); unit == 0 || rows <= math.MaxInt64/size/unit {
		return int64(rows) * int64(unit) * int64(size)
	}
	return math.MaxInt64
}

// Uninitialized returns a vector without memory, whose elements a kernel is about
// to write: rows of unit elements that stay whole.
func Uninitialized[T any](rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	v := new(Vector[T])
	newArray(&v.arr, rows, unit, driver.SizeOf[T](), d)
	return v
}

// UninitializedOr is Uninitialized with the default distribution if d is the zero
// Distribution.
func UninitializedOr[T any](rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	return Uninitialized[T](rows, unit, d.Or(bytesOf[T](rows, unit)))
}

// UninitializedAt returns a vector over several devices without memory.
func UninitializedAt[T any](p *Place) *Vector[T] {
	v := Joined[T](p, nil)
	v.arr.makeParts()
	return v
}

// Joined returns the vector whose parts are the given arrays.
func Joined[T any](p *Place, parts []*Array) *Vector[T] {
	counted := slices.ContainsFunc(parts, func(a *Array) bool { return a.count != nil })
	return &Vector[T]{Array{
		n: p.N, size: driver.SizeOf[T](), dist: p.Dist,
		expression: expression{loop: Recording()}, spread: spread{place: p, parts: parts, countedParts: counted},
	}}
}

// Gathered returns a vector on d with the elements of all parts, one part after the
// other.
func Gathered[T any](d *devices.Device, parts []*Array) *Vector[T] {
	n := 0
	for _, p := range parts {
		if err := p.ready(); err != nil {
			return Failed[T](0, err)
		}
		n += p.Len()
	}
	v := Uninitialized[T](n, 1, Single(d))
	to, err := v.arr.Output()
	copies, off := make([]devices.Copy, len(parts)), int64(0)
	for i, p := range parts {
		bytes := int64(p.Len()) * int64(v.arr.size)
		copies[i] = devices.Copy{Dst: to, Off: off, N: bytes}
		if err == nil {
			copies[i].Src, err = p.Memory()
		}
		off += bytes
	}
	if err == nil {
		err = devices.CopyAll(copies)
	}
	_ = v.arr.Fail(err)
	return v
}

// Failed returns a vector of n elements that could not be computed: it is on no
// device, and err is its error and that of all results that depend on it.
func Failed[T any](n int, err error) *Vector[T] {
	return Uninitialized[T](n, 1, Distribution{err: err})
}

// Deferred returns a vector that is the pending expression lazy, which reads the
// arrays in inputs.
func Deferred[T any](n int, d Distribution, lazy Lazy, inputs []*Array) *Vector[T] {
	v := Uninitialized[T](n, 1, d)
	if v.arr.err == nil {
		v.arr.lazy = lazy
		if r := v.arr.loop; r != nil {
			r.Result(&v.arr)
		}
		w := weak.Make(&v.arr)
		for _, in := range inputs {
			in.addReader(w)
		}
	}
	return v
}

// HostRange returns elements lo to hi-1 in the host copy. what is the name of the
// calling method.
func (v *Vector[T]) HostRange(what string, lo, hi int) ([]T, error) {
	n, err := v.arr.Length()
	if err != nil {
		return nil, err
	}
	if lo < 0 || hi < lo || hi > n {
		panic(fmt.Sprintf("vector: %s: [%d:%d] out of range [0:%d]", what, lo, hi, n))
	}
	if err := Refused("vector: " + what); err != nil {
		return nil, err
	}
	return hostOf[T](&v.arr, lo, hi)
}

// At returns element i and downloads only that.
func (v *Vector[T]) At(i int) (x T, err error) {
	n, err := v.arr.Length()
	if err != nil {
		return x, err
	}
	checkIndex("At", i, n)
	if err := Refused("vector: At"); err != nil {
		return x, err
	}
	a, k, err := v.arr.holder(i)
	if err != nil {
		return x, err
	}
	x, known, err := cellOf[T](a, k)
	if known || err != nil {
		return x, err
	}
	s, err := hostOf[T](&v.arr, i, i+1)
	if err == nil {
		x = s[0]
	}
	return x, err
}

// Later begins to read element 0 as it is now, and returns a function that waits
// for it.
func (v *Vector[T]) Later() (func() (T, error), error) {
	if err := Refused("vector: Later"); err != nil {
		return nil, err
	}
	a, _, err := v.arr.holder(0)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return nil, err
	}
	p := make([]T, 1)
	if native := a.buffer().Readable(); native != nil {
		copy(driver.Bytes(p), native)
		return func() (T, error) { return p[0], nil }, nil
	}
	wait, err := a.buffer().Fetch(0, driver.Bytes(p))
	if err != nil {
		return nil, a.fail(err)
	}
	return func() (T, error) {
		if err := wait(); err != nil {
			return p[0], v.arr.Fail(err)
		}
		return p[0], nil
	}, nil
}

// Set sets element i to x.
func (v *Vector[T]) Set(i int, x T) error {
	n, err := v.arr.Length()
	if err != nil {
		return err
	}
	checkIndex("Set", i, n)
	return v.Write(i, []T{x})
}

// Write copies s to the elements from off on.
func (v *Vector[T]) Write(off int, s []T) error {
	n, err := v.arr.Length()
	if err != nil {
		return err
	}
	if off < 0 || off > n-len(s) {
		panic(fmt.Sprintf("vector: Write: [%d:%d] out of range [0:%d]", off, off+len(s), n))
	}
	return v.arr.Write(int64(off)*int64(v.arr.size), driver.Bytes(s))
}

// CopyFrom copies src, which must have the same length, into v.
func (v *Vector[T]) CopyFrom(src *Vector[T]) error {
	defer runtime.KeepAlive(src)
	n, err := v.arr.Length()
	if err != nil {
		return err
	}
	m, err := src.arr.Length()
	if err != nil {
		return err
	}
	if n != m {
		panic(fmt.Sprintf("vector: CopyFrom: lengths differ: %d and %d", n, m))
	}
	if err := src.arr.ready(); err != nil || v == src {
		return err
	}
	return v.arr.Assign(&src.arr)
}

// Clone returns a copy on the same devices.
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
	rows := v.arr.Len()
	if unit > 0 {
		rows /= unit
	}
	c := Uninitialized[T](rows, unit, d)
	if c.arr.err == nil {
		_ = c.arr.Fail(c.arr.copyFrom(&v.arr))
	}
	return c
}

// To returns a copy with another distribution, in which rows of unit elements stay
// whole; v itself if it has that distribution.
func (v *Vector[T]) To(d Distribution, unit int) *Vector[T] {
	d = d.Or(int64(v.arr.Len()) * int64(v.arr.size))
	if p := v.arr.place; d.Equal(v.arr.dist) && (p == nil || p.Copies() || p.Unit == unit) && d.err == nil {
		return v
	}
	return v.copyTo(d, unit)
}

// Wait settles the vector, waits for the devices and returns the first error.
func (v *Vector[T]) Wait() error {
	if err := Refused("vector: Wait"); err != nil {
		return err
	}
	if _, err := v.arr.Memory(); err != nil {
		return err
	}
	var first error
	for _, d := range v.arr.dist.Devices() {
		if err := d.Sync(); first == nil {
			first = err
		}
	}
	if first != nil {
		return v.arr.Fail(first)
	}
	return v.arr.Err()
}

// String describes the vector without settling it.
func (v *Vector[T]) String() string {
	var z T
	most := ""
	if v.arr.count != nil || v.arr.countedParts {
		most = "at most "
	}
	if err := v.arr.Err(); err != nil {
		return fmt.Sprintf("vector of %s%d %T, failed: %v", most, v.arr.n, z, err)
	}
	return fmt.Sprintf("vector of %s%d %T on %v", most, v.arr.n, z, v.arr.dist)
}
