package oracle

import (
	"math/big"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Count gives the number of alignments that are worth as much as the best
// one: of sequences of columns, and in local mode of the places where they
// begin, too. A local score of 0 is that of one alignment, the empty one.
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
	for _, op := range c.ways(i, j, score) {
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
