package grid

import (
	"math"

	"github.com/skelgo/skelgo/skel"
)

// Below describes the nodes whose values are below a level.
type Below struct {
	Level float64 `json:"level"`
	Nodes int     `json:"nodes"` // how many there are
	// Box holds the least and the greatest coordinate of these nodes, for each axis.
	Box [][2]float64 `json:"box"`
	// Interval holds, for each axis, the ends of the interval around the minimum in which the function
	// is below the level while the other coordinates stay as they are. An end inside the grid is
	// accurate to float64.
	Interval [][2]float64 `json:"interval"`
}

// floor says what to compare values with.
type floor struct {
	Block block
	Level float64
}

// span is the range of the indices of some nodes on an axis.
type span struct{ Low, High, Nodes int }

// isBelow reports whether a value is finite and below the level.
func isBelow(v, level float64) bool { return v < level && v-v == 0 }

// ascending returns two numbers in order: an axis can descend.
func ascending(a, b float64) [2]float64 { return [2]float64{min(a, b), max(a, b)} }

// spanOf returns the span of node i on the axis Along, which is empty unless its value v is below
// the level.
func spanOf(v float64, i int, f floor) span {
	if !isBelow(v, f.Level) {
		return span{math.MaxInt, -1, 0}
	}
	q, index := i, 0
	for k := f.Block.Dim - 1; k >= f.Block.Along; k-- {
		q, index = divide(q+f.Block.Lines[k].First, f.Block.Lines[k].Count,
			f.Block.Lines[k].Inverse)
	}
	return span{index, index, 1}
}

func joinSpans(a, b span) span {
	return span{min(a.Low, b.Low), max(a.High, b.High), a.Nodes + b.Nodes}
}

var (
	spans = skel.NewZipWith(spanOf)
	hull  = skel.NewReduce(joinSpans, span{math.MaxInt, -1, 0})
)

// below describes the nodes whose values are below a level.
func (s *search) below(level float64, minimum *Node) (*Below, error) {
	b := &Below{Level: level}
	for k, a := range s.axes {
		p := &s.state.Level[k]
		err := each(s, p, "level", lastBlock, func(at, n int) func() (span, error) {
			f := floor{*s.from(at), level}
			f.Block.Along = k
			return hull.Apply(spans.With(f).Apply(s.values(at, n), s.indices(n))).Later()
		}, func(_, _ int, found span) error {
			if p.Done > 0 {
				found = joinSpans(p.Found, found)
			}
			p.Found = found
			return nil
		})
		if err != nil {
			return nil, err
		}
		all := p.Found
		if b.Nodes = all.Nodes; b.Nodes == 0 {
			return b, nil
		}
		b.Box = append(b.Box, ascending(a.At(all.Low), a.At(all.High)))
		lo, err := s.crossing(level, minimum, k, -1)
		if err != nil {
			return nil, err
		}
		hi, err := s.crossing(level, minimum, k, 1)
		if err != nil {
			return nil, err
		}
		b.Interval = append(b.Interval, ascending(lo, hi))
	}
	return b, nil
}

// crossing returns the coordinate on axis k at which the function reaches a level, from the minimum
// in direction by, or the last one of the axis.
func (s *search) crossing(level float64, minimum *Node, k, by int) (float64, error) {
	a, start := s.axes[k], s.axes.Indices(minimum.Position)[k]
	stride := s.axes[k+1:].Nodes()
	left := start
	if by > 0 {
		left = a.Count - 1 - start
	}
	for done, size := 0, 1<<12; done < left; size = min(2*size, 1<<20) {
		size = min(size, left-done)
		positions := make([]int, size)
		for i := range positions {
			positions[i] = minimum.Position + by*(done+i+1)*stride
		}
		values, err := s.valuesAt(positions)
		if err != nil {
			return 0, err
		}
		for i, v := range values {
			if !isBelow(v, level) {
				inside := start + by*(done+i)
				return s.bisect(level, minimum, k, a.At(inside), a.At(inside+by)), nil
			}
		}
		done += size
	}
	return a.At(start + by*left), nil
}

// bisect returns the last coordinate between inside and outside at which the function is below the
// level.
func (s *search) bisect(level float64, minimum *Node, k int, inside, outside float64) float64 {
	x := append([]float64(nil), minimum.Argument...)
	for {
		x[k] = inside + (outside-inside)/2
		if x[k] == inside || x[k] == outside {
			return inside
		}
		if isBelow(s.f.at(x), level) {
			inside = x[k]
		} else {
			outside = x[k]
		}
	}
}
