package vector

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
)

// Vector is a sequence of elements on a device, or spread over several. T is a
// number, a bool, or an array or struct of these; From, New and Uninitialized
// panic if it is anything else. The zero Vector must not be used.
type Vector[T any] array.Vector[T]

func (v *Vector[T]) inner() *array.Vector[T] { return (*array.Vector[T])(v) }

// From copies s to the default device, or to where the optional distribution says.
// The vector does not refer to s afterwards.
func From[T any](s []T, where ...Distribution) *Vector[T] {
	return (*Vector[T])(array.From(s, len(s), 1, chosen(where)))
}

// New returns a vector of n zeros. It panics if n is negative.
func New[T any](n int, where ...Distribution) *Vector[T] {
	checkLength("New", n)
	return (*Vector[T])(array.New[T](n, 1, chosen(where)))
}

// Uninitialized returns a vector of n elements for a skeleton to write. Until they
// are written, the elements are unspecified. It saves the pass over the memory in which
// New sets the elements to zero. It panics if n is negative.
func Uninitialized[T any](n int, where ...Distribution) *Vector[T] {
	checkLength("Uninitialized", n)
	return (*Vector[T])(array.UninitializedOr[T](n, 1, chosen(where)))
}

func checkLength(what string, n int) {
	if n < 0 {
		panic(fmt.Sprintf("vector: %s: length %d is negative", what, n))
	}
}

// Len returns the number of elements. The length of a result of skel's Filter, Unique or
// Compact is computed on the device, and Len waits for it. If the computation has failed,
// Len returns Cap. In a function that [skel.Record] records, the Len of such a result
// makes Record fail.
//
// [skel.Record]: https://pkg.go.dev/github.com/skelgo/skelgo/skel#Record
func (v *Vector[T]) Len() int { return v.inner().Body().Len() }

// Cap returns the number of elements for which the vector has memory: Len, or an upper
// bound if the length is computed on the device. It does not wait.
func (v *Vector[T]) Cap() int { return v.inner().Body().Cap() }

// Count returns the length as a scalar on the device of the vector, for user functions
// that read it through a View. It does not wait. The scalar belongs to the vector and
// must neither be set nor freed. A result that is spread over several devices has a count
// on each of them; Count waits for their sum.
func (v *Vector[T]) Count() *Scalar[int] {
	body := v.inner().Body()
	if c := body.Count(); c != nil {
		return (*Scalar[int])(c.Share())
	}
	return (*Scalar[int])(array.Constant(body))
}

// Distribution returns where the elements are.
func (v *Vector[T]) Distribution() Distribution {
	return Distribution(v.inner().Body().Distribution())
}

// Device returns the device that holds the vector; over several devices, the first.
func (v *Vector[T]) Device() *devices.Device { return v.inner().Body().Device() }

// Host returns all elements in host memory, after downloading those that are not
// there yet. The slice belongs to the vector: it must not be changed, and it is
// valid until the vector changes.
func (v *Vector[T]) Host() ([]T, error) { return v.inner().HostRange("Host", 0, v.Len()) }

// HostRange returns elements lo to hi-1 as Host does, and downloads no others. It
// panics if the range is not within the vector.
func (v *Vector[T]) HostRange(lo, hi int) ([]T, error) {
	return v.inner().HostRange("HostRange", lo, hi)
}

// At returns element i and downloads only that. Each call may wait for the device,
// so use HostRange for many elements. It panics if i is out of range.
func (v *Vector[T]) At(i int) (T, error) { return v.inner().At(i) }

// Set sets element i to x. It panics if i is out of range.
func (v *Vector[T]) Set(i int, x T) error { return v.inner().Set(i, x) }

// Write copies s to the elements from off on. The vector does not refer to s
// afterwards. Write panics if the elements are not within the vector.
func (v *Vector[T]) Write(off int, s []T) error { return v.inner().Write(off, s) }

// Read copies the elements from off on to dst. Unlike HostRange it keeps no copy on the host. Read
// panics if the elements are not within the vector.
func (v *Vector[T]) Read(off int, dst []T) error { return v.inner().Read(off, dst) }

// CopyFrom copies src into v. It panics if their lengths differ.
func (v *Vector[T]) CopyFrom(src *Vector[T]) error { return v.inner().CopyFrom(src.inner()) }

// Clone returns a copy on the same devices.
func (v *Vector[T]) Clone() *Vector[T] { return (*Vector[T])(v.inner().Clone()) }

// To returns a copy with another distribution, or v itself if it has that one. A
// device receives only what it does not hold yet, directly from another device
// where the hardware can do that. The zero Distribution is the one that New would
// choose.
func (v *Vector[T]) To(d Distribution) *Vector[T] {
	return (*Vector[T])(v.inner().To(array.Distribution(d), 1))
}

// View returns a view of the vector for user functions. It computes the vector if
// it is pending.
func (v *Vector[T]) View() View[T] { return View[T]{v: array.ViewOf[T](v.inner().Body(), v.Len(), 0)} }

// OutView returns a view through which user functions change the vector. It
// computes the vector if it is pending.
func (v *Vector[T]) OutView() OutView[T] {
	return OutView[T]{v: array.ViewOf[T](v.inner().Body(), v.Len(), 0)}
}

// Err returns the first error of the vector and of what it was computed from. It
// does not compute the vector; see Wait.
func (v *Vector[T]) Err() error { return v.inner().Body().Err() }

// Wait computes the vector if it is pending, waits until its devices are done, and
// returns the first error.
func (v *Vector[T]) Wait() error { return v.inner().Wait() }

// Free releases the memory at once. Later uses of the vector, such as a second Free,
// panic. If a vector is not freed, the garbage collector releases its memory; a device
// requests a collection when its memory fills up.
func (v *Vector[T]) Free() { v.inner().Body().Free() }

// String describes the vector without computing or downloading it.
func (v *Vector[T]) String() string { return v.inner().String() }
