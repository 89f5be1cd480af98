package vector

import "github.com/skelgo/skelgo/internal/array"

// Window is what the user function of a stencil over a vector receives: the
// element that is being computed, and those up to the radius of the stencil before
// and after it. It is valid only while the function runs.
type Window[T any] array.Window[T]

// At returns the element at distance d, from -radius to radius: negative before the
// element that is being computed, 0 for that element itself. A distance beyond the
// radius is a mistake, which the CPU and checked mode report.
func (w Window[T]) At(d int) T {
	// If d is a constant 0 the compiler removes the check.
	if d != 0 && uint(d+w.Frame.Radius) > uint(w.Frame.Diameter) {
		panic(&array.Beyond{Distance: d, Radius: w.Frame.Radius})
	}
	return w.Frame.Data[w.Index+d]
}

// Radius returns the radius of the stencil.
func (w Window[T]) Radius() int { return w.Frame.Radius }

// Moved returns the window of the element n elements further on. Generated code
// calls it.
func (w Window[T]) Moved(n int) Window[T] {
	w.Index += n
	return w
}
