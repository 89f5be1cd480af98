package kmeans

import (
	"cmp"
	"context"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// iteration is what is still to be known of one that has been enqueued.
type iteration struct {
	moved *vector.Scalar[int]
	count func() (int, error)
	sums  *matrix.Matrix[float64]
	err   error
}

// repeat iterates until no label moves, or as few as are allowed to, or often
// enough. While many move, the next iteration is enqueued before it is known how
// many have in this one.
func (m *model[T]) repeat(ctx context.Context, enqueue func() (*vector.Scalar[int], *matrix.Matrix[float64], error)) (err error) {
	begin := func() *iteration {
		moved, sums, err := enqueue()
		return &iteration{moved, moved.Later(), sums, err}
	}
	var ahead *iteration
	for moving := true; moving && m.iterations < m.o.MaxIter; m.iterations++ {
		now := ahead
		if now == nil {
			now = begin()
		}
		if ahead = nil; m.surelyGoesOn() {
			ahead = begin()
		}
		moving, err = m.tally(ctx, now)
	}
	ahead.drop()
	return err
}

// drop frees what an iteration holds, if it is one.
func (i *iteration) drop() {
	if i != nil {
		i.moved.Free()
		i.sums.Free()
	}
}

// surelyGoesOn says whether the iteration after the one that is under way may be
// enqueued before it is known how many labels have moved: the devices then do not
// wait for the host. If none has, the next one changes nothing, and so that is only
// a question of time: it is not done where few moved before.
func (m *model[T]) surelyGoesOn() bool {
	return m.o.Empty == Keep && m.o.Threshold == 0 && m.iterations+1 < m.o.MaxIter && m.moved > m.n/1000
}

// tally ends an iteration that failed or did not: it looks after the clusters
// that have no points left, and says whether to go on.
func (m *model[T]) tally(ctx context.Context, i *iteration) (bool, error) {
	defer i.drop()
	n, counted := i.count()
	if err := cmp.Or(ctx.Err(), i.err, counted); err != nil {
		return false, err
	}
	m.moved = n
	m.report(m.iterations + 1)
	var err error
	if m.moved > 0 && m.o.Empty != Keep {
		err = m.mend(i.sums)
	}
	m.remember()
	return err == nil && m.moved > m.o.Threshold, err
}
