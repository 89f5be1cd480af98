package nw

import (
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Cost is what a letter costs that faces a gap: as the first one of the gap, and as a
// later one. Open must not be less than Extend.
type Cost struct{ Open, Extend int32 }

// falling is what the gaps of row i that go down a column are computed of.
type falling struct {
	Row row
	OfA vector.View[Cost]
}

// down makes the best score with a gap in b at its end of that in the row above.
func down(score int32, j int, f falling) int32 {
	i := f.Row.I.At(0)
	if i == 0 {
		return never
	}
	cost := f.OfA.At(i - 1)
	return max(score-cost.Extend, f.Row.H.At(i-1, j)-cost.Open)
}

// gapped is what else row i is computed of.
type gapped struct {
	Row            row
	Down           vector.View[int32] // the best scores with a gap in b at the end
	StartA, StartB bool               // gaps there are free
	Local          bool
}

// aboveGapped is the best score of element j without a gap in a at its end.
func aboveGapped(j int, g gapped) int32 {
	i := g.Row.I.At(0)
	score := g.Down.At(j)
	if i > 0 && j > 0 {
		score = max(score, g.Row.diagonal(i, j))
	}
	if g.Local || i == 0 && j == 0 || i == 0 && g.StartB || j == 0 && g.StartA {
		score = max(score, 0)
	}
	return score
}

// join is the best score with a gap in a at the end and without.
func join(without, with, more int32) int32 { return max(without, with-more) }

var (
	downs        = skel.NewZipWith(down)
	abovesGapped = skel.NewMapWith(aboveGapped)
	joins        = skel.NewZipWith(join)
)

// AffineByScan is the matrix of an alignment whose gaps cost s.Open for the first
// letter and s.Extend for each other one, which must not be more, global, semi-global
// or local: element (i, j) is the score of the first i letters of a and the first j of
// b, or, if it is local, of the best ends of these. Where gaps at the start are free,
// the first column or the first row is 0; for gaps at the end see Score.
func AffineByScan(a, b *vector.Vector[byte], s align.Scoring) (*matrix.Matrix[int32], error) {
	cost := Cost{int32(s.Open), int32(s.Extend)}
	ofA := vector.From(slices.Repeat([]Cost{cost}, a.Len()), vector.Single(a.Device()))
	defer ofA.Free()
	return byGappedRows(a, b, ofA, s, func(t *table, above *vector.Vector[int32]) *vector.Vector[int32] {
		left := prefix.Exclusive(tilted.With(cost.Extend).Apply(above, t.columns))
		return joins.With(cost.Open-cost.Extend).Apply(above, tilted.With(-cost.Extend).Apply(left, t.columns))
	})
}

// byGappedRows makes a table, of which join computes a row from what comes from above.
func byGappedRows(a, b *vector.Vector[byte], ofA *vector.Vector[Cost], s align.Scoring, join func(t *table, above *vector.Vector[int32]) *vector.Vector[int32]) (*matrix.Matrix[int32], error) {
	where := vector.Single(a.Device())
	worth := matrix.From(s.Matrix.Size(), s.Matrix.Size(), s.Matrix.Table(), where)
	defer worth.Free()
	t := newTable(a, b, worth, 0)
	best := vector.New[int32](b.Len()+1, where)
	defer best.Free()
	f := falling{t.row, ofA.View()}
	free := freeEnds(s)
	g := gapped{t.row, best.View(), free.StartA, free.StartB, s.Mode == align.Local}
	return t.byRows(func() (*vector.Vector[int32], error) {
		if err := downs.With(f).ApplyTo(best, best, t.columns); err != nil {
			return nil, err
		}
		return join(t, abovesGapped.With(g).Apply(t.columns)), nil
	})
}

// freeEnds are the ends at which gaps cost nothing.
func freeEnds(s align.Scoring) align.Ends {
	if s.Mode == align.SemiGlobal {
		return s.Free
	}
	return align.Ends{}
}

// end is what the score of an alignment is chosen from.
type end struct {
	H          matrix.View[int32]
	EndA, EndB bool // gaps there are free
}

// lastOf is element k of the last column and the last row, when an alignment may end
// there.
func lastOf(k int, e end) int32 {
	m, n := e.H.Rows()-1, e.H.Cols()-1
	i, j, free := k, n, e.EndA
	if k > m {
		i, j, free = m, k-m-1, e.EndB
	}
	if free || i == m && j == n {
		return e.H.At(i, j)
	}
	return never
}

var (
	lasts = skel.NewMapWith(lastOf)
	most  = skel.NewReduce(larger, never)
)

// Score is the score of the best alignment, from a matrix that ScoresByScan,
// AffineByScan or VaryingByScan made: the last element; where gaps at the end are
// free, the largest one of the last column (those of a) or row (those of b); the
// largest of all if it is local.
func Score(h *matrix.Matrix[int32], s align.Scoring) (int32, error) {
	if s.Mode == align.Local {
		return most.ApplyMatrix(h).Value()
	}
	free := freeEnds(s)
	elements := vector.Indices(h.Rows()+h.Cols(), vector.Single(h.Device()))
	return most.Apply(lasts.With(end{h.View(), free.EndA, free.EndB}).Apply(elements)).Value()
}
