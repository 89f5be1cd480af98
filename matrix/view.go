package matrix

import "github.com/skelgo/skelgo/vector"

// View lets a user function read any element of a matrix. It is made by
// [Matrix.View] and handed to a skeleton as an extra argument, alone or in a
// struct.
type View[T any] struct {
	Head vector.Head
	data []T
	base int // the element with which data begins
}

// OutView lets a user function read and write any element of a matrix.
// Elements that one call writes must not be read or written by another call
// of the same skeleton.
type OutView[T any] struct {
	Head vector.Head
	data []T
	base int // the element with which data begins
}

// View settles the matrix and gives a view of it for user functions.
func (m *Matrix[T]) View() View[T] {
	h := vector.Head{Array: m.v.Body(), Rows: m.rows, Cols: m.cols}
	if _, err := h.Array.Memory(); err != nil {
		return View[T]{Head: h}
	}
	return View[T]{Head: h, data: m.v.Slice()}
}

// OutView settles the matrix and gives a view through which user functions
// change it.
func (m *Matrix[T]) OutView() OutView[T] { return OutView[T](m.View()) }

// Rows is the number of rows.
func (v View[T]) Rows() int { return v.Head.Rows }

// Cols is the number of columns.
func (v View[T]) Cols() int { return v.Head.Cols }

// At is the element in row i, column j. Cutting out the row checks both
// indices, and is cheap enough for At, and what calls it, to be inlined.
func (v View[T]) At(i, j int) T {
	return v.data[i*v.Head.Cols-v.base:][:v.Head.Cols][j]
}

// Rows is the number of rows.
func (v OutView[T]) Rows() int { return v.Head.Rows }

// Cols is the number of columns.
func (v OutView[T]) Cols() int { return v.Head.Cols }

// At is the element in row i, column j.
func (v OutView[T]) At(i, j int) T {
	return v.data[i*v.Head.Cols-v.base:][:v.Head.Cols][j]
}

// Set changes the element in row i, column j.
func (v OutView[T]) Set(i, j int, x T) {
	v.data[i*v.Head.Cols-v.base:][:v.Head.Cols][j] = x
}

// Aim makes the view one of an array that holds the elements from base on. For
// package skel.
func (v *View[T]) Aim(a *vector.Array, base int) {
	v.Head.Array, v.data, v.base = a, vector.Elements[T](a), base
}

// Aim makes the view one of an array that holds the elements from base on. For
// package skel.
func (v *OutView[T]) Aim(a *vector.Array, base int) { (*View[T])(v).Aim(a, base) }

// ViewKind says what kind of view this is. For package skel.
func (View[T]) ViewKind() vector.ViewKind { return vector.ReadMatrix }

// ViewKind says what kind of view this is. For package skel.
func (OutView[T]) ViewKind() vector.ViewKind { return vector.WriteMatrix }
