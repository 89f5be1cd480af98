package plain

import (
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// axis describes both axes of the grid.
type axis struct {
	Begin, Step float64
	Count       int
}

// schwefel returns the value of Schwefel's function at a node.
func schwefel(node int, a axis) float64 {
	value := 2 * 418.9829
	for range 2 {
		x := a.Begin + float64(a.Step*float64(node%a.Count))
		value -= float64(x * math64.Sin(math.Sqrt(math.Abs(x))))
		node /= a.Count
	}
	return value
}

var (
	values  = skel.NewMapWith(schwefel)
	indexed = skel.NewZip(skel.WithIndex[float64])
	least   = skel.NewReduce(skel.ArgMin[float64], skel.Indexed[float64]{Value: math.Inf(1), Index: -1})
)

// Schwefel returns the least value on a grid of two axes of count nodes each, and its position.
func Schwefel(begin, step float64, count int, where vector.Distribution) (value float64, position int, err error) {
	nodes := vector.Indices(count*count, where)
	best, err := least.Apply(indexed.Apply(values.With(axis{begin, step, count}).Apply(nodes), nodes)).Value()
	return best.Value, best.Index, err
}
