package array

import "fmt"

// Window is the underlying type of vector.Window: an element, and the elements up to a
// radius before and after it. The methods of vector.Window use the fields directly,
// because calls of methods of Window would raise their inlining cost.
type Window[T any] struct {
	Frame *Frame[T]
	Index int // of the element in Frame.Data
}

// Frame is what neighboring windows have in common. A window is two words because
// the compiler keeps structs of up to four in registers.
type Frame[T any] struct {
	Data     []T // the elements of all windows
	Radius   int
	Diameter int // 2 * Radius
}

// WindowOf returns the window of element i of data.
func WindowOf[T any](data []T, i, radius int) Window[T] {
	return Window[T]{&Frame[T]{data, radius, 2 * radius}, i}
}

// GridWindow is the underlying type of matrix.Window: an element, and the elements
// around it.
type GridWindow[T any] struct {
	Frame *GridFrame[T]
	Index int // of the element in Frame.Data
}

// GridFrame is what neighboring windows have in common; see Frame.
type GridFrame[T any] struct {
	Data          []T // the elements of all windows, row by row
	Pitch         int // from row to row
	Rows, Cols    int // the radii
	Height, Width int // 2 * Rows, 2 * Cols
}

// GridWindowOf returns the window of element i of data, whose rows begin pitch
// elements from each other.
func GridWindowOf[T any](data []T, i, pitch, rows, cols int) GridWindow[T] {
	return GridWindow[T]{&GridFrame[T]{data, pitch, rows, cols, 2 * rows, 2 * cols}, i}
}

// Beyond is the value with which At of a window panics for a distance beyond its
// radius.
type Beyond struct{ Distance, Radius int }

func (e *Beyond) Error() string {
	return fmt.Sprintf("window index %d beyond the radius %d", e.Distance, e.Radius)
}

// GridBeyond is the value with which At of a window of a matrix panics. To keep At
// small, only Unwrap determines which of the two distances is wrong.
type GridBeyond[T any] struct {
	Window GridWindow[T]
	DR, DC int
}

func (e *GridBeyond[T]) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Beyond for the wrong distance.
func (e *GridBeyond[T]) Unwrap() error {
	f := e.Window.Frame
	if max(e.DR, -e.DR) > f.Rows {
		return &Beyond{e.DR, f.Rows}
	}
	return &Beyond{e.DC, f.Cols}
}
