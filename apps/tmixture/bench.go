package tmixture

import (
	"context"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// benchRows returns the rows of t mixtures: iterations, with the part of the host. On GPUs the shapes
// are that of the thesis and one of many small components; on CPUs there is one that fits them.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	rows := []*benchmark.Row{
		iterationRow(benchmark.Float64s, s.Size(1<<20), 64, 8, s.GPUGoals("jax", 5)),
		iterationRow(benchmark.Float32s, s.Size(1<<20), 64, 8, s.GPUGoals("jax32", 5)),
		iterationRow(benchmark.Float64s, s.Size(100_000), 30, 30, s.GPUGoals("torch", 5)),
	}
	if !s.GPU() {
		var goals []benchmark.Goal
		if !s.Device.Native() { // PoCL, which has vector instructions as scikit-learn has
			goals = []benchmark.Goal{{Yardstick: "scikit", Ratio: 1}}
		}
		rows = append(rows, iterationRow(benchmark.Float64s, s.Size(100_000<<6), 16, 5, goals))
	}
	return rows
}

// iterationRow returns the row of an iteration.
func iterationRow[T number](from benchmark.Source[T], n, p, g int, goals []benchmark.Goal) *benchmark.Row {
	n = max(n, 8*g*p)
	var bytes, kind = int64(8), "float64"
	if single[T]() {
		bytes, kind = 4, "float32"
	}
	return &benchmark.Row{
		Name: fmt.Sprintf("TMixture/covariance=full/type=%s/n=%d/dim=%d/g=%d", kind, n, p, g),
		// The distances take half of n·g·p² multiplications with additions, because the
		// roots are triangular, and the scatter matrices another half.
		Ops:    2 * float64(n) * float64(g*p*p),
		Memory: bytes * int64(n) * int64(3*p+8*g),
		Goals:  goals,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			elements, err := from.Fill(s, n*p, 0)
			if err != nil {
				return nil, err
			}
			x := matrix.Of(elements, n, p)
			b, err := newBench(s.Context, x, g)
			if err != nil {
				return nil, err
			}
			c := &benchmark.Case{
				Free: benchmark.Containers(x), Close: []func() error{b.close}, Check: b.check, Sample: b.sample,
			}
			return c, addYardsticks(s, c, kind, n, p, g)
		},
	}
}

// benchScaled returns an iteration on several devices.
func benchScaled(n int) []*benchmark.Scaled {
	const dim, groups = 64, 8
	points := max(n>>10, 8*groups*dim) // 2^20 where n is 2^30
	return []*benchmark.Scaled{{
		Name: fmt.Sprintf("t mixture, %d x %d, %d groups", points, dim, groups), Weak: true, Each: 1,
		Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			v := benchmark.Float64s.OnDevice.With(0).Apply(vector.Indices(points*devs*dim, on))
			x := matrix.Of(v, points*devs, dim).To(on)
			if x.Vector() != v {
				v.Free()
			}
			b, err := newBench(context.Background(), x, groups)
			if err != nil {
				return nil, x.Free, err
			}
			call := func() error {
				_, err := b.sample()
				return err
			}
			return call, func() { _ = b.close(); x.Free() }, nil
		},
	}}
}

// bench measures iterations.
type bench[T number] struct {
	f  *fitting[T]
	it *iteration[T]
}

func newBench[T number](ctx context.Context, x *matrix.Matrix[T], g int) (*bench[T], error) {
	o := &Options{Labels: make([]int32, x.Rows())}
	for i := range o.Labels {
		o.Labels[i] = int32(i % g)
	}
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	f, err := newFitting(x, o, nil)
	if err != nil {
		return nil, err
	}
	theta, err := f.first(ctx, 0)
	if err != nil {
		f.free()
		return nil, err
	}
	it, err := f.newIteration(theta)
	if err != nil {
		f.free()
		return nil, err
	}
	return &bench[T]{f, it}, nil
}

func (b *bench[T]) close() error {
	b.it.free()
	b.f.free()
	return nil
}

// sample measures an iteration.
func (b *bench[T]) sample() (time.Duration, error) {
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
func (b *bench[T]) check() error {
	if _, err := b.sample(); err != nil {
		return err
	}
	first := b.it.value
	if _, err := b.sample(); err != nil {
		return err
	}
	if b.it.value < first-1e-9*max(first, -first)-b.f.noise {
		return fmt.Errorf("the log-likelihood falls from %v to %v", first, b.it.value)
	}
	return nil
}
