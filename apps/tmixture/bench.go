package tmixture

import (
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
)

// benchRows returns the row of t mixtures: an iteration, with the part of the host.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	const p, g = 64, 8
	n := max(s.Size(1<<20), 8*g*p)
	return []*benchmark.Row{{
		Name: fmt.Sprintf("TMixture/covariance=full/type=float64/n=%d/dim=%d/g=%d", n, p, g),
		// The distances take half of n·g·p² multiplications with additions, because the
		// roots are triangular, and the scatter matrices another half.
		Ops:    2 * float64(n) * g * p * p,
		Memory: 8 * int64(n) * (3*p + 8*g),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			elements, err := benchmark.Float64s.Fill(s, n*p, 0)
			if err != nil {
				return nil, err
			}
			x := matrix.Of(elements, n, p)
			b, err := newBench(s, x, g)
			if err != nil {
				return nil, err
			}
			return &benchmark.Case{
				Free: benchmark.Containers(x), Close: []func() error{b.close}, Check: b.check, Sample: b.sample,
			}, nil
		},
	}}
}

// bench measures iterations.
type bench struct {
	f  *fitting
	it *iteration
}

func newBench(s *benchmark.Suite, x *matrix.Matrix[float64], g int) (*bench, error) {
	o := &Options{Labels: make([]int32, x.Rows())}
	for i := range o.Labels {
		o.Labels[i] = int32(i % g)
	}
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	f, err := newFitting(x, o)
	if err != nil {
		return nil, err
	}
	theta, err := f.first(s.Context, 0)
	if err != nil {
		f.free()
		return nil, err
	}
	it, err := f.newIteration(theta)
	if err != nil {
		f.free()
		return nil, err
	}
	return &bench{f, it}, nil
}

func (b *bench) close() error {
	b.it.free()
	b.f.free()
	return nil
}

// sample measures an iteration.
func (b *bench) sample() (time.Duration, error) {
	start := time.Now()
	err := b.it.run()
	if err != nil {
		return 0, err
	}
	next, err := b.f.maximize(b.it)
	if err != nil {
		return 0, err
	}
	err = b.it.set(next)
	return time.Since(start), err
}

// check reports a likelihood that falls.
func (b *bench) check() error {
	if _, err := b.sample(); err != nil {
		return err
	}
	first := b.it.value
	if _, err := b.sample(); err != nil {
		return err
	}
	if b.it.value < first-1e-9*max(first, -first) {
		return fmt.Errorf("the log-likelihood falls from %v to %v", first, b.it.value)
	}
	return nil
}
