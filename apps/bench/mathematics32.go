package bench

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// interval is where the arguments of a function are.
type interval struct{ Low, High float32 }

// at returns number i of a sequence that fills the interval evenly.
func (v interval) at(i int) float32 {
	return v.Low + float32((v.High-v.Low)*(float32(uint32(i)*2654435769>>8)*0x1p-24))
}

func ownExp(x float32) float32   { return float32(math.Exp(float64(x))) }
func ownLog(x float32) float32   { return float32(math.Log(float64(x))) }
func ownSin(x float32) float32   { return float32(math.Sin(float64(x))) }
func ownErf(x float32) float32   { return float32(math.Erf(float64(x))) }
func pow32(x float32) float32    { return math32.Pow(x, 2.7) }
func ownPow(x float32) float32   { return float32(math.Pow(float64(x), 2.7)) }
func ownGamma(x float32) float32 { y, _ := math.Lgamma(float64(x)); return float32(y) }

var fillInterval = skel.NewMapWith(func(i int, v interval) float32 { return v.at(i) })

// mathematics32 returns the rows of package math32, whose results are the same on all
// devices. Their yardstick is the device's own float32 function, which a kernel calls for
// the function of package math.
func mathematics32(s *benchmark.Suite) []*benchmark.Row {
	n := s.Size(1 << 26)
	return []*benchmark.Row{
		mathRow32(s, "Exp", n, interval{-20, 20}, math32.Exp, skel.NewMap(math32.Exp), skel.NewMap(ownExp)),
		mathRow32(s, "Log", n, interval{0, 100}, math32.Log, skel.NewMap(math32.Log), skel.NewMap(ownLog)),
		mathRow32(s, "Sin", n, interval{-20, 20}, math32.Sin, skel.NewMap(math32.Sin), skel.NewMap(ownSin)),
		mathRow32(s, "Pow", n, interval{0, 100}, pow32, skel.NewMap(pow32), skel.NewMap(ownPow)),
		mathRow32(s, "Erf", n, interval{-3, 3}, math32.Erf, skel.NewMap(math32.Erf), skel.NewMap(ownErf)),
		mathRow32(s, "Lgamma", n, interval{0, 20}, math32.LogGamma, skel.NewMap(math32.LogGamma),
			skel.NewMap(ownGamma)),
	}
}

// mathRow32 returns the row of a Map. Its results equal those of f bit by bit.
func mathRow32(
	s *benchmark.Suite, name string, n int, in interval, f func(x float32) float32, ours,
	own *skel.Map[float32, float32],
) *benchmark.Row {
	return &benchmark.Row{
		Name:  fmt.Sprintf("Math/f=%s/type=float32/n=%d", name, n),
		Bytes: 8 * int64(n), Memory: 12 * int64(n),
		Goals: s.GPUGoals("own", 0.7),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x := vector.New[float32](n, s.Distribution())
			if err := fillInterval.With(in).ApplyTo(x, vector.Indices(n, s.Distribution())); err != nil {
				return nil, err
			}
			out, other := ours.Apply(x), own.Apply(x)
			b := &benchmark.Case{
				Free: benchmark.Containers(x, out, other),
				Call: func() error { return ours.ApplyTo(out, x) },
				Check: func() error {
					return benchmark.CompareElements(out,
						func(i int) float32 { return f(in.at(i)) })
				},
			}
			sample, err := benchmark.Sampler(s.Device, func() error { return own.ApplyTo(other, x) }, s.Batch())
			b.Yardsticks = []benchmark.Yardstick{{Name: "own", Sample: sample}}
			return b, err
		},
	}
}
