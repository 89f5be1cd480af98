package scale

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// Long rows are cut into pieces, so that many threads work on a row. The cost of a piece depends on
// the state in which it begins, so a piece has a table, and the tables of neighbouring pieces are
// multiplied, with min for the sum and + for the product. This operator is associative, and not
// commutative.

// longRow is the length from which rows are cut into pieces of pieceLength objects. pieceAtOnce is atOnce for
// pieces, which need more registers for each object.
const (
	longRow     = 1 << 14
	pieceLength = 256
	pieceAtOnce = 4
)

// packing is what packed keys are computed from.
type packing struct {
	Valued   valued
	CodeBits int32 // as few as the codes need
}

// packedKey returns the key of an object after the number of its candidate. A radix sort of all packed keys
// sorts each row, in fewer passes over memory than a sort of rows by merging, and leaves out the digits that
// are the same in all keys. Therefore values are not negative, and codes have as few bits as they need.
func packedKey(at matrix.Index, p packing) int64 {
	k := key(at, p.Valued)
	value := int64(at.Row)<<(valueBits+1) + 1<<valueBits + k>>codeBits
	return value<<p.CodeBits | k&codeMask
}

var packed = skel.NewMapWith(packedKey)

// table has the least cost of objects whose first is in one state and whose last is in another: a
// square of states by states.
type table interface {
	[4]float64 | [9]float64 | [16]float64 | [25]float64 | [64]float64
}

// piece is a run of objects in the order of F.
type piece[Q table] struct {
	Best        Q
	First, Last int64 // values
	Some        bool  // it has objects of the problem
}

// pieceOf returns the piece in column at.Col of a candidate. States never descend, so costs of
// objects that end in a state before that in which they begin remain infinite.
func pieceOf[Q table, V costs](at matrix.Index, s sorted) piece[Q] {
	var p piece[Q]
	var states V
	for a := range len(states) {
		for k := range len(states) {
			p.Best[a*len(states)+k] = math.Inf(1)
		}
		p.Best[a*len(states)+a] = 0
	}
	c := at.Col * pieceLength
	end := min(c+pieceLength, s.Keys.Cols())
	for ; c+pieceAtOnce <= end; c += pieceAtOnce {
		var objects [pieceAtOnce]int64
		for o := range pieceAtOnce {
			objects[o] = s.Keys.At(at.Row, c+o)
		}
		for o := range pieceAtOnce {
			p = extend[Q, V](p, objects[o], s)
		}
	}
	for ; c < end; c++ {
		p = extend[Q, V](p, s.Keys.At(at.Row, c), s)
	}
	return p
}

// extend returns p with the next object.
func extend[Q table, V costs](p piece[Q], object int64, s sorted) piece[Q] {
	code, value := int(object&(1<<s.CodeBits-1)), object>>s.CodeBits
	if code == 0 {
		return p
	}
	cut := p.Some && value-p.Last > 1
	if !p.Some {
		p.First = value
	}
	p.Last, p.Some = value, true
	var states V
	for k := range len(states) {
		states[k] = s.Costs.At(code, k)
	}
	for a := range len(states) {
		earlier := noStates()
		for k := range len(states) {
			if k >= a {
				p.Best[a*len(states)+k] = earlier.enter(p.Best[a*len(states)+k], k, cut, s.Rule) + states[k]
			}
		}
	}
	return p
}

// then returns the piece that consists of x and the next piece y.
func then[Q table, V costs](x, y piece[Q], r rule) piece[Q] {
	if !x.Some {
		return y
	}
	if !y.Some {
		return x
	}
	cut := y.First-x.Last > 1
	z := piece[Q]{First: x.First, Last: y.Last, Some: true}
	var states V
	for a := range len(states) {
		for b := range len(states) {
			z.Best[a*len(states)+b] = math.Inf(1)
		}
		earlier := noStates()
		for k := range len(states) { // y begins in state k
			if k < a {
				continue
			}
			cost := earlier.enter(x.Best[a*len(states)+k], k, cut, r)
			for b := range len(states) {
				if b < k {
					continue
				}
				if sum := cost + y.Best[k*len(states)+b]; sum < z.Best[a*len(states)+b] {
					z.Best[a*len(states)+b] = sum
				}
			}
		}
	}
	return z
}

// total returns the least cost of all objects.
func total[Q table, V costs](p piece[Q], r rule) float64 {
	var states V
	n := len(states)
	result := math.Inf(1)
	for a := range n {
		if a < r.Unused || a > r.Unused && !r.Empty {
			continue
		}
		for b := range n {
			if (b == n-1 || r.Empty) && p.Best[a*n+b] < result {
				result = p.Best[a*n+b]
			}
		}
	}
	return result
}

// long has the skeletons for long rows.
type long[Q table] struct {
	pieces *skel.MapWith[matrix.Index, sorted, piece[Q]]
	joined *skel.ReduceWith[piece[Q], rule]
	totals *skel.MapWith[piece[Q], rule, float64]
}

var (
	long2 = long[[4]float64]{
		pieces: skel.NewMapWith(pieceOf[[4]float64, [2]float64]),
		joined: skel.NewReduceWith(then[[4]float64, [2]float64], piece[[4]float64]{}),
		totals: skel.NewMapWith(total[[4]float64, [2]float64]),
	}
	long3 = long[[9]float64]{
		pieces: skel.NewMapWith(pieceOf[[9]float64, [3]float64]),
		joined: skel.NewReduceWith(then[[9]float64, [3]float64], piece[[9]float64]{}),
		totals: skel.NewMapWith(total[[9]float64, [3]float64]),
	}
	long4 = long[[16]float64]{
		pieces: skel.NewMapWith(pieceOf[[16]float64, [4]float64]),
		joined: skel.NewReduceWith(then[[16]float64, [4]float64], piece[[16]float64]{}),
		totals: skel.NewMapWith(total[[16]float64, [4]float64]),
	}
	long5 = long[[25]float64]{
		pieces: skel.NewMapWith(pieceOf[[25]float64, [5]float64]),
		joined: skel.NewReduceWith(then[[25]float64, [5]float64], piece[[25]float64]{}),
		totals: skel.NewMapWith(total[[25]float64, [5]float64]),
	}
	long8 = long[[64]float64]{
		pieces: skel.NewMapWith(pieceOf[[64]float64, [8]float64]),
		joined: skel.NewReduceWith(then[[64]float64, [8]float64], piece[[64]float64]{}),
		totals: skel.NewMapWith(total[[64]float64, [8]float64]),
	}
)
