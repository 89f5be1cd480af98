package alignment

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show varying

// gap is a gap in a that ends at a letter of b, or a part of one.
type gap struct {
	Sum  int32 // of its letters, subtracted from what comes from the left; never positive
	Best int32 // best score with such a gap that begins in this part
}

// then joins a part of a gap and the next part. It is associative, not commutative.
func then(x, y gap) gap { return gap{x.Sum + y.Sum, max(x.Best+y.Sum, y.Best)} }

// varyingArgs is what the gaps of a row are computed from.
type varyingArgs struct {
	Above vector.View[int32]
	OfB   vector.View[Cost]
}

// letterInGap returns letter j of b in a gap: as a later letter, or as the first one.
func letterInGap(j int, v varyingArgs) gap {
	if j == 0 {
		return gap{0, never}
	}
	cost := v.OfB.At(j - 1)
	return gap{-cost.Extend, v.Above.At(j-1) - cost.Open}
}

func joinGap(without int32, with gap) int32 { return max(without, with.Best) }

var (
	lettersInGap = skel.NewMapWith(letterInGap)
	gaps         = skel.NewScan(then, gap{0, never})
	joinsGap     = skel.NewZip(joinGap)
)

// end

// VaryingScores computes the matrix of AffineScores for gaps whose cost depends on where
// they are: ofA holds the costs of the letters of a that face a gap, ofB those of b; the
// costs of s are ignored. VaryingScores panics if the lengths differ.
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
