package kmeans

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// BenchmarkIteration is the time of one of Lloyd's iterations.
func BenchmarkIteration(b *testing.B) {
	const n = 494_020
	points := KDD(n)
	for _, d := range devicestest.All(b) {
		b.Run(fmt.Sprintf("device=%s/n=%d/dim=%d/k=5", d, n, KDDDim), func(b *testing.B) {
			x := matrix.From(n, KDDDim, points, vector.Single(d))
			defer x.Free()
			var begin, end time.Time
			r, err := Cluster(context.Background(), x, Options{
				K: 5, Init: First, MaxIter: b.N + 1,
				Progress: func(_, iteration, moved int) {
					end = time.Now()
					if iteration == 1 { // it builds the kernels
						begin = end
					}
				},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer r.Free()
			b.ReportMetric(float64(end.Sub(begin).Nanoseconds())/float64(max(1, r.Iterations-1))/1e6, "ms/iteration")
		})
	}
}

// TestPrograms compares all programs that compute k-means.
func TestPrograms(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest, Rounds: 2, Note: t.Logf}
		s.Python = benchmark.FindPython(t.Context(), "sklearn")
		p, points, err := newProblem(s, 20_000, 34, 5)
		if err != nil {
			t.Fatal(err)
		}
		defer points.Free()
		all := []program{clusterProgram(points, 5)}
		var number int
		if _, err := fmt.Sscanf(d.ID(), "opencl:%d", &number); err == nil {
			paper, err1 := paperProgram(p, number)
			device, err2 := deviceProgram(p, number)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			all = append(all, paper, device)
		}
		if s.Python != "" {
			l, err := scikitProgram(t.Context(), p, s.Python)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, l)
		}
		var first clustering
		for i, l := range all {
			c, err := l.run()
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = c
			}
			// scikit-learn computes distances by matrix products, which may
			// move a point between two centres.
			for k, size := range c.sizes {
				if d := size - first.sizes[k]; d < -2 || d > 2 {
					t.Errorf("%s: sizes %v; skelgo: %v", l.name, c.sizes, first.sizes)
				}
			}
			if c.iterations != first.iterations { // on a busy machine, times are too noisy to check
				t.Errorf("%s: %d iterations; skelgo: %d", l.name, c.iterations, first.iterations)
			}
			if err := l.close(); err != nil {
				t.Error(err)
			}
		}
	})
}
