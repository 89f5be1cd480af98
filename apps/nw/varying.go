package nw

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// gap is one in a that ends at a letter of b, or a part of it.
type gap struct {
	Worth int32 // of its letters, to what is passed on from the left; never positive
	Score int32 // the best with such a gap that begins in this part
}

// then is a gap, or a part of one, and the next part. It is associative, and not
// commutative.
func then(x, y gap) gap { return gap{x.Worth + y.Worth, max(x.Score+y.Worth, y.Score)} }

// varying is what the gaps of a row are made of.
type varying struct {
	Above vector.View[int32]
	OfB   vector.View[Cost]
}

// letterInGap is letter j of b in a gap: a later one, or the first.
func letterInGap(j int, v varying) gap {
	if j == 0 {
		return gap{0, never}
	}
	cost := v.OfB.At(j - 1)
	return gap{-cost.Extend, v.Above.At(j-1) - cost.Open}
}

func joinGap(without int32, with gap) int32 { return max(without, with.Score) }

var (
	lettersInGap = skel.NewMapWith(letterInGap)
	gaps         = skel.NewScan(then, gap{0, never})
	joinsGap     = skel.NewZip(joinGap)
)

// VaryingByScan is the matrix of AffineByScan for gaps whose cost depends on where
// they are: ofA is what the letters of a cost that face a gap, and ofB those of b; the
// costs of s do not count. It panics when the lengths differ.
func VaryingByScan(a, b *vector.Vector[byte], ofA, ofB *vector.Vector[Cost], s align.Scoring) (*matrix.Matrix[int32], error) {
	if ofA.Len() != a.Len() || ofB.Len() != b.Len() {
		panic(fmt.Sprintf("nw: VaryingByScan: %d and %d costs for %d and %d letters", ofA.Len(), ofB.Len(), a.Len(), b.Len()))
	}
	return byGappedRows(a, b, ofA, s, func(t *table, above *vector.Vector[int32]) *vector.Vector[int32] {
		letters := lettersInGap.With(varying{above.View(), ofB.View()}).Apply(t.columns)
		return joinsGap.Apply(above, gaps.Inclusive(letters))
	})
}
