package grid

import (
	"slices"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// A node is a local minimum if its value is less than those of its neighbours on every axis. Of two
// neighbours with equal values, the one at the lower position counts as less, and values that are not
// finite count as greater. Nothing is stored: a kernel evaluates a node and its two neighbours on an
// axis. The nodes that remain are then compared with their neighbours on the next axis.

// MaxMinima is the largest number of local minima that are listed.
const MaxMinima = 100_000

// localBlock is the number of nodes of a block. There is memory for all of them to remain.
const localBlock = 1 << 22

// sides are the values of the neighbours of a node on an axis.
type sides struct{ Before, After float64 }

func sidesOf(before, after float64) sides { return sides{before, after} }

// valley is a node and its neighbours on an axis.
type valley struct {
	Value float64
	Sides sides
}

func valleyOf(value float64, s sides) valley { return valley{value, s} }

// survivor is a node, and whether it can be a local minimum.
type survivor struct {
	Node int
	Low  bool
}

// survives compares node i of a block with its neighbours on the axis Along.
func survives(v valley, i int, b block) survivor {
	q, index := i, 0
	for k := b.Dim - 1; k >= b.Along; k-- {
		q, index = divide(q+b.Lines[k].First, b.Lines[k].Count,
			b.Lines[k].Inverse)
	}
	before, after := v.Sides.Before, v.Sides.After
	low := v.Value-v.Value == 0
	low = low && (index == 0 || before-before != 0 || before > v.Value)
	low = low && (index == b.Lines[b.Along].Count-1 || after-after != 0 || after >= v.Value)
	return survivor{i, low}
}

func isLow(s survivor) bool { return s.Low }

func nodeOf(s survivor) int { return s.Node }

var (
	twoSides  = skel.NewZip(sidesOf)
	valleys   = skel.NewZip(valleyOf)
	survivors = skel.NewZipWith(survives)
	low       = skel.NewFilter(isLow)
	nodeOnly  = skel.NewMap(nodeOf)
)

// minima returns the local minima with the least values, and the number of all.
func (s *search) minima() ([]Node, int, error) {
	type local struct {
		nodes  []int
		values []float64
	}
	p := &s.state.Local
	err := each(s, p, "local minima", localBlock, func(at, n int) func() (local, error) {
		b := s.from(at)
		nodes := s.onAxis(s.indices(n), b, len(s.axes)-1)
		for k := len(s.axes) - 2; k >= 0; k-- {
			next := s.onAxis(nodes, b, k)
			nodes.Free()
			nodes = next
		}
		return func() (l local, err error) {
			defer nodes.Free()
			if l.nodes, err = nodes.Host(); err != nil || len(l.nodes) == 0 {
				return l, err
			}
			values := s.evaluate(b, nodes)
			defer values.Free()
			l.values, err = values.Host()
			return l, err
		}
	}, func(at, _ int, l local) error {
		p.Found.All += len(l.nodes)
		for i, v := range l.values {
			p.Found.Least = append(p.Found.Least, spot{at + l.nodes[i], exact{v}})
		}
		if len(p.Found.Least) > 2*MaxMinima {
			p.Found.Least = leastMinima(p.Found.Least)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	p.Found.Least = leastMinima(p.Found.Least)
	return s.axes.nodes(p.Found.Least), p.Found.All, nil
}

// leastMinima returns the nodes with the least values in order, as many as are listed.
func leastMinima(nodes []spot) []spot {
	slices.SortFunc(nodes, compareSpots)
	return nodes[:min(len(nodes), MaxMinima)]
}

// onAxis returns those of some nodes of a block that are less than their neighbours on axis k.
func (s *search) onAxis(nodes vector.Source[int], b *block, k int) *vector.Vector[int] {
	here, before, after := *b, *b, *b
	here.Along, before.Along, after.Along = k, k, k
	before.Delta, after.Delta = -1, 1
	left, right, middle := s.evaluate(&before, nodes), s.evaluate(&after, nodes), s.evaluate(&here, nodes)
	around := twoSides.Apply(left, right)
	v := valleys.Apply(middle, around)
	all := survivors.With(here).Apply(v, nodes)
	kept := low.Apply(all)
	defer func() { // of pending vectors first those that read others, or freeing these would compute them
		all.Free()
		v.Free()
		around.Free()
		middle.Free()
		right.Free()
		left.Free()
		kept.Free()
	}()
	next := nodeOnly.Apply(kept)
	_ = next.Wait() // the vector keeps an error
	return next
}
