package batch

import (
	"math/big"
	"math/bits"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// counts counts the alignments of each pair that have the best score, on the host.
func (d *desk) counts(list []*align.Alignment) error {
	return inParallel(len(list), 1, func(i int) (err error) {
		list[i].Count, err = d.count(seq.Pair{A: list[i].A, B: list[i].B}, d.watch.seen)
		return err
	})
}

// prefix is the best score of the alignments of the first letters of A and of B, and
// how many have it: of all alignments (h), of those that end with a gap in B (d), and
// of those that do not (o). An alignment that ends with a gap can go on with it for
// less, so these two are kept apart, and no alignment is counted twice.
type prefix struct{ h, d, o best }

// best is a score, and how many alignments have it.
type best struct {
	score int64
	n     tally
}

// or is the better of two, or both together.
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

// impossible is what no alignment has.
var impossible = best{score: 4 * never}

// count counts the alignments of a pair that have the best score: sequences of
// columns, and for local ones also the places where they begin. It takes a row of the
// matrix at a time, since what is before it matters only by its best scores and
// their numbers. A local score of 0 is that of one alignment, the empty one. After
// each row it calls seen with how many cells it has, whose error ends it.
func (o *Options) count(p seq.Pair, seen func(cells int) error) (*big.Int, error) {
	a, b := p.A.Letters, p.B.Letters
	n, m := len(a), len(b)
	free, local := o.openEnds(), o.Mode == align.Local
	open, extend := int64(o.Open), int64(o.Extend)
	row := make([]prefix, m+1)
	last := best{score: 0, n: tally{low: 1}} // the best local alignment
	for i := range n + 1 {
		corner, gap, other := impossible, impossible, impossible // before the column, in the row above and in this one
		for j := range m + 1 {
			above := row[j]
			if i == 0 {
				above = prefix{impossible, impossible, impossible}
			}
			two, start := impossible, impossible
			if i > 0 && j > 0 {
				two = best{corner.score + int64(o.Matrix.Score(a[i-1], b[j-1])), corner.n}
			}
			if i == 0 && j == 0 || local {
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
			if local && two.score >= last.score && two.score > 0 {
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
	if !local {
		last = row[m].h
	}
	return last.n.big(), nil
}

// tally is a number from 0 that may be of any size.
type tally struct {
	low  uint64
	wide *big.Int // instead of low, once that is too small; it never changes
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
