package fit

import (
	"cmp"
	"context"

	"github.com/skelgo/skelgo/vector"
)

// Loop repeats an iteration that runs on devices. Each iteration has a measure, which
// decides whether to go on and is known only when the devices have computed it.
type Loop[M, S any] struct {
	Limit int // the maximum number of iterations

	// Enqueue enqueues an iteration. It returns the measure, such as the number of
	// labels that changed or a log-likelihood, and a state for Settle. With an error
	// the measure may be nil.
	Enqueue func() (*vector.Scalar[M], S, error)
	// Settle completes iteration i, counted from 0, once its measure is known. It
	// reports whether to go on.
	Settle func(i int, measure M, state S) (again bool, err error)
	// Drop frees the state of an iteration. It is called for every iteration.
	Drop func(S)
	// Ahead reports whether to enqueue the next iteration before the measure of
	// iteration i is known, so that the devices do not wait for the host. If i turns
	// out to be the last one, the next must not change the result. Nil means never.
	Ahead func(i int) bool
}

// iteration is an iteration that has been enqueued.
type iteration[M, S any] struct {
	measure *vector.Scalar[M]
	known   func() (M, error)
	state   S
	err     error
}

// Run iterates until Settle reports false or the limit is reached. It returns the number
// of iterations.
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
	i := &iteration[M, S]{measure: measure, state: state, err: err}
	if measure != nil {
		i.known = measure.Later()
	}
	return i
}

func (l *Loop[M, S]) end(ctx context.Context, n int, i *iteration[M, S]) (again bool, err error) {
	defer l.drop(i)
	var measure M
	var failed error
	if i.known != nil {
		measure, failed = i.known()
	}
	if err := cmp.Or(ctx.Err(), i.err, failed); err != nil {
		return false, err
	}
	return l.Settle(n, measure, i.state)
}

func (l *Loop[M, S]) drop(i *iteration[M, S]) {
	if i.measure != nil {
		i.measure.Free()
	}
	l.Drop(i.state)
}
