package alignment

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show varying

// gap describes a range of letters of b that face a gap in a.
type gap struct {
	Sum  int32 // change of the score if the gap spans the whole range; never positive
	Best int32 // best score at the end of the range if the gap begins in it
}

// then joins a range and the next range. It is associative, but not commutative.
func then(x, y gap) gap { return gap{x.Sum + y.Sum, max(x.Best+y.Sum, y.Best)} }

// varyingArgs holds what the gaps of a row are computed from.
type varyingArgs struct {
	Above vector.View[int32]
	OfB   vector.View[Cost]
}

// letterInGap returns the range of one letter, the one before element j.
func letterInGap(j int, v varyingArgs) gap {
	if j == 0 {
		return gap{0, never}
	}
	cost := v.OfB.At(j - 1)
	return gap{-cost.Extend, v.Above.At(j-1) - cost.Open}
}

// joinGap returns the best score, given the score without a gap at the end and the gap.
func joinGap(without int32, with gap) int32 { return max(without, with.Best) }

var (
	lettersInGap = skel.NewMapWith(letterInGap)
	gaps         = skel.NewScan(then, gap{0, never})
	joinsGap     = skel.NewZip(joinGap)
)

// end

// VaryingScores computes the matrix of AffineScores with gap costs that depend on the
// position. ofA and ofB hold the costs of the letters of a and b that face a gap; the
// costs in s are ignored. VaryingScores panics if there is not one cost for each letter.
func VaryingScores(
	a, b *vector.Vector[byte], ofA, ofB *vector.Vector[Cost], s align.Scoring,
) (*matrix.Matrix[int32], error) {
	if ofA.Len() != a.Len() || ofB.Len() != b.Len() {
		panic(fmt.Sprintf("alignment: VaryingScores: %d and %d costs for %d and %d letters",
			ofA.Len(), ofB.Len(), a.Len(), b.Len()))
	}
	return affineRows(a, b, ofA, s, func(t *table, above *vector.Vector[int32]) *vector.Vector[int32] {
		letters := lettersInGap.With(varyingArgs{above.View(), ofB.View()}).Apply(t.columns)
		return joinsGap.Apply(above, gaps.Inclusive(letters))
	})
}
