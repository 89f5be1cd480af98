package nw

import "github.com/skelgo/skelgo/vector"

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
	r := moveRow{rowOf(t, i, x.P), -1, x.Layout.word(k, group)}
	if later == 0 || at == k.Rows-1 {
		r.Shift = int32(later * x.Layout.Bits)
	}
	return r
}

func moveColOf(t, j int, x moveArgs) position {
	k := x.P.Tables.At(t)
	return position{colOf(t, j, x.P), int32((int64(j) - k.Col) * k.Lanes)}
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
