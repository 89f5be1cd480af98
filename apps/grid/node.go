package grid

import (
	"sync"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Point is an argument of a function: its coordinates, one for each axis.
type Point interface {
	[1]float64 | [2]float64 | [3]float64 | [4]float64 | [5]float64 | [6]float64 | [7]float64 | [8]float64
}

// line is an axis as devices see it.
type line struct {
	Begin, Step float64
	Inverse     float64 // 1 / Count
	Count       int
	First       int // index of the first node of the block
	Table       int // where the axis begins in the table; -1 if its coordinates are computed
}

// block is a sequence of nodes as devices see it. Node i of the block is that many nodes after
// the node with the indices First, or one of its neighbours.
type block struct {
	Lines [MaxDim]line
	Dim   int // the number of axes
	Along int // the axis of the neighbour
	Delta int // -1 and 1 select the neighbour, if there is one; 0 selects the node itself
	Nodes int // for runs: the number of nodes of the block
	Run   int // for strided runs: the number of nodes of a run
	Table vector.View[float64]
}

// divide returns q / count and the remainder. The product with the inverse of count is at most 1 away
// from the quotient, because q is less than 2^52. It costs a fraction of a division of 64 bits, and
// compilers for CPUs do not turn it into both branches of a condition.
//
//skel:func
func divide(q, count int, inverse float64) (rest, index int) {
	rest = int(float64(q) * inverse)
	index = q - rest*count
	if index < 0 {
		rest, index = rest-1, index+count
	}
	if index >= count {
		rest, index = rest+1, index-count
	}
	return rest, index
}

// beside returns the index that is delta away, or the last one in that direction.
//
//skel:func
func beside(index, delta, count int) int { return min(max(index+delta, 0), count-1) }

// linear returns a coordinate. The product is rounded before it is added.
//
//skel:func
func linear(begin, step float64, index int) float64 { return begin + float64(step*float64(index)) }

// node returns the coordinates of node i of a block. It copies no parts of the block, which is large.
func node[P Point](i int, b block) P {
	var p P
	for k := len(p) - 1; k >= 0; k-- {
		rest, index := 0, i+b.Lines[k].First
		if k > 0 {
			rest, index = divide(index, b.Lines[k].Count, b.Lines[k].Inverse)
		}
		if k == b.Along {
			index = beside(index, b.Delta, b.Lines[k].Count)
		}
		if b.Lines[k].Table >= 0 {
			p[k] = b.Table.At(b.Lines[k].Table + index)
		} else {
			p[k] = linear(b.Lines[k].Begin, b.Lines[k].Step, index)
		}
		i = rest
	}
	return p
}

// The nodes of grids of 1 to 8 axes.
var (
	nodes1 = newNodes(node[[1]float64])
	nodes2 = newNodes(node[[2]float64])
	nodes3 = newNodes(node[[3]float64])
	nodes4 = newNodes(node[[4]float64])
	nodes5 = newNodes(node[[5]float64])
	nodes6 = newNodes(node[[6]float64])
	nodes7 = newNodes(node[[7]float64])
	nodes8 = newNodes(node[[8]float64])
)

// nodes is the Map from the numbers of nodes to points.
type nodes[P Point] struct {
	f    func(i int, b block) P
	once sync.Once
	all  *skel.MapWith[int, block, P]
}

func newNodes[P Point](f func(i int, b block) P) *nodes[P] {
	return &nodes[P]{f: f, all: skel.NewMapWith(f)}
}

// with returns the Map for a block. On the CPU, it has a loop that is faster than calls of node.
func (n *nodes[P]) with(b *block) *skel.Map[int, P] {
	n.once.Do(func() {
		form, err := registry.Of(n.f)
		if err != nil {
			return // skel reports it where a form is needed
		}
		faster := *form
		faster.Loops.Index = consecutive[P]
		n.all = skel.MapWithForm(n.f, &faster)
	})
	return n.all.With(*b)
}

// consecutive computes nodes lo, lo+1, ... of a block. It divides for the first one only, and computes
// only coordinates that change.
func consecutive[P Point](dst []P, lo int, b block) {
	var p P
	var at [MaxDim]int
	for k := len(p) - 1; k >= 0; k-- {
		lo += b.Lines[k].First
		at[k] = lo
		if k > 0 {
			lo, at[k] = divide(lo, b.Lines[k].Count, b.Lines[k].Inverse)
		}
		p[k] = coordinate(at[k], k, &b)
	}
	last := len(p) - 1
	for i := range dst {
		dst[i] = p
		k := last
		for at[k]++; k > 0 && at[k] == b.Lines[k].Count; at[k]++ {
			at[k] = 0
			p[k] = coordinate(0, k, &b)
			k--
		}
		if at[k] < b.Lines[k].Count { // else the block ends
			p[k] = coordinate(at[k], k, &b)
		}
	}
}

// coordinate returns a coordinate on axis k, or that of the neighbour.
func coordinate(index, k int, b *block) float64 {
	if k == b.Along {
		index = beside(index, b.Delta, b.Lines[k].Count)
	}
	if b.Lines[k].Table >= 0 {
		return b.Table.At(b.Lines[k].Table + index)
	}
	return linear(b.Lines[k].Begin, b.Lines[k].Step, index)
}

// nodesOf returns the nodes of grids whose points are of type P.
func nodesOf[P Point]() *nodes[P] {
	for _, m := range []any{nodes1, nodes2, nodes3, nodes4, nodes5, nodes6, nodes7, nodes8} {
		if m, ok := m.(*nodes[P]); ok {
			return m
		}
	}
	panic("grid: no such number of axes") // the constraint of P excludes it
}
