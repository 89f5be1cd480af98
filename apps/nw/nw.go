package nw

import (
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// show wavefront

// pair is two sequences, as codes of their letters, and what an alignment of them
// is worth.
type pair struct {
	A, B  vector.View[byte]
	Worth matrix.View[int32] // a letter of A against one of B
	Gap   int32              // is subtracted for each letter that faces a gap
}

func letterOfA(_, i int, p pair) byte { return p.A.At(i) }
func letterOfB(_, j int, p pair) byte { return p.B.At(j) }

// best is the score of the best alignment of the letters up to these: the two face
// each other, or one of them faces a gap.
func best(nw, n, w int32, a, b byte, p pair) int32 {
	return max(nw+p.Worth.At(int(a), int(b)), n-p.Gap, w-p.Gap)
}

// allGaps is the score of the letters of one sequence against nothing.
func allGaps(_, i, j int, p pair) int32 { return -p.Gap * int32(i+j+2) }

var scores = skel.NewWavefrontOfWith(letterOfA, letterOfB, best, allGaps)

// end

// Scores is the matrix of Needleman and Wunsch: element (i, j) is the score of the
// best global alignment of letters 0 to i of a and 0 to j of b, which are codes: rows
// and columns of worth. A gap costs gap for each of its letters.
func Scores(a, b *vector.Vector[byte], worth *matrix.Matrix[int32], gap int32) *matrix.Matrix[int32] {
	return scores.With(pair{a.View(), b.View(), worth.View(), gap}).Apply(a.Len(), b.Len())
}

// Path finds, from the elements of the matrix and the letters themselves, an
// alignment with the best score. Where several have it, it goes from the end to the
// beginning and prefers two letters, then a gap in b, then a gap in a.
func Path(scores []int32, a, b []byte, worth func(a, b byte) int, gap int32) (path align.Cigar) {
	at := func(i, j int) int32 {
		if i < 0 || j < 0 {
			return -gap * int32(i+j+2)
		}
		return scores[i*len(b)+j]
	}
	for i, j := len(a)-1, len(b)-1; i >= 0 || j >= 0; {
		var op align.Op
		switch {
		case i >= 0 && j >= 0 && at(i, j) == at(i-1, j-1)+int32(worth(a[i], b[j])):
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
