package array

import (
	"reflect"
	"unsafe"
)

// View is the content of the view types of packages vector and matrix, after a field
// that marks their kind.
type View[T any] struct {
	Head
	Data []T // nil if the CPU cannot address the memory
	Base int // the element of the array with which Data begins

	// Log, if not nil, receives the elements that a user function sets. Set appends to it
	// because that, unlike a call, still allows Set to be inlined; the time of the test is
	// not measurable.
	Log *[]int
}

// Head is the part of a View that does not depend on its element type. Every view
// begins with it, so that package skel finds the array behind a view inside any
// struct of extra arguments.
type Head struct {
	Array      *Array
	Rows, Cols int // of a matrix; a vector has Rows elements
}

// ViewOf settles an array and returns a view of it.
func ViewOf[T any](a *Array, rows, cols int) View[T] {
	v := View[T]{Head: Head{Array: a, Rows: rows, Cols: cols}}
	if _, err := a.Memory(); err == nil {
		if v.Data = Elements[T](a); v.Data != nil && a.count != nil {
			v.Data = v.Data[:rows]
		}
	}
	return v
}

// Aim makes the view that begins with h a view of array a, which holds the elements
// from index base on.
func (h *Head) Aim(a *Array, base int) {
	v := (*View[byte])(unsafe.Pointer(h)) // all views have the same layout
	v.Array, v.Data, v.Base = a, nil, base
	if s := Elements[byte](a); s != nil {
		n := a.Len()
		v.Data = s[:n:n] // the length counts elements, whatever their size
	}
}

// LogTo makes the view that begins with h append the elements that are set to log.
func (h *Head) LogTo(log *[]int) {
	v := (*View[byte])(unsafe.Pointer(h)) // all views have the same layout
	v.Log = log
}

// ViewKind tells kinds of views apart.
type ViewKind int

// The kinds of views.
const (
	NoView ViewKind = iota
	ReadVector
	WriteVector
	ReadMatrix
	WriteMatrix
)

// The first field of every view type has one of these types, which take no memory.
type (
	// ReadsVector marks a vector.View.
	ReadsVector struct{}
	// WritesVector marks a vector.OutView.
	WritesVector struct{}
	// ReadsMatrix marks a matrix.View.
	ReadsMatrix struct{}
	// WritesMatrix marks a matrix.OutView.
	WritesMatrix struct{}
)

var viewKinds = map[reflect.Type]ViewKind{
	reflect.TypeFor[ReadsVector]():  ReadVector,
	reflect.TypeFor[WritesVector](): WriteVector,
	reflect.TypeFor[ReadsMatrix]():  ReadMatrix,
	reflect.TypeFor[WritesMatrix](): WriteMatrix,
}

// KindOf returns which kind of view a type is.
func KindOf(t reflect.Type) ViewKind {
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return NoView
	}
	return viewKinds[t.Field(0).Type]
}
