package bench

import (
	"context"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/matrix"
)

// cloud is a set of points to cluster, and from where: the first k of them.
type cloud struct {
	n, dim, k int
	rows      []float32
}

// iterations is how many of Lloyd's a sample has, at most.
const iterations = 10

// lloyd is one program that runs Lloyd's iterations.
type lloyd struct {
	name  string
	run   func() (clustering, error)
	close func() error
}

// clustering is what one run of a lloyd took and gave.
type clustering struct {
	perIteration time.Duration
	iterations   int
	sizes        []int
}

// sample gives samples of an iteration's time.
func (l lloyd) sample() (time.Duration, error) {
	c, err := l.run()
	return c.perIteration, err
}

// openSkelgo prepares package kmeans. What is timed are the iterations after
// the first, because it does not tell when that begins.
func openSkelgo(points *matrix.Matrix[float32], k int) lloyd {
	run := func() (c clustering, err error) {
		var first, last time.Time
		r, err := kmeans.Cluster(context.Background(), points, kmeans.Options{
			K: k, Init: kmeans.First, MaxIter: iterations,
			Progress: func(_, iteration, _ int) {
				last = time.Now()
				if iteration == 1 {
					first = last
				}
			},
		})
		if err != nil {
			return c, err
		}
		defer r.Free()
		c = clustering{iterations: r.Iterations, sizes: r.Sizes}
		if n := r.Iterations; n > 1 {
			c.perIteration = last.Sub(first) / time.Duration(n-1)
		}
		return c, nil
	}
	return lloyd{"skelgo", run, func() error { return nil }}
}

func openPaper(p cloud, device int) (lloyd, error) {
	twin, err := baseline.OpenPaper(device)
	if err != nil {
		return lloyd{}, err
	}
	l := lloyd{name: "raw-paper", close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.run = later(func(maxIter int) (c clustering, err error) {
		var labels []int32
		labels, c.iterations, err = twin.Run(slices.Clone(p.rows[:p.k*p.dim]), maxIter)
		c.sizes = sizes(labels, p.k)
		return c, err
	})
	return l, twin.Upload(p.rows, p.n, p.dim, p.k)
}

func openOnDevice(p cloud, device int) (lloyd, error) {
	twin, err := baseline.OpenOnDevice(device)
	if err != nil {
		return lloyd{}, err
	}
	l := lloyd{name: "raw-device", close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.run = later(func(maxIter int) (c clustering, err error) {
		c.iterations, err = twin.Run(p.rows[:p.k*p.dim], maxIter)
		return c, err
	})
	run := l.run
	l.run = func() (clustering, error) {
		c, err := run()
		if err != nil {
			return c, err
		}
		labels, _, err := twin.Download()
		c.sizes = sizes(labels, p.k)
		return c, err
	}
	return l, twin.Upload(p.rows, p.n, p.dim, p.k)
}

// later times the iterations after the first: what a run with all takes longer
// than one with one, so that what a program does before and after does not
// count.
func later(run func(maxIter int) (clustering, error)) func() (clustering, error) {
	return func() (clustering, error) {
		start := time.Now()
		if _, err := run(1); err != nil {
			return clustering{}, err
		}
		first := time.Since(start)
		start = time.Now()
		c, err := run(iterations)
		c.perIteration = (time.Since(start) - first) / time.Duration(max(1, c.iterations-1))
		return c, err
	}
}

func sizes(labels []int32, k int) []int {
	s := make([]int, k)
	for _, l := range labels {
		s[l]++
	}
	return s
}
