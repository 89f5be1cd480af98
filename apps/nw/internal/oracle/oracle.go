package oracle

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Among several best alignments, Align chooses one from the last column to the first: each
// column is the first of the moves of ties with which some best alignment continues the
// columns chosen so far. A local alignment ends where the fewest letters of A come before
// the end, and among these ends where the fewest of B do, and it begins as late as possible.

// Default is the usual order of moves: diagonal, up, left.
var Default = [3]align.Op{align.Aligned, align.Delete, align.Insert}

// Align returns the best alignment of a pair. Among several, ties, an order of the three
// moves, chooses one. All letters must be in the matrix.
func Align(p seq.Pair, s align.Scoring, ties [3]align.Op) *align.Alignment {
	t := fill(p, s)
	i, j, score := t.end()
	found := &align.Alignment{A: p.A, B: p.B, Score: score, Path: align.Cigar{}, Cells: int64(t.n) * int64(t.m)}
	if s.Mode == align.Local && score == 0 {
		return found
	}
	found.EndA, found.EndB = i, j
	path := align.Cigar{}
	ends := t.lastOps(i, j, score)
	for !slices.Contains(ends, start) {
		op := first(ties, ends)
		path.Add(op, 1)
		ends = t.before(op, i, j)
		i, j = back(op, i, j)
	}
	path.Reverse()
	found.Path, found.StartA, found.StartB = path, i, j
	if s.Mode == align.SemiGlobal {
		found.Trim(s.Free)
	}
	found.Path = found.Path.Resolve(p.A.Letters[found.StartA:found.EndA], p.B.Letters[found.StartB:found.EndB])
	return found
}

// Scores returns the scores of the best alignments that end in the cells of the matrix, row
// by row and without the row and the column before the first letters. Gaps at the end are
// not free here: where an alignment may end is chosen among the cells.
func Scores(p seq.Pair, s align.Scoring) []int64 {
	s.Free.EndA, s.Free.EndB = false, false
	t := fill(p, s)
	var scores []int64
	for i := 1; i <= t.n; i++ {
		for j := 1; j <= t.m; j++ {
			scores = append(scores, t.best(i, j))
		}
	}
	return scores
}

// start is the kind of the column before the first one.
const start align.Op = 0

// ops are the kinds of last columns; the table has a level for each.
var ops = [4]align.Op{align.Aligned, align.Delete, align.Insert, start}

// none is the score of alignments that do not exist.
const none = math.MinInt64 / 2

// table has the scores of the best alignments by kind of their last columns.
type table struct {
	align.Scoring
	a, b  []byte
	n, m  int
	score map[align.Op][]int64 // n+1 rows of m+1
}

func fill(p seq.Pair, s align.Scoring) *table {
	if s.Mode != align.SemiGlobal {
		s.Free = align.Ends{}
	}
	a, b := p.A.Letters, p.B.Letters
	t := &table{Scoring: s, a: a, b: b, n: len(a), m: len(b), score: map[align.Op][]int64{}}
	for _, op := range ops {
		t.score[op] = make([]int64, (t.n+1)*(t.m+1))
	}
	for i := range t.n + 1 {
		for j := range t.m + 1 {
			for _, op := range ops {
				t.score[op][i*(t.m+1)+j] = t.compute(op, i, j)
			}
		}
	}
	return t
}

// at returns the score of the best alignment that ends at a cell with a column of kind op.
func (t *table) at(op align.Op, i, j int) int64 {
	if i < 0 || j < 0 {
		return none
	}
	return t.score[op][i*(t.m+1)+j]
}

// compute computes that score from those of the cells before.
func (t *table) compute(op align.Op, i, j int) int64 {
	if op == start {
		if i == 0 && j == 0 || t.Mode == align.Local {
			return 0
		}
		return none
	}
	best := int64(none)
	pi, pj := back(op, i, j)
	for _, before := range ops {
		if score := t.at(before, pi, pj); score > none {
			best = max(best, score+t.column(op, before, i, j))
		}
	}
	return best
}

// column returns the score of a column of kind op that leads to cell (i, j), after a column
// of kind before.
func (t *table) column(op, before align.Op, i, j int) int64 {
	switch {
	case op == align.Aligned:
		return int64(t.Matrix.Score(t.a[i-1], t.b[j-1]))
	case op == align.Delete && (j == 0 && t.Free.StartA || j == t.m && t.Free.EndA):
		return 0
	case op == align.Insert && (i == 0 && t.Free.StartB || i == t.n && t.Free.EndB):
		return 0
	case op == before:
		return -int64(t.Extend)
	default:
		return -int64(t.Open)
	}
}

// back returns the cell before a column of kind op.
func back(op align.Op, i, j int) (int, int) {
	if op != align.Insert {
		i--
	}
	if op != align.Delete {
		j--
	}
	return i, j
}

// best returns the score of the best alignment that ends at a cell.
func (t *table) best(i, j int) int64 {
	best := int64(none)
	for _, op := range ops {
		best = max(best, t.at(op, i, j))
	}
	return best
}

// end returns the cell where the best alignment ends, and its score.
func (t *table) end() (i, j int, score int64) {
	if t.Mode != align.Local {
		return t.n, t.m, t.best(t.n, t.m)
	}
	for r := range t.n + 1 {
		for c := range t.m + 1 {
			if found := t.best(r, c); found > score {
				i, j, score = r, c, found
			}
		}
	}
	return i, j, score
}

// lastOps returns the kinds of last columns of the alignments that end at a cell with a
// score.
func (t *table) lastOps(i, j int, score int64) (found []align.Op) {
	for _, op := range ops {
		if t.at(op, i, j) == score {
			found = append(found, op)
		}
	}
	return found
}

// before returns the kinds of columns before a column of kind op that leads to cell (i, j),
// in the best alignments that end with it.
func (t *table) before(op align.Op, i, j int) (found []align.Op) {
	pi, pj := back(op, i, j)
	for _, before := range ops {
		if score := t.at(before, pi, pj); score > none && score+t.column(op, before, i, j) == t.at(op, i, j) {
			found = append(found, before)
		}
	}
	return found
}

// first returns the first move of ties that is in found.
func first(ties [3]align.Op, found []align.Op) align.Op {
	for _, op := range ties {
		if slices.Contains(found, op) {
			return op
		}
	}
	panic(fmt.Sprintf("oracle: %q is not an order of three moves, or has none of %q", ties, found))
}

// Count returns the number of alignments with the best score: sequences of columns and, in
// local mode, the places where they begin. A local score of 0 is that of one alignment, the
// empty one.
func Count(p seq.Pair, s align.Scoring) *big.Int {
	t := fill(p, s)
	c := &counter{table: t, known: map[state]*big.Int{}}
	i, j, score := t.end()
	if s.Mode != align.Local {
		return c.ending(i, j, score)
	}
	if score == 0 {
		return big.NewInt(1)
	}
	n := new(big.Int)
	for i := range t.n + 1 {
		for j := range t.m + 1 {
			n.Add(n, c.ending(i, j, score))
		}
	}
	return n
}

// state is a cell and the kind of column that leads to it.
type state struct {
	op   align.Op
	i, j int
}

// counter counts the best alignments that end in a state, each once.
type counter struct {
	*table
	known map[state]*big.Int
}

// ending counts the alignments that end at a cell with a score.
func (c *counter) ending(i, j int, score int64) *big.Int {
	n := new(big.Int)
	for _, op := range c.lastOps(i, j, score) {
		n.Add(n, c.count(state{op, i, j}))
	}
	return n
}

func (c *counter) count(s state) *big.Int {
	if s.op == start {
		return big.NewInt(1)
	}
	n := c.known[s]
	if n == nil {
		n = new(big.Int)
		i, j := back(s.op, s.i, s.j)
		for _, before := range c.before(s.op, s.i, s.j) {
			n.Add(n, c.count(state{before, i, j}))
		}
		c.known[s] = n
	}
	return n
}
