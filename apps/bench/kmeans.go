package bench

import (
	"context"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/kdd"
	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Points is a set of points to cluster, and from where.
type Points struct {
	N, Dim, K int
	MaxIter   int
	Rows      []float32 // the first K are the start
}

// KDDLike makes n points like those of the KDD Cup 1999, for 10 iterations.
func KDDLike(n int) Points {
	return Points{N: n, Dim: kdd.Dim, K: 5, MaxIter: 10, Rows: kdd.Points(n)}
}

// Lloyd is one program that runs Lloyd's iterations.
type Lloyd struct {
	Name  string
	Run   func() (Clustering, error)
	Close func() error
}

// Clustering is what one run of a Lloyd took and gave.
type Clustering struct {
	PerIteration time.Duration
	Iterations   int
	Sizes        []int
}

// Lloyds prepares the programs that there are: skelgo on each of the devices,
// the raw twins on OpenCL device 0, and scikit-learn when python, the name of
// an interpreter that has it, is not empty. All that it gives are to be closed,
// also when there is an error.
func Lloyds(p Points, devs []*devices.Device, python string) (all []Lloyd, err error) {
	var opens []func() (Lloyd, error)
	for _, d := range devs {
		opens = append(opens, func() (Lloyd, error) { return openSkelgo(p, d) })
	}
	opens = append(opens, func() (Lloyd, error) { return openPaper(p) }, func() (Lloyd, error) { return openOnDevice(p) })
	if python != "" {
		opens = append(opens, func() (Lloyd, error) { return openScikit(p, python) })
	}
	for _, open := range opens {
		l, err := open()
		if l.Close != nil {
			all = append(all, l)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// openSkelgo prepares package kmeans. What is timed are the iterations after
// the first, because it does not tell when that begins.
func openSkelgo(p Points, d *devices.Device) (Lloyd, error) {
	points := matrix.From(p.N, p.Dim, p.Rows, vector.Single(d))
	run := func() (c Clustering, err error) {
		var first, last time.Time
		r, err := kmeans.Cluster(context.Background(), points, kmeans.Options{
			K: p.K, Init: kmeans.First, MaxIter: p.MaxIter,
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
		c = Clustering{Iterations: r.Iterations, Sizes: r.Sizes}
		if n := r.Iterations; n > 1 {
			c.PerIteration = last.Sub(first) / time.Duration(n-1)
		}
		return c, nil
	}
	return Lloyd{"skelgo on " + d.ID(), run, func() error { points.Free(); return nil }}, points.Wait()
}

func openPaper(p Points) (Lloyd, error) {
	twin, err := baseline.OpenPaper(0)
	if err != nil {
		return Lloyd{}, err
	}
	l := Lloyd{Name: "raw, as the paper", Close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.Run = later(p, func(maxIter int) (c Clustering, err error) {
		var labels []int32
		labels, c.Iterations, err = twin.Run(slices.Clone(p.Rows[:p.K*p.Dim]), maxIter)
		c.Sizes = sizes(labels, p.K)
		return c, err
	})
	return l, twin.Upload(p.Rows, p.N, p.Dim, p.K)
}

func openOnDevice(p Points) (Lloyd, error) {
	twin, err := baseline.OpenOnDevice(0)
	if err != nil {
		return Lloyd{}, err
	}
	l := Lloyd{Name: "raw, on the device", Close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.Run = later(p, func(maxIter int) (c Clustering, err error) {
		c.Iterations, err = twin.Run(p.Rows[:p.K*p.Dim], maxIter)
		return c, err
	})
	run := l.Run
	l.Run = func() (Clustering, error) {
		c, err := run()
		if err != nil {
			return c, err
		}
		labels, _, err := twin.Download()
		c.Sizes = sizes(labels, p.K)
		return c, err
	}
	return l, twin.Upload(p.Rows, p.N, p.Dim, p.K)
}

// later times the iterations after the first: what a run with all takes longer
// than one with one, so that what a program does before and after does not
// count.
func later(p Points, run func(maxIter int) (Clustering, error)) func() (Clustering, error) {
	return func() (Clustering, error) {
		start := time.Now()
		if _, err := run(1); err != nil {
			return Clustering{}, err
		}
		first := time.Since(start)
		start = time.Now()
		c, err := run(p.MaxIter)
		c.PerIteration = (time.Since(start) - first) / time.Duration(max(1, c.Iterations-1))
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
