package grid

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/math64"
)

// MaxDim is the largest number of axes of a grid.
const MaxDim = 8

// maxNodes limits the number of nodes of a grid, so that positions are exact in float64.
const maxNodes = 1 << 52

// maxGeometric is the largest number of nodes of a geometric axis, whose coordinates are in a
// table: a power for every node of the grid would cost more than the function.
const maxGeometric = 1 << 24

// Axis is a sequence of coordinates. Coordinate i is Begin + Step*i, rounded after the product
// and after the sum as in NumPy, or for a geometric axis Begin * Step^i.
type Axis struct {
	Begin, Step float64
	Count       int
	Geometric   bool
}

// ParseAxis reads an axis that is written as begin:step:count, or for a geometric axis as
// begin:*factor:count.
func ParseAxis(text string) (Axis, error) {
	a, err := parseAxis(text)
	if err != nil {
		return Axis{}, fmt.Errorf("axis %s: %w", text, err)
	}
	return a, nil
}

// parseAxis is ParseAxis with errors that do not name the axis.
func parseAxis(text string) (a Axis, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return a, errors.New("it must be begin:step:count, such as -5:0.1:101, or begin:*factor:count")
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if i == 2 {
			if a.Count, err = strconv.Atoi(part); err != nil {
				if n, e := strconv.ParseFloat(part, 64); e == nil && n == math.Trunc(n) && math.Abs(n) < 1e18 {
					a.Count, err = int(n), nil // 1e6
				}
			}
			if errors.Is(err, strconv.ErrRange) {
				return a, errTooLong
			}
			if err != nil {
				return a, fmt.Errorf("the count %q is not a whole number", part)
			}
			continue
		}
		to, name := &a.Begin, "begin"
		if i == 1 {
			to, name = &a.Step, "step"
			if part, a.Geometric = strings.CutPrefix(part, "*"); a.Geometric {
				name = "factor"
			}
		}
		if *to, err = strconv.ParseFloat(part, 64); err != nil {
			return a, fmt.Errorf("the %s %q is not a number", name, part)
		}
	}
	return a, a.check()
}

// errTooLong says that a grid has too many nodes.
var errTooLong = errors.New("a grid must have fewer than 2^52 nodes")

// check returns an error if a is not an axis.
func (a Axis) check() error {
	last := a.At(a.Count - 1)
	switch {
	case a.Count < 1:
		return errors.New("the count must be at least 1")
	case a.Begin-a.Begin != 0 || a.Step-a.Step != 0:
		return errors.New("begin and step must be finite")
	case a.Geometric && (a.Begin == 0 || !(a.Step > 0)):
		return errors.New("a geometric axis needs a begin other than 0 and a positive factor")
	case a.Geometric && a.Count > maxGeometric:
		return fmt.Errorf("a geometric axis can have at most %d nodes", maxGeometric)
	case a.Count > 1 && (a.Step == 0 && !a.Geometric || a.Step == 1 && a.Geometric):
		return errors.New("all nodes are the same")
	case last-last != 0:
		return errors.New("the last node is not finite")
	case a.Count > 1 && (a.At(1) == a.Begin || a.At(a.Count-2) == last):
		return errors.New("neighbouring nodes are the same number in float64; choose a larger step")
	case a.Count >= maxNodes:
		return errTooLong
	}
	return nil
}

// At returns coordinate i.
func (a Axis) At(i int) float64 {
	if a.Geometric {
		return a.Begin * math64.Pow(a.Step, float64(i))
	}
	return linear(a.Begin, a.Step, i)
}

// String returns the axis as ParseAxis reads it.
func (a Axis) String() string {
	by := ""
	if a.Geometric {
		by = "*"
	}
	return fmt.Sprintf("%v:%s%v:%d", a.Begin, by, a.Step, a.Count)
}

// Axes are the axes of a grid. Its nodes are numbered row by row: the last axis is the fastest.
type Axes []Axis

// check returns an error unless the axes make a grid.
func (g Axes) check() error {
	if len(g) == 0 || len(g) > MaxDim {
		return fmt.Errorf("a grid has 1 to %d axes, not %d", MaxDim, len(g))
	}
	nodes := uint64(1)
	for k, a := range g {
		if err := a.check(); err != nil {
			return fmt.Errorf("axis %d (%v): %w", k+1, a, err)
		}
		hi, lo := bits.Mul64(nodes, uint64(a.Count))
		if hi != 0 || lo >= maxNodes {
			return errTooLong
		}
		nodes = lo
	}
	return nil
}

// Nodes returns the number of nodes.
func (g Axes) Nodes() int {
	n := 1
	for _, a := range g {
		n *= a.Count
	}
	return n
}

// Indices returns the index on each axis of the node at a position.
func (g Axes) Indices(position int) []int {
	at := make([]int, len(g))
	for k := len(g) - 1; k >= 0; k-- {
		at[k] = position % g[k].Count
		position /= g[k].Count
	}
	return at
}

// Argument returns the coordinates of the node at a position.
func (g Axes) Argument(position int) []float64 {
	x := make([]float64, len(g))
	for k, i := range g.Indices(position) {
		x[k] = g[k].At(i)
	}
	return x
}
