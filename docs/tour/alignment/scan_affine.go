package alignment

import (
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Cost is the cost of a letter that faces a gap: Open if it is the first letter of the
// gap, and Extend otherwise. Open must not be less than Extend.
type Cost struct{ Open, Extend int32 }

// downArgs holds what the gaps in b of row i are computed from.
type downArgs struct {
	Row row
	OfA vector.View[Cost]
}

// show affine

// down returns the best score of an alignment that ends in a gap in b, given that score
// in the row above.
func down(score int32, j int, d downArgs) int32 {
	i := d.Row.I.At(0)
	if i == 0 {
		return never
	}
	cost := d.OfA.At(i - 1)
	return max(score-cost.Extend, d.Row.H.At(i-1, j)-cost.Open)
}

// rightGap returns the best score, given those without and with a gap in a at the end.
func rightGap(without, with, more int32) int32 { return max(without, with-more) }

// end

// affineRow holds what row i is computed from.
type affineRow struct {
	Row            row
	Down           vector.View[int32] // best scores with a gap in b at the end
	StartA, StartB bool               // gaps at the start of a or b are free
	Local          bool
}

// affineAbove returns the best score of element j among alignments that do not end in a
// gap in a.
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

// AffineScores computes the matrix of a global, semi-global or local alignment. The first
// letter of a gap costs s.Open and each further letter costs s.Extend, which must not be
// greater. Element (i, j) is the best score of the first i letters of a and the first j
// letters of b; in local mode, it is the best score of an alignment that ends there. If
// gaps at the start are free, the first column or row is 0. For gaps at the end, see Score.
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

// withGaps computes a row of t from its scores without a gap in a at the end.
type withGaps func(t *table, above *vector.Vector[int32]) *vector.Vector[int32]

// affineRows computes the matrix of AffineScores. ofA holds the costs of the letters of a;
// right adds the gaps in a to each row.
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

// freeEnds returns the ends at which gaps are free.
func freeEnds(s align.Scoring) align.Ends {
	if s.Mode == align.SemiGlobal {
		return s.Free
	}
	return align.Ends{}
}

// lastArgs holds what the score of an alignment is chosen from.
type lastArgs struct {
	H          matrix.View[int32]
	EndA, EndB bool // gaps at the end of a or b are free
}

// last returns element k of the last column followed by the last row, or never if an
// alignment cannot end there.
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

// Score returns the best score of the alignments in h, a matrix that AffineScores or
// VaryingScores has computed for s. That is the last element or, if gaps at the end of a
// (b) are free, the largest element of the last column (row). In local mode it is the
// largest element of all.
func Score(h *matrix.Matrix[int32], s align.Scoring) (int32, error) {
	if s.Mode == align.Local {
		return largest.ApplyMatrix(h).Value()
	}
	free := freeEnds(s)
	elements := vector.Indices(h.Rows()+h.Cols(), vector.Single(h.Device()))
	return largest.Apply(lasts.With(lastArgs{h.View(), free.EndA, free.EndB}).Apply(elements)).Value()
}
