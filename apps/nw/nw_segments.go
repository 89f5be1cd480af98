package nw

import (
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/vector"
)

// segment is a table through which a path is wanted, and what was found: its moves, or
// shorter segments that follow one another.
type segment struct {
	table
	local bool // the path begins where the score is 0
	pair  bool // the table is a pair's, and the path ends where it is best

	score          int32
	parts          []*segment
	moves          []byte // from the last to the first
	firstA, firstB int64  // letters of the table before the path
}

// freeEndsOf returns the free ends of segments of the same kind.
func (b *batch) freeEndsOf(segments []*segment) align.Ends {
	if segments[0].pair {
		return b.freeEnds()
	}
	return align.Ends{}
}

// layMoves assigns room for the packed and the listed moves of segments, and returns their
// tables and how much room they take.
func (b *batch) layMoves(segments []*segment) (tables []table, words, moves int64) {
	for _, s := range segments {
		s.Words, s.Moves = words, moves
		words += b.moveBytes(s) / 4
		moves += s.Rows + s.Cols
		tables = append(tables, s.table)
	}
	return tables, words, moves
}

// takePaths copies the moves of paths that were traced back to their segments.
func takePaths(segments []*segment, listed *vector.Vector[byte], traced *vector.Vector[path]) error {
	all, err := listed.Host()
	if err != nil {
		return err
	}
	all = slices.Clone(all)
	paths, err := traced.Host()
	for i, p := range paths {
		s := segments[i]
		s.moves = all[s.Moves:][:p.Moves]
		s.firstA, s.firstB = int64(p.FirstA), int64(p.FirstB)
	}
	return err
}

// bands returns the bands of segments, those of each from top to bottom.
func (b *batch) bands(segments []*segment) (tables []table) {
	for _, s := range segments {
		height := b.bandHeight(s)
		for row := int64(0); row < s.Rows; row += height {
			t := s.table
			t.Row, t.Rows = s.Row+row, min(height, s.Rows-row)
			if row > 0 {
				t.Below, t.Corner = int64(len(tables)), s.beforeRow(row-1)
				t.Left += t.LeftMore * int32(row)
			}
			tables = append(tables, t)
		}
	}
	return tables
}

// bandedPaths notes where the paths of segments end, and assigns room for their crossings:
// n altogether.
func (b *batch) bandedPaths(segments []*segment, stacks []*stack) (paths []bandedPath, n int) {
	var crossings, cols int64
	for i, k := range stacks {
		s := segments[i]
		s.EndRow, s.EndCol, s.score = k.row, k.col, k.end.score()
		p := bandedPath{Rows: cols, Cols: s.Cols, Crossings: crossings, Last: k.end.Cross}
		p.Band = max(k.row, 0) / b.bandHeight(s)
		if s.State == inGapB {
			p.Last = k.end.CrossE
		}
		paths = append(paths, p)
		cols += s.Cols * b.bandCount(s)
		crossings += b.bandCount(s)
	}
	return paths, int(crossings)
}

// split splits a segment into those between its crossings.
func (s *segment) split(crossings []int32, o *Options) {
	height := o.bandHeight(s)
	row, col, state := s.EndRow, s.EndCol, s.State
	defer func() { slices.Reverse(s.parts) }()
	for band := max(row, 0) / height; band > 0; band-- {
		cross := crossings[band-1]
		part := s.part(band*height, row, col, state)
		if cross < 0 { // the path begins here
			part.skipCols(int64(-1 - cross))
			part.local = true
			return
		}
		before, inGap := int64(cross>>1)-1, cross&1 != 0
		part.skipCols(before + 1)
		part.setEdge(s, before, inGap, o)
		row, col, state = band*height-1, before, inCell
		if inGap {
			state = inGapB
		}
		if before < 0 { // the path runs down before the first column
			s.part(0, row, -1, inCell)
			return
		}
	}
	top := s.part(0, row, col, state)
	top.Corner, top.Top, top.TopMore, top.Left, top.LeftMore = s.Corner, s.Top, s.TopMore, s.Left, s.LeftMore
	top.local = s.local
}

// part adds a segment of the rows from row to lastRow and the columns up to lastCol.
func (s *segment) part(row, lastRow, lastCol int64, state int32) *segment {
	p := &segment{table: table{
		Row: s.Row + row, Rows: lastRow - row + 1, Col: s.Col, Cols: lastCol + 1, State: state,
		EndRow: lastRow - row, EndCol: lastCol,
	}}
	s.parts = append(s.parts, p)
	return p
}

// skipCols takes the first n columns out of s.
func (s *segment) skipCols(n int64) {
	s.Col, s.Cols, s.EndCol = s.Col+n, s.Cols-n, s.EndCol-n
}

// setEdge sets the edge of a segment that begins after column before of another one, in a
// gap or not.
func (s *segment) setEdge(of *segment, before int64, inGap bool, o *Options) {
	open, extend := int32(o.Open*scale), int32(o.Extend*scale)
	s.Top, s.TopMore, s.Left, s.LeftMore = open, extend, open, extend
	switch {
	case before < 0 && of.Left == 0 && of.LeftMore == 0:
		s.Left, s.LeftMore = 0, 0
	case inGap:
		s.Corner, s.Top, s.TopMore, s.Left = never, -never, 0, extend
	}
}

// writePaths turns segments into the paths of alignments.
func (o *Options) writePaths(segments []*segment, list []*align.Alignment) error {
	return inParallel(len(segments), 32, func(i int) error {
		s, a := segments[i], list[i]
		a.Path = align.Cigar{}
		if o.Mode == align.Local {
			first := s.first()
			a.StartA, a.EndA = int(first.Row+first.firstA-s.Row), int(s.Rows)
			a.StartB, a.EndB = int(first.Col+first.firstB-s.Col), int(s.Cols)
			first.firstA, first.firstB = 0, 0
			s.write(a, a.A.Letters[a.StartA:], a.B.Letters[a.StartB:])
			return nil
		}
		a.Score = int64(s.score)
		s.write(a, a.A.Letters, a.B.Letters)
		a.Path.Add(align.Delete, len(a.A.Letters)-int(s.EndRow)-1)
		a.Path.Add(align.Insert, len(a.B.Letters)-int(s.EndCol)-1)
		a.Trim(o.freeEnds())
		return nil
	})
}

// first returns the segment with which the path of s begins.
func (s *segment) first() *segment {
	for s.parts != nil {
		s = s.parts[0]
	}
	return s
}

// write appends the path of s to that of an alignment. a and b are the letters from where
// the path begins; write returns the letters after it.
func (s *segment) write(to *align.Alignment, a, b []byte) (restA, restB []byte) {
	for _, p := range s.parts {
		a, b = p.write(to, a, b)
	}
	if s.parts != nil {
		return a, b
	}
	to.Path.Add(align.Delete, int(s.firstA))
	to.Path.Add(align.Insert, int(s.firstB))
	a, b = a[s.firstA:], b[s.firstB:]
	for moves := s.moves; len(moves) > 0; {
		last := len(moves) - 1
		move, n := moves[last], 1
		if move == moveDiagonal {
			same := a[0] == b[0]
			for n <= last && moves[last-n] == moveDiagonal && (a[n] == b[n]) == same {
				n++
			}
			if a, b = a[n:], b[n:]; same {
				to.Path.Add(align.Match, n)
			} else {
				to.Path.Add(align.Mismatch, n)
			}
		} else {
			for n <= last && moves[last-n] == move {
				n++
			}
			if move == moveUp {
				a = a[n:]
			} else {
				b = b[n:]
			}
			to.Path.Add(align.Op(move), n)
		}
		moves = moves[:len(moves)-n]
	}
	return a, b
}
