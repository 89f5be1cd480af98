package vector

import "reflect"

// Head is what every kind of view begins with, so that package skel can find
// the array behind a view inside any struct of extra arguments.
type Head struct {
	Array      *Array
	Rows, Cols int // of a matrix; a vector's length is Rows
}

// View lets a user function read any element of a vector. It is made by
// [Vector.View] and handed to a skeleton as an extra argument, alone or in a
// struct. It costs nothing to make, keeps the vector from being collected,
// shows what the vector holds when the skeleton runs, and is no longer of use
// when the vector is freed. Only user functions may call At: host code reads
// with [Vector.At] or [Vector.Host].
type View[T any] struct {
	Head Head
	data []T
	base int // the element with which data begins
}

// OutView lets a user function read and write any element of a vector.
// Elements that one call writes must not be read or written by another call
// of the same skeleton.
type OutView[T any] struct {
	Head Head
	data []T
	base int // the element with which data begins
}

// View settles the vector and gives a view of it for user functions.
func (v *Vector[T]) View() View[T] {
	h := Head{Array: &v.arr, Rows: v.arr.n}
	if _, err := v.arr.Memory(); err != nil {
		return View[T]{Head: h}
	}
	return View[T]{Head: h, data: v.Slice()}
}

// OutView settles the vector and gives a view through which user functions
// change it.
func (v *Vector[T]) OutView() OutView[T] {
	w := v.View()
	return OutView[T](w)
}

// Len is the number of elements.
func (v View[T]) Len() int { return v.Head.Rows }

// At is element i.
func (v View[T]) At(i int) T { return v.data[i-v.base] }

// Len is the number of elements.
func (v OutView[T]) Len() int { return v.Head.Rows }

// At is element i.
func (v OutView[T]) At(i int) T { return v.data[i-v.base] }

// Set changes element i.
func (v OutView[T]) Set(i int, x T) { v.data[i-v.base] = x }

// Aim makes the view one of an array that holds the elements from base on. For
// package skel.
func (v *View[T]) Aim(a *Array, base int) {
	v.Head.Array, v.data, v.base = a, Elements[T](a), base
}

// Aim makes the view one of an array that holds the elements from base on. For
// package skel.
func (v *OutView[T]) Aim(a *Array, base int) { (*View[T])(v).Aim(a, base) }

// ViewKind tells views of several kinds apart.
type ViewKind int

// The kinds of view.
const (
	NoView ViewKind = iota
	ReadVector
	WriteVector
	ReadMatrix
	WriteMatrix
)

// Viewer is implemented by every view type. For package skel.
type Viewer interface{ ViewKind() ViewKind }

// Aimer is implemented by pointers to every view type. For package skel.
type Aimer interface{ Aim(a *Array, base int) }

// ViewKind says what kind of view this is. For package skel.
func (View[T]) ViewKind() ViewKind { return ReadVector }

// ViewKind says what kind of view this is. For package skel.
func (OutView[T]) ViewKind() ViewKind { return WriteVector }

// KindOf says what kind of view a type is. For package skel.
func KindOf(t reflect.Type) ViewKind {
	if t.Kind() == reflect.Struct && t.Implements(reflect.TypeFor[Viewer]()) {
		if v, ok := reflect.Zero(t).Interface().(Viewer); ok {
			return v.ViewKind()
		}
	}
	return NoView
}
