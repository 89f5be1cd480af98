package matrix

import "github.com/skelgo/skelgo/vector"

// Window is what the user function of a stencil over a matrix receives: the
// element that is being computed, and those around it up to the stencil's
// radii. Only user functions may use it, and only while they run.
type Window[T any] struct {
	frame *frame[T]
	at    int // the element in frame.data
}

// frame is what neighbouring windows have in common; see vector.Window.
type frame[T any] struct {
	data          []T // all elements of the windows, row by row
	pitch         int // from row to row
	rows, cols    int // the radii
	height, width int // 2*rows, 2*cols
}

// At is the element dr rows below and dc columns to the right of the one that
// is being computed; both may be negative. A distance beyond the radius is a
// mistake, which checked mode and the CPU report.
func (w Window[T]) At(dr, dc int) T {
	// Where one is a constant 0 nothing is left of its check.
	if dr != 0 && uint(dr+w.frame.rows) > uint(w.frame.height) || dc != 0 && uint(dc+w.frame.cols) > uint(w.frame.width) {
		panic(&beyond[T]{w, dr, dc})
	}
	return w.frame.data[w.at+dr*w.frame.pitch+dc]
}

// RowRadius is how many rows up and down the window reaches.
func (w Window[T]) RowRadius() int { return w.frame.rows }

// ColRadius is how many columns to the left and right the window reaches.
func (w Window[T]) ColRadius() int { return w.frame.cols }

// WindowOf makes the window of element at of data, whose rows begin pitch
// elements from each other. For package skel.
func WindowOf[T any](data []T, at, pitch, rows, cols int) Window[T] {
	return Window[T]{&frame[T]{data, pitch, rows, cols, 2 * rows, 2 * cols}, at}
}

// Moved is the window of the element n elements on in its row. For generated
// code.
func (w Window[T]) Moved(n int) Window[T] {
	w.at += n
	return w
}

// beyond is the panic of At for a distance beyond a radius.
type beyond[T any] struct {
	w      Window[T]
	dr, dc int
}

func (e *beyond[T]) Error() string { return e.Unwrap().Error() }

// Unwrap is what a vector's window would have panicked with.
func (e *beyond[T]) Unwrap() error {
	f := e.w.frame
	if max(e.dr, -e.dr) > f.rows {
		return &vector.Beyond{Distance: e.dr, Radius: f.rows}
	}
	return &vector.Beyond{Distance: e.dc, Radius: f.cols}
}
