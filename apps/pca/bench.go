package pca

import (
	"fmt"
	"math"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
)

// benchRows returns the rows of principal components: of a tall matrix of float32, by the
// methods that compute all components.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	return []*benchmark.Row{benchRow(s, Covariance, 2), benchRow(s, TSQR, 4)}
}

// benchRow returns the row of a method. Apart from the means, the covariance needs n rows
// times dim^2 multiplications with additions, and the triangular factor twice as many.
func benchRow(s *benchmark.Suite, method Method, goal float64) *benchmark.Row {
	const dim = 64
	n := max(s.Size(1<<20), 4*dim)
	r := &benchmark.Row{
		Name:   fmt.Sprintf("PCA/method=%s/type=float32/n=%d/dim=%d", method, n, dim),
		Bytes:  4 * int64(n) * dim,
		Ops:    2 * float64(n) * dim * dim,
		Memory: 8 * int64(n) * dim,
		Goals:  s.GPUGoals("torch", goal),
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		elements, err := benchmark.Float32s.Fill(s, n*dim, 0)
		if err != nil {
			return nil, err
		}
		x := matrix.Of(elements, n, dim)
		c := &benchmark.Case{
			Free:  benchmark.Containers(x),
			Check: func() error { return checkMethod(s, method, min(n, 20_000), dim) },
			Sample: func() (time.Duration, error) {
				start := time.Now()
				_, err := Fit(s.Context, x, Options{Method: method})
				return time.Since(start), err
			},
		}
		if s.Torch != nil {
			sample := s.Torch.Sampler(fmt.Sprintf("pca-%s %d %d", method, n, dim))
			c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: "torch", Sample: sample})
		}
		return c, nil
	}
	return r
}

// checkMethod compares the variances of the two methods.
func checkMethod(s *benchmark.Suite, method Method, n, dim int) error {
	elements, err := benchmark.Float32s.Fill(s, n*dim, 0)
	if err != nil {
		return err
	}
	defer elements.Free()
	x := matrix.Of(elements, n, dim)
	variances := map[Method][]float64{}
	for _, m := range []Method{Covariance, TSQR} {
		r, err := Fit(s.Context, x, Options{Method: m})
		if err != nil {
			return err
		}
		variances[m] = r.Variances
	}
	for k, v := range variances[method] {
		for _, w := range variances {
			if math.Abs(v-w[k]) > 1e-12*w[0] {
				return fmt.Errorf("%s: variance %d is %v, not %v", method, k, v, w[k])
			}
		}
	}
	return nil
}
