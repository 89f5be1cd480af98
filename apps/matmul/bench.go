package matmul

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
)

// benchRows returns the row of matrix products, which skelgo bench compares with
// cuBLAS in the same arithmetic, without tensor cores.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	n := s.Side(4096)
	return []*benchmark.Row{{
		Name: fmt.Sprintf("MatMul/type=float32/n=%d", n),
		Ops:  2 * float64(n) * float64(n) * float64(n), Memory: 12 * int64(n) * int64(n),
		Goals:    s.GPUGoals("cublas", 0.6),
		Requests: []benchmark.Request{{Yardstick: "cublas", Text: fmt.Sprintf("gemm float32 %d", n)}},
		Open:     func(s *benchmark.Suite) (*benchmark.Case, error) { return open(s, n) },
	}}
}

// open prepares the product of two n x n matrices.
func open(s *benchmark.Suite, n int) (*benchmark.Case, error) {
	x, y, err := benchmark.Inputs(s, benchmark.Float32s, n*n)
	if err != nil {
		return nil, err
	}
	a, b := matrix.Of(x, n, n), matrix.Of(y, n, n)
	product := func() *matrix.Matrix[float32] { return Product(a, b) }
	return &benchmark.Case{
		Free: benchmark.Containers(x, y),
		Call: func() error {
			c := product()
			defer c.Free()
			_ = c.View() // computes it, and does not wait
			return c.Err()
		},
		Check: func() error {
			c := product()
			defer c.Free()
			return check(c, n)
		},
	}, nil
}

// check computes some elements of the product again, with the same operations in
// the same order.
func check(c *matrix.Matrix[float32], n int) error {
	for k := range 200 {
		i, j := int(benchmark.Random(k)%uint64(n)), int(benchmark.Random(k+1000)%uint64(n))
		if k == 0 {
			i, j = n-1, n-1
		}
		var want float32
		for l := range n {
			a := benchmark.Uniform[float32](i*n+l, 0)
			b := benchmark.Uniform[float32](l*n+j, benchmark.SecondInput)
			want = math32.FMA(a, b, want)
		}
		got, err := c.At(i, j)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("element (%d, %d) is %v, not %v", i, j, got, want)
		}
	}
	return nil
}
