package matrix

import "github.com/skelgo/skelgo/internal/array"

// Window is what the user function of a stencil over a matrix receives: the element
// that is being computed, and those around it up to the radii of the stencil. It is
// valid only while the function runs.
type Window[T any] array.GridWindow[T]

// At returns the element dr rows below and dc columns to the right of the one that
// is being computed; both may be negative. A distance beyond the radius is a
// mistake, which the CPU and checked mode report.
func (w Window[T]) At(dr, dc int) T {
	// The compiler removes the check of a constant 0.
	if dr != 0 && uint(dr+w.Frame.Rows) > uint(w.Frame.Height) ||
		dc != 0 && uint(dc+w.Frame.Cols) > uint(w.Frame.Width) {
		panic(&array.GridBeyond[T]{Window: array.GridWindow[T](w), DR: dr, DC: dc})
	}
	return w.Frame.Data[w.Index+dr*w.Frame.Pitch+dc]
}

// RowRadius returns how many rows up and down the window reaches.
func (w Window[T]) RowRadius() int { return w.Frame.Rows }

// ColRadius returns how many columns to the left and right the window reaches.
func (w Window[T]) ColRadius() int { return w.Frame.Cols }

// Moved returns the window of the element n elements further on in its row.
// Generated code calls it.
func (w Window[T]) Moved(n int) Window[T] {
	w.Index += n
	return w
}
