package grid

import "math"

// Refined is the best node of the finer grids.
type Refined struct {
	Argument []float64 `json:"argument"`
	Value    float64   `json:"value"`
	Nodes    int       `json:"nodes"` // of all finer grids
	Step     []float64 `json:"step"`  // of the finest grid around this node
}

// A finer grid has at most finerNodes nodes, and at most finerCount on an axis. It has an odd number
// on each axis, so that the node around which it lies is one of them.
const (
	finerNodes = 1 << 22
	finerCount = 21
)

// finer returns the number of nodes on an axis of a finer grid with so many axes.
func finer(dim int) int {
	for n := finerCount; ; n -= 2 {
		all := 1
		for range dim {
			all *= n
		}
		if all <= finerNodes {
			return n
		}
	}
}

// place is a point on an axis between its neighbours, which are the point itself at an end.
type place struct{ left, at, right float64 }

// placeOf returns coordinate i of an axis with its neighbours.
func placeOf(a Axis, i int) place {
	return place{a.At(max(i-1, 0)), a.At(i), a.At(min(i+1, a.Count-1))}
}

// finer returns an axis of count nodes from the left to the right neighbour. An odd count keeps the point,
// but for rounding, if the neighbours are equally far.
func (p place) finer(count int) Axis {
	b := Axis{Begin: p.left, Step: (p.right - p.left) / float64(count-1), Count: count}
	if p.left == p.right || b.check() != nil { // the nodes are as close as float64 permits
		return Axis{Begin: p.at, Step: 1, Count: 1}
	}
	return b
}

// closer returns the same point with neighbours at the distance of a step, unless they are closer.
func (p place) closer(step float64) place {
	if math.Abs(step) < math.Abs(p.at-p.left) {
		p.left = p.at - step
	}
	if math.Abs(step) < math.Abs(p.right-p.at) {
		p.right = p.at + step
	}
	return p
}

// refine searches finer and finer grids around each of some nodes, from its left to its right
// neighbours. The next grid lies around the best node of the last one, or around the same point if that has
// none better: rounding may have moved the node that was in the middle. The value never becomes worse.
func (s *search) refine(nodes []Node) (*Refined, error) {
	r := &Refined{}
	count := finer(len(s.axes))
	for i, n := range nodes {
		around, step := make([]place, len(s.axes)), make([]float64, len(s.axes))
		for k, i := range s.axes.Indices(n.Position) {
			a := s.axes[k]
			around[k], step[k] = placeOf(a, i), a.At(min(1, a.Count-1))-a.Begin
		}
		for range s.options.Refine {
			axes := make(Axes, len(s.axes))
			for k, p := range around {
				axes[k] = p.finer(count)
			}
			if axes.Nodes() == 1 {
				break // only rounding is left to win
			}
			o := Options{Where: s.where}
			if report := s.options.Progress; report != nil {
				o.Progress = func(_ string, done, nodes int) { report("refinement", done, nodes) }
			}
			found, err := Minimize(s.ctx, s.f, axes, o)
			if err != nil {
				return nil, err
			}
			r.Nodes += found.Nodes
			best := found.Minimum
			better := best != nil && best.Value < n.Value
			var at []int
			if better {
				n, at = *best, axes.Indices(best.Position)
			}
			for k, a := range axes {
				switch {
				case better:
					around[k] = placeOf(a, at[k])
				case a.Count > 1:
					around[k] = around[k].closer(a.Step)
				}
				if a.Count > 1 {
					step[k] = a.Step
				}
			}
		}
		if i == 0 || n.Value < r.Value {
			r.Argument, r.Value, r.Step = n.Argument, n.Value, step
		}
	}
	return r, nil
}
