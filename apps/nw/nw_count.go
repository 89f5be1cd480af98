package nw

import (
	"math/big"
	"math/bits"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// count counts the alignments of each pair that have the best score, on the host.
func (b *batch) count(list []*align.Alignment) error {
	return inParallel(len(list), 1, func(i int) (err error) {
		list[i].Count, err = b.countBest(seq.Pair{A: list[i].A, B: list[i].B}, b.progress.add)
		return err
	})
}

// prefix is the best score of the alignments of the first letters of A and of B, and the
// number of alignments with that score: of all alignments (h), of those that end with a
// gap in B (d), and of the others (o). An alignment that ends with a gap can extend it at
// a lower cost, so the two are separate, and no alignment is counted twice.
type prefix struct{ h, d, o best }

// best is a score, and the number of alignments that have it.
type best struct {
	score int64
	n     tally
}

// or returns the better of b and c, or both together if they are equal.
func (b best) or(c best) best {
	switch {
	case c.score > b.score:
		return c
	case c.score == b.score:
		b.n = b.n.plus(c.n)
	}
	return b
}

func (b best) less(cost int64) best { return best{b.score - cost, b.n} }

// impossible is a score that no alignment has.
var impossible = best{score: 4 * never}

// countBest counts the alignments of a pair that have the best score: sequences of columns
// and, for local alignments, the places where they begin. It computes the matrix row by
// row, because only the best scores of the row above and their counts matter. A local
// score of 0 is that of one alignment, the empty one. After each row it calls seen with
// the number of its cells; an error of seen ends the count.
func (o *Options) countBest(p seq.Pair, seen func(cells int) error) (*big.Int, error) {
	a, b := p.A.Letters, p.B.Letters
	n, m := len(a), len(b)
	free, isLocal := o.freeEnds(), o.Mode == align.Local
	open, extend := int64(o.Open), int64(o.Extend)
	row := make([]prefix, m+1)
	last := best{score: 0, n: tally{low: 1}} // the best local alignment
	for i := range n + 1 {
		// of the column before, in the row above and in this row
		corner, gap, other := impossible, impossible, impossible
		for j := range m + 1 {
			above := row[j]
			if i == 0 {
				above = prefix{impossible, impossible, impossible}
			}
			two, start := impossible, impossible
			if i > 0 && j > 0 {
				two = best{corner.score + int64(o.Matrix.Score(a[i-1], b[j-1])), corner.n}
			}
			if i == 0 && j == 0 || isLocal {
				start = best{n: tally{low: 1}}
			}
			down := above.d.less(extend).or(above.o.less(open))
			if j == 0 && free.StartA || j == m && free.EndA {
				down = above.h
			}
			right := gap.less(extend).or(other.less(open))
			if i == 0 && free.StartB || i == n && free.EndB {
				right = gap.or(other)
			}
			if isLocal && two.score >= last.score && two.score > 0 {
				if two.score > last.score {
					last.n = tally{}
				}
				last = best{two.score, last.n.plus(two.n)}
			}
			corner, gap, other = above.h, right, two.or(start).or(down)
			row[j] = prefix{other.or(right), down, two.or(start).or(right)}
		}
		if err := seen(m); err != nil {
			return nil, err
		}
	}
	if !isLocal {
		last = row[m].h
	}
	return last.n.big(), nil
}

// tally is a count of any size.
type tally struct {
	low  uint64
	wide *big.Int // instead of low, once that is too small; never modified
}

func (t tally) plus(u tally) tally {
	if t.wide == nil && u.wide == nil {
		if sum, carry := bits.Add64(t.low, u.low, 0); carry == 0 {
			return tally{low: sum}
		}
	}
	return tally{wide: new(big.Int).Add(t.big(), u.big())}
}

func (t tally) big() *big.Int {
	if t.wide != nil {
		return t.wide
	}
	return new(big.Int).SetUint64(t.low)
}
