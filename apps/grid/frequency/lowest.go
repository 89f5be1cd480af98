package frequency

import (
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// lowest is what is known of some consecutive nodes.
type lowest struct {
	Value            float64
	Position         int // of the first node with the value; -1 if no value is finite
	NaNs, Infinities int
	Determinant      float64 // the least one of nodes whose value is finite
}

// none is what is known of no nodes.
var none = lowest{Value: math.Inf(1), Position: -1, Determinant: math.Inf(1)}

// lower combines what is known of nodes and of later ones. A tie keeps the earlier node.
func lower(a, b lowest) lowest {
	if b.Position >= 0 && (a.Position < 0 || b.Value < a.Value) {
		a.Value, a.Position = b.Value, b.Position
	}
	a.NaNs += b.NaNs
	a.Infinities += b.Infinities
	a.Determinant = min(a.Determinant, b.Determinant)
	return a
}

// add adds a later node.
func (l *lowest) add(position int, value, determinant float64) {
	switch {
	case value != value:
		l.NaNs++
	case value-value != 0:
		l.Infinities++
	default:
		if l.Position < 0 || value < l.Value {
			l.Value, l.Position = value, position
		}
		l.Determinant = min(l.Determinant, determinant)
	}
}

// run is the number of nodes that share a read of the series.
const run = 32

// group is the number of nodes of a run that are computed at once, so that no instruction waits
// for the one before.
const group = 4

// nodes is the nodes of some blocks, whose series are known.
type nodes[T number] struct {
	Series   vector.View[series]
	Normal   normal[T]
	Block    int // the number of nodes in a block
	Runs     int // the number of runs in a block
	Base     int // the position of the first node
	Count    int // the position after the last node
	Distance T   // δ between nodes
}

// lowestOfRun returns what is known of a run of nodes.
func lowestOfRun[T number](at int, n nodes[T]) lowest {
	block := at / n.Runs
	first := (at - block*n.Runs) * run
	base := n.Base + block*n.Block
	p := polynomialOf[T](n.Series.At(block))
	l := lowest{Value: math.Inf(1), Position: -1, Determinant: math.Inf(1)}
	last := min(first+run, n.Block, n.Count-base)
	for i := first; i < last; i += group {
		var delta [group]T
		for e := range group {
			delta[e] = (T(i+e) - T(n.Block-1)/2) * n.Distance
		}
		var z [sums][group]T
		for s := range sums {
			var sum [group]T
			for e := range group {
				sum[e] = p.C[s][order-1]
			}
			for k := range order - 1 {
				for e := range group {
					sum[e] = math32.FMA(sum[e], delta[e], p.C[s][order-2-k])
				}
			}
			z[s] = sum
		}
		var value, determinant [group]T
		for e := range group {
			value[e], determinant[e] = functional([sums]T{
				z[gC][e], z[gS][e], z[aC][e], z[aS][e], z[bC][e], z[bS][e], z[dC][e],
			}, n.Normal)
		}
		for e := range min(group, last-i) {
			l.add(base+i+e, float64(value[e]), float64(determinant[e]))
		}
	}
	return l
}

// direct is nodes that are computed one by one.
type direct[T number] struct {
	Wave       wave
	Normal     normal[T]
	From, Step float64
	Turn       float64
	Base       int
}

// at returns the value of node i, and the determinant.
func (d direct[T]) at(i int) (value, determinant T) {
	exact := sumsAt(math.FMA(d.Step, float64(d.Base+i), d.From)*d.Turn, d.Wave)
	var z [sums]T
	for k := range sums {
		z[k] = T(exact[k])
	}
	return functional(z, d.Normal)
}

// lowestOfNode returns what is known of node i.
func lowestOfNode[T number](i int, d direct[T]) lowest {
	value, determinant := d.at(i)
	l := lowest{Value: math.Inf(1), Position: -1, Determinant: math.Inf(1)}
	l.add(d.Base+i, float64(value), float64(determinant))
	return l
}

// valueOfNode returns the value of node i.
func valueOfNode(i int, d direct[float64]) float64 {
	value, _ := d.at(i)
	return value
}

var (
	expanded = skel.NewMapWith(expand)
	values   = skel.NewMapWith(valueOfNode)
	best     = skel.NewReduce(lower, none)
)

// skeletons are the skeletons that depend on the type in which the functional is evaluated.
type skeletons[T number] struct {
	runs  *skel.MapWith[int, nodes[T], lowest]
	nodes *skel.MapWith[int, direct[T], lowest]
}

var (
	float32s = skeletons[float32]{skel.NewMapWith(lowestOfRun[float32]), skel.NewMapWith(lowestOfNode[float32])}
	float64s = skeletons[float64]{skel.NewMapWith(lowestOfRun[float64]), skel.NewMapWith(lowestOfNode[float64])}
)
