package batch

import (
	"math"

	"github.com/skelgo/skelgo/vector"
)

// Scores are four times what they are on devices: where a path is wanted, the lowest
// two bits of a cell's key say which move leads to it, with the preferred one the
// highest, so that the greatest of three keys is the best score and, of equal ones,
// the move that the path takes.
const (
	scale    = 4
	moveMask = 3
	stop     = 3 // the move of a cell in which a local alignment begins

	never = math.MinInt32 / 2 // of what cannot be: less than every score, also after gaps
)

// problem is what all cells know: sequences one after another, as codes, what a pair
// of letters is worth, what gaps cost, which moves are preferred, and the tables.
type problem struct {
	A, B         vector.View[byte]
	Worth        vector.View[int32] // of code a of A and b of B: element a*Letters + b; for paths with the rank of the diagonal move
	Letters      int32
	Open, Extend int32
	Up, Left     int32 // ranks: 0 to 2, and 2 is taken first
	Floor        int32 // no key is less: in local alignments stop
	Tasks        vector.View[task]
}

// task is a table: some rows of A with some columns of B, and what borders them. The
// scores in front of the first column are -Left - LeftMore*i, those above the first
// row -Top - TopMore*j.
type task struct {
	Row, Col       int64
	Rows, Cols     int64
	Corner         int32
	Top, TopMore   int32
	Left, LeftMore int32
	State          int32 // in which the path is in its last cell
	EndRow, EndCol int64 // that cell
	Below          int64 // the number, from 1, of the table that it goes on from; 0 is none
	Words, Lanes   int64 // where its ways begin, and how many groups of rows lie side by side
	Moves          int64 // where its moves begin
}

// Where a path is: in a cell that may have come about in any way, or in a gap of B
// or A that may go on.
const (
	inCell int32 = iota
	inGapB
	inGapA
)

func worthRow(_, i int, p problem) int32 { return p.Letters * int32(p.A.At(i)) }
func letter(_, j int, p problem) int32   { return int32(p.B.At(j)) }

// place is a letter's row or column of the worth table, and where it is in its
// sequence.
type place struct{ Letter, At int32 }

func placeRow(t, i int, p problem) place {
	return place{p.Letters * int32(p.A.At(i)), int32(int64(i) - p.Tasks.At(t).Row)}
}

func placeCol(t, j int, p problem) place {
	return place{int32(p.B.At(j)), int32(int64(j) - p.Tasks.At(t).Col)}
}

// border is the score of what is beyond the first row or column.
func border(t, i, j int, p problem) int32 {
	k := p.Tasks.At(t)
	if i < 0 && j < 0 {
		return k.Corner
	}
	if i < 0 {
		return k.above(int64(j))
	}
	return k.beside(int64(i))
}

func (t task) above(j int64) int32  { return -t.Top - t.TopMore*int32(j) }
func (t task) beside(i int64) int32 { return -t.Left - t.LeftMore*int32(i) }

// keyBorder is that with the move along the border.
func keyBorder(t, i, j int, p problem) int32 {
	if i < 0 {
		return border(t, i, j, p) | p.Left
	}
	return border(t, i, j, p) | p.Up
}
