package tour

import (
	"github.com/skelgo/skelgo/skel"
)

// show order

type city struct {
	ID         int32
	X, Y       float32
	Population int
}

type point struct{ X, Y float32 }

func squaredDistance(c city, from point) float32 {
	dx, dy := c.X-from.X, c.Y-from.Y
	return dx*dx + dy*dy
}

var (
	byPopulation = skel.NewSortBy(func(c city) int { return c.Population }).Descending()
	nearestTo    = skel.NewSortByWith(squaredDistance)
)

// end
