package grid

import (
	"cmp"
	"math"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
)

// state is what a checkpoint has of a run: how far each of its passes over nodes has come. One that
// has ended needs no further block, so a run that goes on begins like any other.
type state struct {
	Minimum pass[lowest]
	Top     pass[[]spot]
	Local   pass[minima]
	Level   [MaxDim]pass[span] // by axis
	Refined refinement
	Values  pass[[]float64]
	Picture pass[[]float64]

	file *checkpoint.File // nil if the state is not saved
}

// pass is how far a pass over the nodes of a grid has come.
type pass[A any] struct {
	Done  int // nodes
	Found A   // what they have
}

// lowest is the node with the least value, and how many values are not finite.
type lowest struct {
	Best       *spot // nil if no value is finite
	NaNs, Infs int
}

// value returns the least value; that of no node is infinite.
func (l *lowest) value() float64 {
	if l.Best == nil {
		return math.Inf(1)
	}
	return l.Best.Value[0]
}

// minima are local minima: those with the least values, and the number of all.
type minima struct {
	Least []spot
	All   int
}

// spot is a node and its value.
type spot struct {
	Position int
	Value    exact
}

// exact is a number of a state. In a field of type float64, encoding/gob would make 0 of -0.
type exact [1]float64

// compareSpots compares nodes by value, and nodes of the same value by position.
func compareSpots(a, b spot) int {
	return cmp.Or(cmp.Compare(a.Value[0], b.Value[0]), cmp.Compare(a.Position, b.Position))
}

// node returns a node of the grid with its coordinates.
func (g Axes) node(s spot) Node { return Node{s.Position, g.Argument(s.Position), s.Value[0]} }

// nodes returns nodes of the grid with their coordinates.
func (g Axes) nodes(spots []spot) []Node {
	list := make([]Node, len(spots))
	for i, s := range spots {
		list[i] = g.node(s)
	}
	return list
}

// restore returns the state of a checkpoint, or that of a run that begins.
func restore(f *checkpoint.File) (*state, error) {
	s := &state{file: f}
	_, err := f.Load(s)
	return s, err
}

// save saves the state if it is time to.
func (s *state) save() {
	if s.file.Due() {
		s.file.Save(s)
	}
}

// facts returns what the result depends on.
func (j *job) facts() ([]checkpoint.Fact, error) {
	level := ""
	if j.Level != nil {
		level = strconv.FormatFloat(*j.Level, 'g', -1, 64)
	}
	return checkpoint.Facts(
		"the command", "grid", "the function", j.f.Name, "the version of the function", j.f.Version,
		"--axis", j.axes, "--top", j.Top, "--local", j.Local, "--level", level, "--refine", j.Refine,
		"--polish", j.Polish, "--map-axes", j.MapAxes,
	), nil
}
