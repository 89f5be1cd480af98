package dot

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func mul(x, y float32) float32 { return x * y }
func add(x, y float32) float32 { return x + y }

var times, sum = skel.NewZip(mul), skel.NewReduce(add, 0)

// Product returns the dot product of two vectors of equal length. It computes it in
// one pass over both.
func Product(x, y *vector.Vector[float32]) (float32, error) {
	return sum.Apply(times.Apply(x, y)).Value()
}
