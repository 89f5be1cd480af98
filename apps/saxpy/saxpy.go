package saxpy

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func scaleAndAdd(x, y, a float32) float32 { return a*x + y }

var axpy = skel.NewZipWith(scaleAndAdd)

// Update replaces y by a*x + y.
func Update(a float32, x, y *vector.Vector[float32]) error {
	return axpy.With(a).ApplyTo(y, x, y)
}
