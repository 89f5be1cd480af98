package plain

import (
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// show wavefront

// pair is two sequences, as codes of their letters, and their scoring.
type pair struct {
	A, B   vector.View[byte]
	Scores matrix.View[int32] // of a letter of A against a letter of B
	Gap    int32              // cost of each letter of a gap
}

func letterOfA(_, i int, p pair) byte { return p.A.At(i) }
func letterOfB(_, j int, p pair) byte { return p.B.At(j) }

// best returns the score of the best alignment of the letters up to a and b: these face
// each other, or one of them faces a gap.
func best(nw, n, w int32, a, b byte, p pair) int32 {
	return max(nw+p.Scores.At(int(a), int(b)), n-p.Gap, w-p.Gap)
}

// allGaps returns the score of the letters of one sequence against gaps.
func allGaps(_, i, j int, p pair) int32 { return -p.Gap * int32(i+j+2) }

var table = skel.NewWavefrontOfWith(letterOfA, letterOfB, best, allGaps)

// end

// Scores computes the matrix of Needleman and Wunsch with linear gap costs: element (i, j)
// is the score of the best global alignment of letters 0 to i of a and 0 to j of b. The
// letters are codes, the rows and columns of scores; gap is the cost of each letter of a
// gap.
func Scores(a, b *vector.Vector[byte], scores *matrix.Matrix[int32], gap int32) *matrix.Matrix[int32] {
	return table.With(pair{a.View(), b.View(), scores.View(), gap}).Apply(a.Len(), b.Len())
}

// Path finds an alignment with the best score, from the elements of the matrix and the
// letters themselves. It goes from the end to the beginning and, among equal scores,
// prefers two letters, then a gap in b, then a gap in a.
func Path(h []int32, a, b []byte, score func(a, b byte) int, gap int32) (path align.Cigar) {
	at := func(i, j int) int32 {
		if i < 0 || j < 0 {
			return -gap * int32(i+j+2)
		}
		return h[i*len(b)+j]
	}
	for i, j := len(a)-1, len(b)-1; i >= 0 || j >= 0; {
		var op align.Op
		switch {
		case i >= 0 && j >= 0 && at(i, j) == at(i-1, j-1)+int32(score(a[i], b[j])):
			op, i, j = align.Aligned, i-1, j-1
		case i >= 0 && at(i, j) == at(i-1, j)-gap:
			op, i = align.Delete, i-1
		default:
			op, j = align.Insert, j-1
		}
		path.Add(op, 1)
	}
	path.Reverse()
	return path.Resolve(a, b)
}
