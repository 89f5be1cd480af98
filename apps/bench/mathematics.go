package bench

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// argument returns number i of a sequence that fills the interval from lo to hi evenly.
func argument(i int, lo, hi float64) float64 {
	return lo + float64((hi-lo)*(float64(int32(uint32(i)*2654435769))*0x1p-32+0.5))
}

// mathematics returns the rows of functions whose results are the same on all devices. Their yardstick is
// the device's own function, which a kernel calls for the function of package math.
func mathematics(s *benchmark.Suite) []*benchmark.Row {
	n := s.Size(1 << 26)
	goals := s.GPUGoals("own", 0.7)
	return []*benchmark.Row{
		mathRow("Exp", n, goals, func(i int) float64 { return math64.Exp(argument(i, -20, 20)) },
			skel.NewMap(func(i int) float64 { return math64.Exp(argument(i, -20, 20)) }),
			skel.NewMap(func(i int) float64 { return math.Exp(argument(i, -20, 20)) })),
		mathRow("Log", n, goals, func(i int) float64 { return math64.Log(argument(i, 0, 100)) },
			skel.NewMap(func(i int) float64 { return math64.Log(argument(i, 0, 100)) }),
			skel.NewMap(func(i int) float64 { return math.Log(argument(i, 0, 100)) })),
		mathRow("Sin", n, goals, func(i int) float64 { return math64.Sin(argument(i, -20, 20)) },
			skel.NewMap(func(i int) float64 { return math64.Sin(argument(i, -20, 20)) }),
			skel.NewMap(func(i int) float64 { return math.Sin(argument(i, -20, 20)) })),
		mathRow("Pow", n, nil, func(i int) float64 { return math64.Pow(argument(i, 0, 100), 2.7) },
			skel.NewMap(func(i int) float64 { return math64.Pow(argument(i, 0, 100), 2.7) }),
			skel.NewMap(func(i int) float64 { return math.Pow(argument(i, 0, 100), 2.7) })),
		mathRow("Erf", n, nil, func(i int) float64 { return math64.Erf(argument(i, -3, 3)) },
			skel.NewMap(func(i int) float64 { return math64.Erf(argument(i, -3, 3)) }),
			skel.NewMap(func(i int) float64 { return math.Erf(argument(i, -3, 3)) })),
		mathRow("Lgamma", n, nil, func(i int) float64 { return math64.LogGamma(argument(i, 0, 20)) },
			skel.NewMap(func(i int) float64 { return math64.LogGamma(argument(i, 0, 20)) }),
			skel.NewMap(func(i int) float64 {
				l, _ := math.Lgamma(argument(i, 0, 20))
				return l
			})),
	}
}

// mathRow returns the row of a Map of indices that only writes. Its results equal those of f bit by bit.
func mathRow(
	name string, n int, goals []benchmark.Goal, f func(i int) float64,
	ours, own *skel.Map[int, float64],
) *benchmark.Row {
	return &benchmark.Row{
		Name:  fmt.Sprintf("Math/f=%s/type=float64/n=%d", name, n),
		Bytes: 8 * int64(n), Memory: 16 * int64(n),
		Goals: goals,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			at := vector.Indices(n, s.Distribution())
			out, other := ours.Apply(at), own.Apply(at)
			b := &benchmark.Case{
				Free:  benchmark.Containers(out, other),
				Call:  func() error { return ours.ApplyTo(out, at) },
				Check: func() error { return benchmark.CompareElements(out, f) },
			}
			sample, err := benchmark.Sampler(s.Device, func() error { return own.ApplyTo(other, at) }, s.Batch())
			b.Yardsticks = []benchmark.Yardstick{{Name: "own", Sample: sample}}
			return b, err
		},
	}
}
