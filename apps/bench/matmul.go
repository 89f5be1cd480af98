package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/matmul"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
)

// matrices are the rows of matrix products: package matmul, whose function is a
// multiply-add, against cuBLAS in the same arithmetic, without tensor cores.
func matrices(s *session) []*Row {
	n := 4096
	for log2 := s.maxLog2; log2 < largest && n > 16; log2 += 2 {
		n /= 2
	}
	r := &Row{
		Name: fmt.Sprintf("MatMul/type=float32/n=%d", n),
		Ops:  2 * float64(n) * float64(n) * float64(n), Memory: 12 * int64(n) * int64(n),
		outside: []outside{{"cublas", fmt.Sprintf("gemm float32 %d", n)}},
		open:    func(s *session) (*bout, error) { return openMatMul(s, n) },
	}
	if s.gpu() {
		r.Goals = []Goal{{"cublas", 0.6}}
	}
	return []*Row{r}
}

func openMatMul(s *session, n int) (*bout, error) {
	x, y, err := inputs(s, float32s.random, n*n)
	if err != nil {
		return nil, err
	}
	a, b := matrix.Of(x, n, n), matrix.Of(y, n, n)
	product := func() *matrix.Matrix[float32] { return matmul.Product(a, b) }
	return &bout{
		free: freeing(x, y),
		call: func() error {
			c := product()
			defer c.Free()
			_ = c.View() // computes it, and does not wait
			return c.Err()
		},
		check: func() error {
			c := product()
			defer c.Free()
			return checkMatMul(c, n)
		},
	}, nil
}

// checkMatMul computes some elements of the product again: the same operations in
// the same order, so the same bits.
func checkMatMul(c *matrix.Matrix[float32], n int) error {
	for k := range 200 {
		i, j := int(random(k)%uint64(n)), int(random(k+1000)%uint64(n))
		if k == 0 {
			i, j = n-1, n-1
		}
		var want float32
		for l := range n {
			want = math32.FMA(uniform[float32](i*n+l, 0), uniform[float32](l*n+j, second), want)
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
