package batch

import (
	"math/big"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// counts counts the alignments of each pair that have the best score.
func (s *station) counts(list []*align.Alignment) error {
	for _, a := range list {
		m, err := s.matrix(seq.Pair{A: a.A, B: a.B})
		if err != nil {
			return err
		}
		a.Count = m.count(int32(a.Score) * scale)
	}
	return nil
}

// count is how many paths of the matrix lead to cells of the best score in which
// one may end: it follows them back, row by row, and knows for each cell how many of
// them come through. A path of cells and gaps is one alignment only, because a gap
// that closes and opens again costs more, or, where it does not, is not told apart.
func (m *matrix) count(best int32) *big.Int {
	if m.Mode == align.Local && best == 0 {
		return big.NewInt(1) // the empty one
	}
	c := &counter{matrix: m, total: new(big.Int)}
	c.here, c.above = newTally(m.cols), newTally(m.cols)
	for i := m.rows - 1; i >= -1; i-- {
		for j := m.cols - 1; j >= -1; j-- {
			if m.ends(i, j) && m.h(i, j) == best {
				add(&c.here.h[j+1], big.NewInt(1))
			}
			c.cell(i, j)
		}
		c.here, c.above = c.above, c.here
		c.above.clear()
	}
	return c.total
}

// ends says whether an alignment may end in a cell.
func (m *matrix) ends(i, j int) bool {
	if m.Mode == align.Local {
		return i >= 0 && j >= 0
	}
	free := m.openEnds()
	lastRow, lastCol := i == m.rows-1, j == m.cols-1
	return lastRow && lastCol || lastCol && free.EndA || lastRow && free.EndB
}

// tally is how many paths come through the cells of a row, from the one in front of
// the first column on, and through the gaps in B and A there. None is nil.
type tally struct{ h, e, f []*big.Int }

func newTally(cols int) *tally {
	return &tally{make([]*big.Int, cols+1), make([]*big.Int, cols+1), make([]*big.Int, cols+1)}
}

func (t *tally) clear() {
	clear(t.h)
	clear(t.e)
	clear(t.f)
}

type counter struct {
	*matrix
	here, above *tally
	total       *big.Int
}

func add(to **big.Int, n *big.Int) {
	if *to == nil {
		*to = new(big.Int)
	}
	(*to).Add(*to, n)
}

// cell hands what comes through a cell on to those from which a best path gets there.
func (c *counter) cell(i, j int) {
	h, e, f := c.here.h[j+1], c.here.e[j+1], c.here.f[j+1]
	if h == nil && e == nil && f == nil {
		return
	}
	if i < 0 || j < 0 { // along the border there is one way
		c.total.Add(c.total, h)
		return
	}
	at := c.at(i, j)
	if h != nil {
		if c.Mode == align.Local && at.H == 0 {
			c.total.Add(c.total, h) // it may begin here, or with letters that are worth nothing together
		}
		worth := int32(c.Matrix.Score(c.pair.A.Letters[i], c.pair.B.Letters[j])) * scale
		if c.h(i-1, j-1)+worth == at.H {
			add(&c.above.h[j], h)
		}
		if at.E == at.H {
			e = sum(e, h)
		}
		if at.F == at.H {
			f = sum(f, h)
		}
	}
	open, extend := int32(c.Open*scale), int32(c.Extend*scale)
	if e != nil {
		if c.h(i-1, j)-open == at.E {
			add(&c.above.h[j+1], e)
		}
		if c.affine != nil && c.at(i-1, j).E-extend == at.E {
			add(&c.above.e[j+1], e)
		}
	}
	if f != nil {
		if c.h(i, j-1)-open == at.F {
			add(&c.here.h[j], f)
		}
		if c.affine != nil && c.at(i, j-1).F-extend == at.F {
			add(&c.here.f[j], f)
		}
	}
}

func sum(a, b *big.Int) *big.Int {
	if a == nil {
		return b
	}
	return new(big.Int).Add(a, b)
}
