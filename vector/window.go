package vector

import "fmt"

// Window is what the user function of a stencil over a vector receives: the
// element that is being computed, and those up to the stencil's radius before
// and behind it. Only user functions may use it, and only while they run.
type Window[T any] struct {
	frame *frame[T]
	at    int // the element in frame.data
}

// frame is what neighbouring windows have in common. A window is two words
// because Go's compiler keeps structs of up to four in registers.
type frame[T any] struct {
	data   []T // all elements of the windows
	radius int
	width  int // 2 * radius
}

// At is the element at distance d, which is from -radius to radius: negative
// before the element that is being computed, 0 itself. A distance beyond the
// radius is a mistake, which checked mode and the CPU report.
func (w Window[T]) At(d int) T {
	// Where d is a constant 0 nothing is left of the check.
	if d != 0 && uint(d+w.frame.radius) > uint(w.frame.width) {
		panic(&Beyond{d, w.frame.radius})
	}
	return w.frame.data[w.at+d]
}

// Radius is the stencil's radius.
func (w Window[T]) Radius() int { return w.frame.radius }

// WindowOf makes the window of element at of data. For package skel.
func WindowOf[T any](data []T, at, radius int) Window[T] {
	return Window[T]{&frame[T]{data, radius, 2 * radius}, at}
}

// Moved is the window of the element n elements on. For generated code.
func (w Window[T]) Moved(n int) Window[T] {
	w.at += n
	return w
}

// Beyond is the panic of a window's At for a distance beyond its radius.
type Beyond struct{ Distance, Radius int }

func (e *Beyond) Error() string {
	return fmt.Sprintf("window index %d beyond the radius %d", e.Distance, e.Radius)
}
