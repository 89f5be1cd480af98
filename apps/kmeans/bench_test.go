package kmeans

import (
	"context"
	"fmt"
	"testing"
	"time"

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
