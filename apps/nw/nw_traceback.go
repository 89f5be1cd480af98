package nw

import (
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/vector"
)

// A packed move is the move of a cell's key and, with affine gap costs, whether the gaps
// in B and in A that end in the cell also open there. Cells carry the moves of their
// column along, and the last of 16 or 8 rows writes them as one word. The words of 32
// such groups of rows are interleaved, each some columns behind the group above, in the
// order in which warps compute them.
const (
	linearBits = 2
	affineBits = 4

	opensE = 4
	opensF = 8
)

// moveLayout is how moves are packed.
type moveLayout struct {
	Group  int64 // rows in a word
	Bits   int64 // bits of a move
	Behind int64 // columns by which a group of rows is behind the group above
}

// moveArgs is a problem whose cells write their moves.
type moveArgs struct {
	P      problem
	Layout moveLayout
	Out    vector.OutView[uint32]
}

// wordsOf returns how many words the moves of a table take.
func (l moveLayout) wordsOf(k table) int64 {
	sets := ((k.Rows-1)/l.Group)/k.Lanes + 1
	return sets * k.Lanes * (k.Cols + l.Behind*(k.Lanes-1))
}

// word returns the index of the word of a group of rows in column 0. The word of the next
// column is k.Lanes further.
func (l moveLayout) word(k table, group int64) int64 {
	set := group / k.Lanes
	lane := group - set*k.Lanes // not %: every 64-bit division is long code on a GPU
	return k.Words + (set*(k.Cols+l.Behind*(k.Lanes-1))+l.Behind*lane)*k.Lanes + lane
}

// moveRow is the letter of a row, the index of its words, and the shift that a word needs
// after this row to be complete; below 0 when later rows share the word.
type moveRow struct {
	Letter, Shift int32
	Word          int64
}

func moveRowOf(t, i int, x moveArgs) moveRow {
	k := x.P.Tables.At(t)
	at := int64(i) - k.Row
	group := at / x.Layout.Group
	later := (group+1)*x.Layout.Group - 1 - at // rows of the group after this one
	r := moveRow{x.P.Letters * int32(x.P.A.At(i)), -1, x.Layout.word(k, group)}
	if later == 0 || at == k.Rows-1 {
		r.Shift = int32(later * x.Layout.Bits)
	}
	return r
}

func moveColOf(t, j int, x moveArgs) position {
	k := x.P.Tables.At(t)
	return position{int32(x.P.B.At(j)), int32((int64(j) - k.Col) * k.Lanes)}
}

// The states of a path that is traced back: in a cell, or in a gap of B or A that may go
// on.
const (
	inCell int32 = iota
	inGapB
	inGapA
)

// Moves are listed as the bytes of align.Aligned, Delete and Insert.
const (
	moveDiagonal = 'M'
	moveUp       = 'D'
	moveLeft     = 'I'
)

// tracebackArgs is what paths are traced back through.
type tracebackArgs struct {
	Tables       vector.View[table]
	Packed       vector.View[uint32]
	Layout       moveLayout
	Diagonal, Up int32 // ranks of these moves
	Moves        vector.OutView[byte]
	Paths        vector.OutView[path]
}

// path is how many moves a path has, and how many letters of its table come before it.
type path struct{ Moves, FirstA, FirstB int32 }

// traceback follows the moves of table t from the end of its path to the edge of the
// table, or to the cell where a local alignment begins, and lists them.
func traceback(t int, x tracebackArgs) {
	k := x.Tables.At(t)
	i, j, state, n := k.EndRow, k.EndCol, k.State, k.Moves
	for i >= 0 && j >= 0 {
		word := x.Packed.At(int(x.Layout.word(k, i/x.Layout.Group) + j*k.Lanes))
		packed := word >> uint32(i%x.Layout.Group*x.Layout.Bits)
		move := int32(packed & moveMask)
		opens := packed >> 2
		if x.Layout.Bits == linearBits {
			opens = (opensE | opensF) >> 2
		}
		if state == inCell {
			if move == moveStop {
				break
			}
			if move == x.Up {
				state = inGapB
			} else if move != x.Diagonal {
				state = inGapA
			}
		}
		var listed byte = moveDiagonal
		if state == inGapB {
			listed = moveUp
			i--
			if opens&(opensE>>2) != 0 {
				state = inCell
			}
		} else if state == inGapA {
			listed = moveLeft
			j--
			if opens&(opensF>>2) != 0 {
				state = inCell
			}
		} else {
			i--
			j--
		}
		x.Moves.Set(int(n), listed)
		n++
	}
	x.Paths.Set(t, path{int32(n - k.Moves), int32(i + 1), int32(j + 1)})
}

// bandedPath is a table in bands: where the checkpoint rows of its bands start, how many
// columns they have, the band in which its path ends with the crossing of its last cell,
// and where its crossings are listed.
type bandedPath struct {
	Rows, Cols, Band, Crossings int64
	Last                        int32
}

// followArgs is what paths are followed through from checkpoint row to checkpoint row.
type followArgs[C cell] struct {
	Paths     vector.View[bandedPath]
	Rows      vector.View[C]
	Crossings vector.OutView[int32]
}

// follow lists the crossings of path t: element b is the one by which it enters band b+1.
// Elements before the band in which a local alignment begins are undefined.
func follow[C cell](t int, x followArgs[C]) {
	k := x.Paths.At(t)
	cross := k.Last
	for b := k.Band; b > 0; b-- {
		x.Crossings.Set(int(k.Crossings+b-1), cross)
		if cross > onEdge {
			above := x.Rows.At(int(k.Rows + (b-1)*k.Cols + int64(cross>>1) - 1)).end()
			if cross&1 == 0 {
				cross = above.Cross
			} else {
				cross = above.CrossE
			}
		} else if cross >= 0 {
			cross = onEdge
		}
	}
}

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
