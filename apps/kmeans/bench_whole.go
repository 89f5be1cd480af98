package kmeans

import (
	"context"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// wholeIterations is the maximum number of iterations of the rows of this file, which time
// all iterations: how many distances bounds avoid differs from iteration to iteration.
const wholeIterations = 50

// blob returns coordinate i of points in 64 groups.
func blob(i, first int) float32 {
	group := int(benchmark.Random(i/generatedDim+first) >> 58)
	center := benchmark.Uniform[float32](group*generatedDim+i%generatedDim, benchmark.SecondInput)
	return 2*center + benchmark.Uniform[float32](i, first)
}

// uniform returns coordinate i of points without groups.
func uniform(i, first int) float32 { return benchmark.Uniform[float32](i, first) }

var (
	inBlobs = benchmark.NewSource(skel.NewMapWith(blob), blob)
	inNoise = benchmark.NewSource(skel.NewMapWith(uniform), uniform)
)

// wholeRows returns the rows of this file.
func wholeRows(s *benchmark.Suite) []*benchmark.Row {
	return []*benchmark.Row{
		wholeRow(s, "kdd", nil, KDDPoints, KDDDim, 5, 30),
		wholeRow(s, "blobs", &inBlobs, 10_000_000, generatedDim, 16, 20),
		wholeRow(s, "blobs", &inBlobs, 10_000_000, generatedDim, 256, 15),
		wholeRow(s, "noise", &inNoise, 10_000_000, generatedDim, 16, 0),
		wholeRow(s, "noise", &inNoise, 10_000_000, generatedDim, 256, 0),
	}
}

// wholeRow returns the row of the mean time of an iteration, to convergence or for
// wholeIterations, beside the other algorithms.
func wholeRow(
	s *benchmark.Suite, name string, source *benchmark.Source[float32], n, dim, k int, goal float64,
) *benchmark.Row {
	n = max(s.Size(n), 4*k)
	r := &benchmark.Row{
		Name:   fmt.Sprintf("KMeansWhole/points=%s/n=%d/dim=%d/k=%d", name, n, dim, k),
		Bytes:  4 * int64(n) * int64(dim),
		Memory: 20 * int64(n) * int64(dim),
		Goals:  s.GPUGoals(string(Lloyd), 0.95),
	}
	if goal > 0 {
		r.Goals = append(r.Goals, s.GPUGoals("torch", goal)...)
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		p := problem{n: n, dim: dim, k: k}
		var points *matrix.Matrix[float32]
		if source == nil {
			var err error
			if p, points, err = newProblem(s, n, dim, k); err != nil {
				return nil, err
			}
		} else {
			x, err := source.Fill(s, n*dim, 0)
			if err != nil {
				return nil, err
			}
			points = matrix.Of(x, n, dim)
		}
		c := &benchmark.Case{Free: benchmark.Containers(points), Sample: wholeSample(points, k, Auto)}
		for _, a := range []Algorithm{Lloyd, Bounds} {
			c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: string(a), Sample: wholeSample(points, k, a)})
		}
		p.rows = nil // the hand-written versions stop after fewer iterations
		return c, p.addYardsticks(s, c)
	}
	return r
}

// wholeSample returns a function that clusters points and returns the mean time of an
// iteration.
func wholeSample(points *matrix.Matrix[float32], k int, a Algorithm) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		var first, last time.Time
		r, err := Cluster(context.Background(), points, Options{
			K: k, Init: First, MaxIter: wholeIterations, Algorithm: a,
			Progress: func(_, iteration, _ int) {
				last = time.Now()
				if iteration == 0 {
					first = last
				}
			},
		})
		if err != nil {
			return 0, err
		}
		defer r.Free()
		return last.Sub(first) / time.Duration(r.Iterations), nil
	}
}
