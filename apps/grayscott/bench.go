package grayscott

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
)

// show row

// rows returns the row of skelgo bench: one step, compared with a copy of the
// plate.
func rows(s *benchmark.Suite) []*benchmark.Row {
	n := s.Side(1 << 14)
	size := int64(n) * int64(n)
	return []*benchmark.Row{{
		Name:  fmt.Sprintf("GrayScott/n=%d", n),
		Bytes: 16 * size, Ops: 26 * float64(size), Memory: 24 * size,
		Goals: s.GPUGoals("copy", 0.8),
		Open:  func(s *benchmark.Suite) (*benchmark.Case, error) { return open(s, n) },
	}}
}

// end

// open prepares a step of an n x n plate.
func open(s *benchmark.Suite, n int) (*benchmark.Case, error) {
	start, rates := Drops(n, 1), Rates{Feed: 0.035, Kill: 0.065}
	plate := matrix.From(n, n, start, s.Distribution())
	out := matrix.Uninitialized[Cell](n, n, s.Distribution())
	step := func() error { return reacted.With(rates).ApplyTo(out, plate) }
	check := func() error {
		if err := step(); err != nil {
			return err
		}
		for k := range 100 {
			i, j := int(benchmark.Random(2*k)%uint64(n)), int(benchmark.Random(2*k+1)%uint64(n))
			got, err := out.At(i, j)
			if err != nil {
				return err
			}
			if want := plain(n, start, rates, i, j); got != want {
				return fmt.Errorf("cell (%d, %d) is %v, not %v", i, j, got, want)
			}
		}
		return nil
	}
	return &benchmark.Case{Free: benchmark.Containers(plate, out), Call: step, Check: check}, nil
}
