package grid

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

// refine searches finer and finer grids around each of some nodes, from its left to its right
// neighbours. The function's value at the node found is never worse.
func (s *search) refine(nodes []Node) (*Refined, error) {
	r := &Refined{}
	count := finer(len(s.axes))
	for i, n := range nodes {
		axes, node := s.axes, n
		step := make([]float64, len(axes))
		for k, a := range axes {
			step[k] = a.At(min(1, a.Count-1)) - a.Begin
		}
		for range s.options.Refine {
			next := make(Axes, len(axes))
			for k, i := range axes.Indices(node.Position) {
				next[k] = axes[k].around(i, count)
			}
			o := Options{Where: s.where}
			if report := s.options.Progress; report != nil {
				o.Progress = func(_ string, done, nodes int) { report("refinement", done, nodes) }
			}
			found, err := Minimize(s.ctx, s.f, next, o)
			if err != nil {
				return nil, err
			}
			r.Nodes += found.Nodes
			if found.Minimum == nil || found.Minimum.Value > node.Value {
				break // only rounding is left to win
			}
			axes, node = next, *found.Minimum
			for k, a := range axes {
				step[k] = a.Step
			}
		}
		if i == 0 || node.Value < r.Value {
			r.Argument, r.Value, r.Step = node.Argument, node.Value, step
		}
	}
	return r, nil
}
