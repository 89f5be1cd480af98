package grayscott

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
)

// rows returns the row of skelgo bench: one step, compared with a copy of the
// plate.
func rows(s *benchmark.Suite) []*benchmark.Row {
	n := s.Side(1 << 14)
	size := int64(n) * int64(n)
	return []*benchmark.Row{{
		Name:  fmt.Sprintf("GrayScott/n=%d", n),
		Bytes: 16 * size, Ops: 26 * float64(size), Memory: 24 * size,
		Goals: s.GPUGoals("copy", 0.8),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			plate := matrix.From(n, n, Drops(n, 1), s.Distribution())
			if err := plate.Wait(); err != nil {
				return nil, err
			}
			rates := Rates{Feed: 0.035, Kill: 0.065}
			out := matrix.New[Cell](n, n, s.Distribution())
			step := func() error { return reacted.With(rates).ApplyTo(out, plate) }
			return &benchmark.Case{
				Free: benchmark.Containers(plate, out),
				Call: step,
				Check: func() error {
					if err := step(); err != nil {
						return err
					}
					got, err := out.At(0, 0)
					if want := Plain(n, Drops(n, 1), rates, 1)[0]; err == nil && got != want {
						err = fmt.Errorf("cell (0, 0) is %v, not %v", got, want)
					}
					return err
				},
			}, nil
		},
	}}
}
