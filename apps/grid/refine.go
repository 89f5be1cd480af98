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

// place is a point on an axis between its neighbours, which are the point itself at an end: the left
// neighbour, the point and the right neighbour. It is an array for the same reason as exact.
type place [3]float64

// placeOf returns coordinate i of an axis with its neighbours.
func placeOf(a Axis, i int) place {
	return place{a.At(max(i-1, 0)), a.At(i), a.At(min(i+1, a.Count-1))}
}

// finer returns an axis of count nodes from the left to the right neighbour. An odd count keeps the point,
// but for rounding, if the neighbours are equally far.
func (p place) finer(count int) Axis {
	left, at, right := p[0], p[1], p[2]
	b := Axis{Begin: left, Step: (right - left) / float64(count-1), Count: count}
	if left == right || b.check() != nil { // the nodes are as close as float64 permits
		return Axis{Begin: at, Step: 1, Count: 1}
	}
	return b
}

// closer returns the same point with neighbours at the distance of a step, unless they are closer.
func (p place) closer(step float64) place {
	left, at, right := p[0], p[1], p[2]
	if math.Abs(step) < math.Abs(at-left) {
		left = at - step
	}
	if math.Abs(step) < math.Abs(right-at) {
		right = at + step
	}
	return place{left, at, right}
}

// refinement is how far the search of finer grids has come.
type refinement struct {
	Ended  int          // the nodes around which all grids have been searched
	Nodes  int          // of all grids
	Best   tip          // of these nodes
	Tip    tip          // around the current node
	Grids  int          // the grids that have been searched around it
	Around []place      // where the next grid is
	Grid   pass[lowest] // the next grid
}

// tip is the best point around a node.
type tip struct {
	Argument []float64
	Value    exact
	Step     []float64 // of the finest grid
}

// refine searches finer and finer grids around each of some nodes, from its left to its right
// neighbours. The next grid lies around the best node of the last one, or around the same point if that has
// none better: rounding may have moved the node that was in the middle. The value never becomes worse.
func (s *search) refine(nodes []Node) (*Refined, error) {
	r := &s.state.Refined
	for ; r.Ended < len(nodes); r.end() {
		if r.Grids == 0 {
			r.begin(s.axes, nodes[r.Ended])
		}
		for r.Grids < s.options.Refine {
			axes := r.axes()
			if axes.Nodes() == 1 {
				break // only rounding is left to win
			}
			if err := s.searchFiner(axes, &r.Grid); err != nil {
				return nil, err
			}
			r.settle(axes)
		}
	}
	return &Refined{r.Best.Argument, r.Best.Value[0], r.Nodes, r.Best.Step}, nil
}

// searchFiner finds the minimum of a finer grid.
func (s *search) searchFiner(axes Axes, p *pass[lowest]) error {
	o := Options{Where: s.where, state: s.state}
	if report := s.options.Progress; report != nil {
		o.Progress = func(_ string, done, nodes int) { report("refinement", done, nodes) }
	}
	grid, err := newSearch(s.ctx, s.f, axes, &o)
	if err != nil {
		return err
	}
	defer grid.free()
	_, err = grid.minimize(p)
	return err
}

// begin prepares the first grid around a node.
func (r *refinement) begin(axes Axes, n Node) {
	r.Tip = tip{n.Argument, exact{n.Value}, make([]float64, len(axes))}
	r.Around = make([]place, len(axes))
	for k, i := range axes.Indices(n.Position) {
		a := axes[k]
		r.Around[k], r.Tip.Step[k] = placeOf(a, i), a.At(min(1, a.Count-1))-a.Begin
	}
}

// axes returns the next grid.
func (r *refinement) axes() Axes {
	axes, count := make(Axes, len(r.Around)), finer(len(r.Around))
	for k, p := range r.Around {
		axes[k] = p.finer(count)
	}
	return axes
}

// settle takes what a grid has found, and prepares the next one.
func (r *refinement) settle(axes Axes) {
	better := r.Grid.Found.value() < r.Tip.Value[0]
	var at []int
	if better {
		best := r.Grid.Found.Best
		at = axes.Indices(best.Position)
		r.Tip.Argument, r.Tip.Value = axes.Argument(best.Position), best.Value
	}
	for k, a := range axes {
		switch {
		case better:
			r.Around[k] = placeOf(a, at[k])
		case a.Count > 1:
			r.Around[k] = r.Around[k].closer(a.Step)
		}
		if a.Count > 1 {
			r.Tip.Step[k] = a.Step
		}
	}
	r.Nodes += axes.Nodes()
	r.Grids, r.Grid = r.Grids+1, pass[lowest]{}
}

// end takes the best point around a node.
func (r *refinement) end() {
	if r.Ended == 0 || r.Tip.Value[0] < r.Best.Value[0] {
		r.Best = r.Tip
	}
	r.Ended, r.Grids = r.Ended+1, 0
}
