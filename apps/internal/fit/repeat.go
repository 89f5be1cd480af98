package fit

import (
	"cmp"
	"context"

	"github.com/skelgo/skelgo/vector"
)

// Loop repeats an iteration that is enqueued on devices and whose measure, from
// which it is seen whether to go on, is known only later.
type Loop[M, S any] struct {
	Limit int // iterations, at most

	// Enqueue enqueues an iteration. It returns its measure, such as the number
	// of labels that changed or a log-likelihood, and what Settle needs.
	Enqueue func() (*vector.Scalar[M], S, error)
	// Settle completes iteration i, from 0, once its measure is known. It
	// reports whether to go on.
	Settle func(i int, measure M, state S) (again bool, err error)
	// Drop frees what Settle got; it is called for every iteration.
	Drop func(S)
	// Ahead reports whether to enqueue the iteration after iteration i before
	// the measure of i is known, so that the devices do not wait for the host.
	// If i is the last, the next one must not change the result. Nil means never.
	Ahead func(i int) bool
}

// iteration is one that has been enqueued.
type iteration[M, S any] struct {
	measure *vector.Scalar[M]
	known   func() (M, error)
	state   S
	err     error
}

// Run iterates until Settle or the limit ends it, and returns the number of
// iterations.
func (l *Loop[M, S]) Run(ctx context.Context) (n int, err error) {
	var ahead *iteration[M, S]
	for again := true; again && err == nil && n < l.Limit; n++ {
		now := ahead
		if now == nil {
			now = l.begin()
		}
		if ahead = nil; n+1 < l.Limit && l.Ahead != nil && l.Ahead(n) {
			ahead = l.begin()
		}
		again, err = l.end(ctx, n, now)
	}
	if ahead != nil {
		l.drop(ahead)
	}
	return n, err
}

func (l *Loop[M, S]) begin() *iteration[M, S] {
	measure, state, err := l.Enqueue()
	return &iteration[M, S]{measure, measure.Later(), state, err}
}

func (l *Loop[M, S]) end(ctx context.Context, n int, i *iteration[M, S]) (again bool, err error) {
	defer l.drop(i)
	measure, failed := i.known()
	if err := cmp.Or(ctx.Err(), i.err, failed); err != nil {
		return false, err
	}
	return l.Settle(n, measure, i.state)
}

func (l *Loop[M, S]) drop(i *iteration[M, S]) {
	i.measure.Free()
	l.Drop(i.state)
}
