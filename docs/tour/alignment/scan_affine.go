package alignment

import (
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Cost is the cost of a letter that faces a gap: as the first letter of the gap, and as a
// later one. Open must not be less than Extend.
type Cost struct{ Open, Extend int32 }

// downArgs is what the gaps that go down to row i are computed from.
type downArgs struct {
	Row row
	OfA vector.View[Cost]
}

// show affine

// down returns the best score with a gap in b at its end, from that of the row above.
func down(score int32, j int, d downArgs) int32 {
	i := d.Row.I.At(0)
	if i == 0 {
		return never
	}
	cost := d.OfA.At(i - 1)
	return max(score-cost.Extend, d.Row.H.At(i-1, j)-cost.Open)
}

// rightGap returns the best score with a gap in a at its end, or without one.
func rightGap(without, with, more int32) int32 { return max(without, with-more) }

// end

// affineRow is what else row i is computed from.
type affineRow struct {
	Row            row
	Down           vector.View[int32] // the best scores with a gap in b at the end
	StartA, StartB bool               // gaps there are free
	Local          bool
}

// affineAbove returns the best score of element j without a gap in a at its end.
func affineAbove(j int, r affineRow) int32 {
	i := r.Row.I.At(0)
	score := r.Down.At(j)
	if i > 0 && j > 0 {
		score = max(score, r.Row.diagonal(i, j))
	}
	if r.Local || i == 0 && j == 0 || i == 0 && r.StartB || j == 0 && r.StartA {
		score = max(score, 0)
	}
	return score
}

var (
	downs        = skel.NewZipWith(down)
	affineAboves = skel.NewMapWith(affineAbove)
	rightGaps    = skel.NewZipWith(rightGap)
)

// AffineScores computes the matrix of a global, semi-global or local alignment in which
// the first letter of a gap costs s.Open and each further letter s.Extend, which must not
// be more. Element (i, j) is the score of the first i letters of a and the first j of b
// or, in local mode, of the best alignment that ends there. Where gaps at the start are
// free, the first column or row is 0; for gaps at the end see Score.
func AffineScores(a, b *vector.Vector[byte], s align.Scoring) (*matrix.Matrix[int32], error) {
	cost := Cost{int32(s.Open), int32(s.Extend)}
	ofA := vector.From(slices.Repeat([]Cost{cost}, a.Len()), vector.Single(a.Device()))
	defer ofA.Free()
	return affineRows(a, b, ofA, s, func(t *table, above *vector.Vector[int32]) *vector.Vector[int32] {
		// show affinerows
		left := prefix.Exclusive(tilted.With(cost.Extend).Apply(above, t.columns))
		return rightGaps.With(cost.Open-cost.Extend).Apply(above, tilted.With(-cost.Extend).Apply(left, t.columns))
		// end
	})
}

// withGaps computes a row, given its scores without a gap in a at the end.
type withGaps func(t *table, above *vector.Vector[int32]) *vector.Vector[int32]

// affineRows computes a matrix whose rows get their gaps in a from right.
func affineRows(
	a, b *vector.Vector[byte], ofA *vector.Vector[Cost], s align.Scoring, right withGaps,
) (*matrix.Matrix[int32], error) {
	where := vector.Single(a.Device())
	scores := matrix.From(s.Matrix.Size(), s.Matrix.Size(), s.Matrix.Table(), where)
	defer scores.Free()
	t := newTable(a, b, scores, 0)
	best := vector.New[int32](b.Len()+1, where)
	defer best.Free()
	d := downArgs{t.row, ofA.View()}
	free := freeEnds(s)
	r := affineRow{t.row, best.View(), free.StartA, free.StartB, s.Mode == align.Local}
	return t.byRows(func() (*vector.Vector[int32], error) {
		if err := downs.With(d).ApplyTo(best, best, t.columns); err != nil {
			return nil, err
		}
		return right(t, affineAboves.With(r).Apply(t.columns)), nil
	})
}

// freeEnds returns the ends at which gaps cost nothing.
func freeEnds(s align.Scoring) align.Ends {
	if s.Mode == align.SemiGlobal {
		return s.Free
	}
	return align.Ends{}
}

// lastArgs is what the score of an alignment is chosen from.
type lastArgs struct {
	H          matrix.View[int32]
	EndA, EndB bool // gaps there are free
}

// last returns element k of the last column and the last row, where an alignment may end
// there.
func last(k int, l lastArgs) int32 {
	m, n := l.H.Rows()-1, l.H.Cols()-1
	i, j, free := k, n, l.EndA
	if k > m {
		i, j, free = m, k-m-1, l.EndB
	}
	if free || i == m && j == n {
		return l.H.At(i, j)
	}
	return never
}

var (
	lasts   = skel.NewMapWith(last)
	largest = skel.NewReduce(larger, never)
)

// Score returns the score of the best alignment from a matrix of this package: the last
// element; where gaps at the end are free, the largest of the last column (those of a) or
// row (those of b); in local mode the largest of all.
func Score(h *matrix.Matrix[int32], s align.Scoring) (int32, error) {
	if s.Mode == align.Local {
		return largest.ApplyMatrix(h).Value()
	}
	free := freeEnds(s)
	elements := vector.Indices(h.Rows()+h.Cols(), vector.Single(h.Device()))
	return largest.Apply(lasts.With(lastArgs{h.View(), free.EndA, free.EndB}).Apply(elements)).Value()
}
