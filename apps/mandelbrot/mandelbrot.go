package mandelbrot

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Window is the part of the plane that an image shows.
type Window struct {
	Left, Top float32 // the point of the first pixel
	Step      float32 // from one pixel to the next
	Limit     int32   // steps after which a point counts as inside
}

// escape returns the number of steps after which z = z*z + c leaves the circle of
// radius 2.
func escape(p matrix.Index, w Window) int32 {
	cr, ci := w.Left+float32(p.Col)*w.Step, w.Top-float32(p.Row)*w.Step
	var x, y float32
	n := int32(0)
	for n < w.Limit && x*x+y*y <= 4 {
		x, y = x*x-y*y+cr, 2*x*y+ci
		n++
	}
	return n
}

var escapes = skel.NewMapWith(escape)

// Image returns the number of steps for each pixel of a window. It computes them on the
// default device, or on those of the distribution if there is one.
func Image(rows, cols int, w Window, where ...vector.Distribution) *matrix.Matrix[int32] {
	return escapes.With(w).ApplyMatrix(matrix.Indices(rows, cols, where...))
}
