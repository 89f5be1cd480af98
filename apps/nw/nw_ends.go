package nw

import (
	"math"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// pathEnd is the cell where a path ends: its key, its position if it is not the last
// cell, and its crossings.
type pathEnd struct{ Key, Row, Col, Cross, CrossE int32 }

// score returns the score of e's key, without its move.
func (e pathEnd) score() int32 { return e.Key >> 2 }

// cell is what the cells of all tables have in common.
type cell interface{ end() pathEnd }

func (c linearScore) end() pathEnd { return pathEnd{Key: c.H} }
func (c affineScore) end() pathEnd { return pathEnd{Key: c.H} }
func (c localScore) end() pathEnd  { return pathEnd{Key: c.Best, Row: c.Row, Col: c.Col} }
func (c localAffineScore) end() pathEnd {
	return pathEnd{Key: c.Local.Best, Row: c.Local.Row, Col: c.Local.Col}
}
func (c linearMove) end() pathEnd { return pathEnd{Key: c.Key} }
func (c affineMove) end() pathEnd { return pathEnd{Key: c.Key} }
func (c linearCrossing) end() pathEnd {
	return pathEnd{Key: c.Key, Cross: c.Cross, CrossE: c.Cross}
}
func (c affineCrossing) end() pathEnd {
	return pathEnd{Key: c.Key, Cross: c.Cross, CrossE: c.CrossE}
}

// lastCells holds the last rows and columns of tables.
type lastCells[C any] struct{ Bottom, Right vector.View[C] }

// endAt returns cell k of the last rows or, below 0, of the last columns, backwards from -1.
func endAt[C cell](k int64, e lastCells[C]) pathEnd {
	if k < 0 {
		return e.Right.At(int(-1 - k)).end()
	}
	return e.Bottom.At(int(k)).end()
}

// endRank ranks cell i of a last row or column as the end of a path that may leave out
// what follows; past is the rank of the move along the row or column. The path ends in
// the cell with the largest rank: among equal scores the last one whose own move is
// preferred to the move past it, or else the first one.
func endRank[C cell](c C, i int, past int32) int64 {
	key := c.end().Key
	return rankOf(int64(key>>2), key&moveMask > past, int64(i))
}

func rankOf(score int64, stays bool, i int64) int64 {
	if stays {
		return score<<33 | 1<<32 | i
	}
	return score<<33 | (1<<32 - 1 - i)
}

// unrank undoes rankOf.
func unrank(r int64) (score int64, stays bool, i int64) {
	i = r & (1<<32 - 1)
	if stays = r>>32&1 == 1; !stays {
		i = 1<<32 - 1 - i
	}
	return r >> 33, stays, i
}

func larger(a, b int64) int64 { return max(a, b) }

var largest = skel.NewReduce(larger, math.MinInt64)

// pass computes tables and finds the cells where their paths end.
type pass[C cell, E any] struct {
	tables *skel.WavefrontWith[C, E]
	endAt  *skel.MapWith[int64, lastCells[C], pathEnd]
	ranks  *skel.ZipWith[C, int, int32, int64]
}

// passOf returns a pass. ranks is nil if paths end in any cell.
func passOf[C cell, E any](
	tables *skel.WavefrontWith[C, E],
	endAt *skel.MapWith[int64, lastCells[C], pathEnd],
	ranks *skel.ZipWith[C, int, int32, int64],
) *pass[C, E] {
	return &pass[C, E]{tables, endAt, ranks}
}

var (
	linearScoring = passOf(linearScores, skel.NewMapWith(endAt[linearScore]),
		skel.NewZipWith(endRank[linearScore]))
	affineScoring = passOf(affineScores, skel.NewMapWith(endAt[affineScore]),
		skel.NewZipWith(endRank[affineScore]))
	localScoring       = passOf(localScores, skel.NewMapWith(endAt[localScore]), nil)
	localAffineScoring = passOf(localAffineScores, skel.NewMapWith(endAt[localAffineScore]), nil)
	linearTracing      = passOf(linearMoves, skel.NewMapWith(endAt[linearMove]), skel.NewZipWith(endRank[linearMove]))
	affineTracing      = passOf(affineMoves, skel.NewMapWith(endAt[affineMove]), skel.NewZipWith(endRank[affineMove]))
)

// checkpointPass is a pass over bands: global for paths that end on the edge, local for
// local ones; follow lists the crossings of the paths.
type checkpointPass[C cell] struct {
	global, local *pass[C, problem]
	follow        *skel.MapVoidWith[int, followArgs[C]]
}

func (c *checkpointPass[C]) pass(isLocal bool) *pass[C, problem] {
	if isLocal {
		return c.local
	}
	return c.global
}

var (
	linearEndAt, linearEndRank = skel.NewMapWith(endAt[linearCrossing]), skel.NewZipWith(endRank[linearCrossing])
	affineEndAt, affineEndRank = skel.NewMapWith(endAt[affineCrossing]), skel.NewZipWith(endRank[affineCrossing])

	linearCutting = &checkpointPass[linearCrossing]{
		passOf(linearBands, linearEndAt, linearEndRank), passOf(linearLocalBands, linearEndAt, linearEndRank),
		skel.NewMapVoidWith(follow[linearCrossing]),
	}
	affineCutting = &checkpointPass[affineCrossing]{
		passOf(affineBands, affineEndAt, affineEndRank), passOf(affineLocalBands, affineEndAt, affineEndRank),
		skel.NewMapVoidWith(follow[affineCrossing]),
	}
)

// stack is a table or several bands of one table: the first and the last of them, their
// rows together, and where the last row and the first part of the last column are.
type stack struct {
	first, last   *table
	rows          int64
	bottom, right int64
	end           pathEnd
	row, col      int64 // where its path ends, from the first row on
}

// stacksOf joins tables that continue each other.
func stacksOf(tables []table) []*stack {
	var list []*stack
	of := make([]*stack, len(tables))
	var cols, rows int64
	for i := range tables {
		t := &tables[i]
		var s *stack
		if t.Below > 0 {
			s = of[t.Below-1]
		} else {
			s = &stack{first: t, right: rows}
			list = append(list, s)
		}
		of[i] = s
		s.last, s.bottom = t, cols
		s.rows += t.Rows
		s.row, s.col = s.rows-1, t.Cols-1
		cols, rows = cols+t.Cols, rows+t.Rows
	}
	return list
}

// finish computes tables and finds where their paths end: in the last cell or, where gaps
// at the end are free, in the best one. It also returns the last rows of all tables. The
// bands of a table must follow one another.
func finish[C cell, E any](
	b *batch, p *pass[C, E], tables []table, free align.Ends, extra E,
) ([]*stack, *vector.Vector[C], error) {
	if err := b.progress.add(0); err != nil {
		return nil, nil, err
	}
	stacks := stacksOf(tables)
	bottom, right := p.tables.With(extra).Watched(b.progress.add).Ends(skelTables(tables))
	defer right.Free()
	fail := func(err error) ([]*stack, *vector.Vector[C], error) {
		bottom.Free()
		return nil, nil, err
	}
	if err := chooseEnds(b, p, stacks, free, bottom, right); err != nil {
		return fail(err)
	}
	at := make([]int64, len(stacks))
	for i, s := range stacks {
		at[i] = s.bottom + max(s.col, 0)
		if s.row < s.rows-1 {
			at[i] = -1 - (s.right + max(s.row, 0))
		}
	}
	numbers := vector.From(at, b.where)
	defer numbers.Free()
	cells := p.endAt.With(lastCells[C]{bottom.View(), right.View()}).Apply(numbers)
	defer cells.Free()
	ends, err := cells.Host()
	if err != nil {
		return fail(err)
	}
	for i, s := range stacks {
		s.end = ends[i]
		if s.row < 0 { // nothing is aligned
			s.end = pathEnd{Key: s.first.aboveCol(s.first.Cols - 1)}
		} else if s.col < 0 {
			s.end = pathEnd{Key: s.last.beforeRow(s.last.Rows - 1)}
		}
	}
	return stacks, bottom, nil
}

// either finishes tables with the pass for linear or for affine gap costs.
func either[C, D cell, E any](
	b *batch, linear *pass[C, E], affine *pass[D, E], tables []table, free align.Ends, extra E,
) ([]*stack, error) {
	if b.affine() {
		stacks, rows, err := finish(b, affine, tables, free, extra)
		if err == nil {
			rows.Free()
		}
		return stacks, err
	}
	stacks, rows, err := finish(b, linear, tables, free, extra)
	if err == nil {
		rows.Free()
	}
	return stacks, err
}

// lineEnd is the best end of a path in a last column or row: the score, and the letter of
// the sequence along it, -1 for the edge.
type lineEnd struct{ score, at int64 }

// chooseEnds finds the best ends of the paths of stacks whose ends are free.
func chooseEnds[C cell, E any](
	b *batch, p *pass[C, E], stacks []*stack, free align.Ends, bottom, right *vector.Vector[C],
) error {
	rank := b.Ties.ranks()
	up, left := rank[1], rank[2]
	var inRow, inCol []lineEnd
	var err error
	if free.EndB {
		inRow, err = bestEnds(b, p, bottom, stacks, left, up, func(s *stack) (int64, int64, int32) {
			return s.bottom, s.last.Cols, s.last.beforeRow(s.last.Rows - 1)
		})
	}
	if free.EndA && err == nil {
		inCol, err = bestEnds(b, p, right, stacks, up, left, func(s *stack) (int64, int64, int32) {
			return s.right, s.rows, s.first.aboveCol(s.first.Cols - 1)
		})
	}
	if err != nil {
		return err
	}
	for i, s := range stacks {
		switch {
		case free.EndA && (!free.EndB || inCol[i].score > inRow[i].score ||
			inCol[i].score == inRow[i].score && inCol[i].at != s.row && (inRow[i].at == s.col || up > left)):
			s.row = inCol[i].at
		case free.EndB:
			s.col = inRow[i].at
		}
	}
	return nil
}

// bestEnds finds the best end of each stack among cells, the last rows or columns of all
// tables. line returns the part of cells that is a stack's, and the score of the edge
// before it; past is the rank of the move along the line, and own of the edge's move.
func bestEnds[C cell, E any](
	b *batch, p *pass[C, E], cells *vector.Vector[C], stacks []*stack, past, own int32,
	line func(*stack) (begin, n int64, edge int32),
) ([]lineEnd, error) {
	offsets := []int{0} // cells of no last row or column are in segments of their own
	for _, s := range stacks {
		begin, n, _ := line(s)
		offsets = append(offsets, int(begin), int(begin+n))
	}
	if last := len(offsets) - 1; offsets[last] < cells.Len() {
		offsets = append(offsets, cells.Len())
	}
	begins := vector.From(offsets, b.where)
	defer begins.Free()
	ranks := largest.Segments(p.ranks.With(past).Apply(cells, vector.Indices(cells.Len(), b.where)), begins)
	defer ranks.Free()
	all, err := ranks.Host()
	if err != nil {
		return nil, err
	}
	ends := make([]lineEnd, len(stacks))
	for i, s := range stacks {
		begin, _, edge := line(s)
		score, stays, at := unrank(all[2*i+1])
		score, _, at = unrank(max(rankOf(score, stays, at-begin+1), rankOf(int64(edge>>2), own > past, 0)))
		ends[i] = lineEnd{score, at - 1}
	}
	return ends, nil
}
