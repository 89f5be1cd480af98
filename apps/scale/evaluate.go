package scale

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// candidate describes weights: those of a state of the search, of which up to two are replaced.
type candidate struct {
	State int32
	I, J  int32   // the features whose weights are replaced, or -1
	A, B  float64 // their weights
}

type candidates struct {
	All    vector.View[candidate]
	States matrix.View[float64] // the weights of the states
}

// weight returns a weight of a candidate.
func weight(at matrix.Index, c candidates) float64 {
	one := c.All.At(at.Row)
	switch int32(at.Col) {
	case one.I:
		return one.A
	case one.J:
		return one.B
	}
	return c.States.At(int(one.State), at.Col)
}

// Values of F are compared in fixed point, so that values that are equal but for rounding do not
// get a boundary between them. A key is the value, in units of which the largest possible F of the
// candidate has less than 2^valueBits, and the code of the object.
const (
	valueBits = 39
	codeBits  = 22
	codeMask  = 1<<codeBits - 1
)

// perUnit returns the reciprocal of the unit for values up to largest. It is a power of two.
func perUnit(largest float64) float64 {
	if largest == 0 {
		return 0
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, valueBits-exponent)
}

type bounds struct {
	Weights    matrix.View[float64]
	Largest    vector.View[float64] // magnitude in each feature
	Candidates vector.View[candidate]
	Problems   vector.View[int32] // of the states
}

// scaling is what all keys of a candidate are computed with.
type scaling struct {
	PerUnit float64
	Problem int32
}

// scalingOf returns the scaling for candidate i.
func scalingOf(i int, b bounds) scaling {
	sum := 0.0
	for j := range b.Weights.Cols() {
		sum = math.FMA(math.Abs(b.Weights.At(i, j)), b.Largest.At(j), sum)
	}
	return scaling{perUnit(sum), b.Problems.At(int(b.Candidates.At(i).State))}
}

// valued is what keys are computed from.
type valued struct {
	Weights  matrix.View[float64] // a row for each candidate
	Scalings vector.View[scaling] // of the candidates
	X        matrix.View[float64] // a row for each feature
	Codes    matrix.View[int32]   // of the objects, a row for each problem
}

// key returns the key of an object, the column, for a candidate, the row.
func key(at matrix.Index, v valued) int64 {
	f := 0.0
	for j := range v.Weights.Cols() {
		f = math.FMA(v.Weights.At(at.Row, j), v.X.At(j, at.Col), f)
	}
	s := v.Scalings.At(at.Row)
	return int64(f*s.PerUnit)<<codeBits | int64(v.Codes.At(int(s.Problem), at.Col))
}

var (
	weights  = skel.NewMapWith(weight)
	scalings = skel.NewMapWith(scalingOf)
	keys     = skel.NewMapWith(key)
	ordered  = skel.Ascending[int64]()
)

// rule says which sequences of states are allowed. The states are the groups in their order and,
// with Zones, an uncertain zone between each two groups. A group must have objects unless Empty is
// set; a zone may have none. The first states of a vector of costs that is longer than needed are
// not used, and Unused is their number.
type rule struct {
	Unused       int
	Zones, Empty bool
}

// group reports whether a state is a group, and not a zone.
func (r rule) group(state int) bool { return !r.Zones || (state-r.Unused)&1 == 0 }

// earlier has the costs of the states before a state: of the last one, of the last but one, and the
// least of all.
type earlier struct{ One, Two, Any float64 }

func noStates() earlier { return earlier{math.Inf(1), math.Inf(1), math.Inf(1)} }

// enter returns the least cost before an object that is to be in state k: cost if the object before
// it is in the same state, or at a cut the cost of an earlier state from which k can follow.
func (e *earlier) enter(cost float64, k int, cut bool, r rule) float64 {
	least := cost
	if cut {
		if e.One < least {
			least = e.One
		}
		if r.Zones && r.group(k) && e.Two < least {
			least = e.Two
		}
		if r.Empty && e.Any < least {
			least = e.Any
		}
	}
	e.Two, e.One = e.One, cost
	if cost < e.Any {
		e.Any = cost
	}
	return least
}

// sorted has what the least cost is computed from.
type sorted struct {
	Keys  matrix.View[int64]   // a row for each candidate, in ascending order
	Costs matrix.View[float64] // of a code, the row, in a state
	Rule  rule

	CodeBits int32 // of the codes in keys of long rows
}

// costs has an element for each state: the least cost of the objects so far if the last of them is
// in this state.
type costs interface {
	[2]float64 | [3]float64 | [4]float64 | [5]float64 | [8]float64 | [16]float64
}

// nothing returns the costs before the first object.
func nothing[V costs](r rule) V {
	var v V
	for k := range len(v) {
		v[k] = math.Inf(1)
		if k == r.Unused || k > r.Unused && r.Empty {
			v[k] = 0
		}
	}
	return v
}

// leastOf returns the least cost after the last object.
func leastOf[V costs](v V, r rule) float64 {
	least := v[len(v)-1]
	if r.Empty {
		for k := range len(v) {
			if v[k] < least {
				least = v[k]
			}
		}
	}
	return least
}

// atOnce is the number of objects that are read before the first of them is used, since a thread
// waits for memory longer than it computes.
const atOnce = 8

// soFar describes the objects of a row up to one of them.
type soFar[V costs] struct {
	Best V
	Last int64 // value
	Some bool  // there is a last value
}

// add returns w with the next object. The states along a row never descend, and change between
// distinct values only.
func add[V costs](w soFar[V], object int64, s sorted) soFar[V] {
	code, value := int(object&codeMask), object>>codeBits
	if code == 0 { // the object is not in this problem
		return w
	}
	cut := w.Some && value-w.Last > 1
	w.Last, w.Some = value, true
	earlier := noStates()
	for k := range len(w.Best) {
		w.Best[k] = earlier.enter(w.Best[k], k, cut, s.Rule) + s.Costs.At(code, k)
	}
	return w
}

// least returns the least cost of the boundaries for candidate i.
func least[V costs](i int, s sorted) float64 {
	w := soFar[V]{Best: nothing[V](s.Rule)}
	c := 0
	for ; c+atOnce <= s.Keys.Cols(); c += atOnce {
		var objects [atOnce]int64
		for o := range atOnce {
			objects[o] = s.Keys.At(i, c+o)
		}
		for o := range atOnce {
			w = add(w, objects[o], s)
		}
	}
	for ; c < s.Keys.Cols(); c++ {
		w = add(w, s.Keys.At(i, c), s)
	}
	return leastOf(w.Best, s.Rule)
}

// leasts has the skeletons by the length of a row of costs.
var leasts = map[int]*skel.MapWith[int, sorted, float64]{
	2:  skel.NewMapWith(least[[2]float64]),
	3:  skel.NewMapWith(least[[3]float64]),
	4:  skel.NewMapWith(least[[4]float64]),
	5:  skel.NewMapWith(least[[5]float64]),
	8:  skel.NewMapWith(least[[8]float64]),
	16: skel.NewMapWith(least[[16]float64]),
}
