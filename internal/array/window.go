package array

import "fmt"

// Window is what vector.Window is defined by: an element, and those up to a radius
// before and after it.
type Window[T any] struct {
	frame *frame[T]
	at    int // the element in frame.data
}

// frame is what neighboring windows have in common. A window is two words because
// the compiler keeps structs of up to four in registers.
type frame[T any] struct {
	data   []T // the elements of all windows
	radius int
	width  int // 2 * radius
}

// WindowOf returns the window of element at of data.
func WindowOf[T any](data []T, at, radius int) Window[T] {
	return Window[T]{&frame[T]{data, radius, 2 * radius}, at}
}

// At returns the element at distance d.
func (w Window[T]) At(d int) T {
	// If d is a constant 0 the compiler removes the check.
	if d != 0 && uint(d+w.frame.radius) > uint(w.frame.width) {
		panic(&Beyond{d, w.frame.radius})
	}
	return w.frame.data[w.at+d]
}

// Radius returns the radius of the stencil.
func (w Window[T]) Radius() int { return w.frame.radius }

// Moved returns the window of the element n elements further on.
func (w Window[T]) Moved(n int) Window[T] {
	w.at += n
	return w
}

// GridWindow is what matrix.Window is defined by: an element, and those around it.
type GridWindow[T any] struct {
	frame *gridFrame[T]
	at    int // the element in frame.data
}

// gridFrame is what neighboring windows have in common; see frame.
type gridFrame[T any] struct {
	data          []T // the elements of all windows, row by row
	pitch         int // from row to row
	rows, cols    int // the radii
	height, width int // 2*rows, 2*cols
}

// GridWindowOf returns the window of element at of data, whose rows begin pitch
// elements from each other.
func GridWindowOf[T any](data []T, at, pitch, rows, cols int) GridWindow[T] {
	return GridWindow[T]{&gridFrame[T]{data, pitch, rows, cols, 2 * rows, 2 * cols}, at}
}

// At returns the element dr rows below and dc columns to the right.
func (w GridWindow[T]) At(dr, dc int) T {
	// The compiler removes the check of a constant 0.
	if dr != 0 && uint(dr+w.frame.rows) > uint(w.frame.height) || dc != 0 && uint(dc+w.frame.cols) > uint(w.frame.width) {
		panic(&beyondGrid[T]{w.frame, dr, dc})
	}
	return w.frame.data[w.at+dr*w.frame.pitch+dc]
}

// RowRadius returns how many rows up and down the window reaches.
func (w GridWindow[T]) RowRadius() int { return w.frame.rows }

// ColRadius returns how many columns to the left and right the window reaches.
func (w GridWindow[T]) ColRadius() int { return w.frame.cols }

// Moved returns the window of the element n elements further on in its row.
func (w GridWindow[T]) Moved(n int) GridWindow[T] {
	w.at += n
	return w
}

// Beyond is the value with which At of a window panics for a distance beyond its
// radius.
type Beyond struct{ Distance, Radius int }

func (e *Beyond) Error() string {
	return fmt.Sprintf("window index %d beyond the radius %d", e.Distance, e.Radius)
}

// beyondGrid is the value with which At of a GridWindow panics. Which of the two
// distances is wrong is found out later, to keep At small.
type beyondGrid[T any] struct {
	frame  *gridFrame[T]
	dr, dc int
}

func (e *beyondGrid[T]) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Beyond for the wrong distance.
func (e *beyondGrid[T]) Unwrap() error {
	if max(e.dr, -e.dr) > e.frame.rows {
		return &Beyond{e.dr, e.frame.rows}
	}
	return &Beyond{e.dc, e.frame.cols}
}
