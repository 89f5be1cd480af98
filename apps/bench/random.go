package bench

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The random numbers that are measured.
func uniform32Of(i int, s rng.Source) float32 { return rng.Uniform32(s.Seed, s.Stream, i) }
func uniform64Of(i int, s rng.Source) float64 { return rng.Uniform(s.Seed, s.Stream, i) }
func normal32Of(i int, s rng.Source) float32  { return rng.Normal32(s.Seed, s.Stream, i) }
func normal64Of(i int, s rng.Source) float64  { return rng.Normal(s.Seed, s.Stream, i) }

var (
	uniforms32 = skel.NewMapWith(uniform32Of)
	uniforms64 = skel.NewMapWith(uniform64Of)
	normals32  = skel.NewMapWith(normal32Of)
	normals64  = skel.NewMapWith(normal64Of)
)

// randomSource is the source of the numbers.
var randomSource = rng.Source{Seed: 1, Stream: 2}

// randoms returns the rows of random numbers: written to memory, and added up in the kernel
// that draws them.
func randoms(s *benchmark.Suite) []*benchmark.Row {
	n := s.Size(1 << 28)
	return []*benchmark.Row{
		randomRow(s, "uniform", float32s, n, uniforms32, uniform32Of),
		randomRow(s, "normal", float32s, n, normals32, normal32Of),
		randomRow(s, "uniform", float64s, n, uniforms64, uniform64Of),
		randomRow(s, "normal", float64s, n, normals64, normal64Of),
		randomSumRow("uniform", float32s, n, uniforms32, 0.5, 1./12),
		randomSumRow("normal", float32s, n, normals32, 0, 1),
	}
}

// randomRow returns the row that writes n numbers.
func randomRow[T number](
	s *benchmark.Suite, name string, k *kind[T], n int, draw *skel.MapWith[int, rng.Source, T],
	f func(i int, s rng.Source) T,
) *benchmark.Row {
	r := &benchmark.Row{
		Name:  fmt.Sprintf("Random/of=%s/type=%s/n=%d", name, k.name, n),
		Bytes: k.size * int64(n), Memory: k.size * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("random-%s %s %d", name, k.name, n)}},
		Goals:    s.GPUGoals("cub", 1),
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		on := vector.Single(s.Device)
		out := draw.With(randomSource).Apply(vector.Indices(n, on))
		return &benchmark.Case{
			Free:  benchmark.Containers(out),
			Call:  func() error { return draw.With(randomSource).ApplyTo(out, vector.Indices(n, on)) },
			Check: func() error { return benchmark.CompareElements(out, func(i int) T { return f(i, randomSource) }) },
		}, out.Wait()
	}
	return r
}

// randomSumRow returns the row that adds up n numbers with the given mean and variance,
// which are not stored.
func randomSumRow[T number](
	name string, k *kind[T], n int, draw *skel.MapWith[int, rng.Source, T], mean, variance float64,
) *benchmark.Row {
	return &benchmark.Row{
		Name: fmt.Sprintf("RandomSum/of=%s/type=%s/n=%d", name, k.name, n),
		Ops:  float64(n), Memory: k.size,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			on := vector.Single(s.Device)
			return scalarCase(func() *vector.Scalar[T] {
				return k.sum.Apply(draw.With(randomSource).Apply(vector.Indices(n, on)))
			}, func(got T) error {
				want := float64(n) * mean
				off := math.Abs(float64(got) - want)
				return wrong(off <= 6*math.Sqrt(float64(n)*variance)+1e-6*float64(n), got, want)
			}), nil
		},
	}
}
