package simulate

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Mixture is a mixture of t distributions.
type Mixture struct {
	DF     float64     // degrees of freedom
	Sizes  []int       // the number of rows of each component
	Means  [][]float64 // of the components
	Scales [][]float64 // a lower triangular matrix L for each component, row by row; Σ is LL'
	Seed   uint64
}

// RandomMixture returns a mixture whose means and scales depend on the seed. Its components
// are so far from each other that most rows are nearest to the mean of their own.
func RandomMixture(sizes []int, dim int, df float64, seed uint64) Mixture {
	m := Mixture{DF: df, Sizes: sizes, Seed: seed}
	for g := range sizes {
		mean, scale := make([]float64, dim), make([]float64, dim*dim)
		for i := range dim {
			at := (g*dim + i) * (dim + 1)
			mean[i] = 8 * rng.Normal(seed, mixtureStream, at)
			for j := range i {
				scale[i*dim+j] = 0.4 * rng.Normal(seed, mixtureStream, at+1+j)
			}
			scale[i*dim+i] = 0.5 + rng.Uniform(seed, mixtureStream, at+1+i)
		}
		m.Means, m.Scales = append(m.Means, mean), append(m.Scales, scale)
	}
	return m
}

// choice has what components are drawn from: a permutation of all rows.
type choice struct {
	Seed  uint64
	Total int
	First vector.View[int] // row of each component, before they are permuted
}

// component returns the component of row i: that of the place to which a random permutation
// moves the row.
func component(i int, c choice) int32 {
	place, g := rng.Permuted(c.Seed, mixtureStream, i, c.Total), 0
	for c.First.At(g+1) <= place {
		g++
	}
	return int32(g)
}

// tails has what distances from the mean are drawn from.
type tails struct {
	Seed uint64
	Half float64 // of the degrees of freedom
}

// tail returns the factor by which row i is farther from the mean than a normal row: the
// root of half the degrees of freedom over a gamma variate.
func tail(i int, t tails) float64 { return math.Sqrt(t.Half / gamma(t.Half, t.Seed, i)) }

// gamma returns number i from a gamma distribution, by the rejection of [Marsaglia and Tsang
// 2000]. At least 95% of the attempts succeed, so that 64 failures do not occur.
//
// [Marsaglia and Tsang 2000]: https://doi.org/10.1145/358407.358414
func gamma(shape float64, seed uint64, i int) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math64.Pow(1-rng.Uniform(seed, tailStream, i), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for k := range 64 {
		x := rng.Normal(seed, tailStream+1, 128*i+2*k)
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - rng.Uniform(seed, tailStream+2, 64*i+k)
		if math64.Log(u) < x*x/2+d-d*v+d*math64.Log(v) {
			return boost * d * v
		}
	}
	return boost * d
}

// parts has what rows consist of.
type parts struct {
	Labels  vector.View[int32]
	Tails   vector.View[float64]
	Normals matrix.View[float64]
	Means   matrix.View[float64]
	Scales  matrix.View[float64] // a row for each component
}

// coordinate returns element (i, j) of the rows: μ + tail · Lz.
func coordinate(at matrix.Index, p parts) float64 {
	g, j, dim := int(p.Labels.At(at.Row)), at.Col, p.Means.Cols()
	y := 0.0
	for k := range j + 1 {
		y = math.FMA(p.Scales.At(g, j*dim+k), p.Normals.At(at.Row, k), y)
	}
	return math.FMA(y, p.Tails.At(at.Row), p.Means.At(g, j))
}

var (
	components  = skel.NewMapWith(component)
	factors     = skel.NewMapWith(tail)
	coordinates = skel.NewMapWith(coordinate)
)

// Draw returns rows of the mixture in random order, and the component of each.
func (m Mixture) Draw(where ...vector.Distribution) (*matrix.Matrix[float64], *vector.Vector[int32], error) {
	if !(m.DF > 0) {
		return nil, nil, fmt.Errorf("%v degrees of freedom: they must be positive", m.DF)
	}
	if len(m.Sizes) == 0 || len(m.Means) != len(m.Sizes) || len(m.Scales) != len(m.Sizes) || len(m.Means[0]) == 0 {
		return nil, nil, fmt.Errorf("a mixture needs a size, a mean and a scale for each component")
	}
	dim := len(m.Means[0])
	first := make([]int, len(m.Sizes)+1)
	var means, scales []float64
	for g, n := range m.Sizes {
		if n < 0 || len(m.Means[g]) != dim || len(m.Scales[g]) != dim*dim {
			return nil, nil, fmt.Errorf("component %d: size %d, mean of %d and scale of %d elements", g, n,
				len(m.Means[g]), len(m.Scales[g]))
		}
		first[g+1] = first[g] + n
		means, scales = append(means, m.Means[g]...), append(scales, m.Scales[g]...)
	}
	n := first[len(m.Sizes)]
	all := recording.Everywhere(where...)
	firsts := vector.From(first, all)
	defer firsts.Free()
	meanRows, scaleRows := matrix.From(len(m.Sizes), dim, means, all), matrix.From(len(m.Sizes), dim*dim, scales, all)
	defer meanRows.Free()
	defer scaleRows.Free()
	labels := components.With(choice{m.Seed, n, firsts.View()}).Apply(vector.Indices(n, where...))
	far := factors.With(tails{m.Seed, m.DF / 2}).Apply(vector.Indices(n, where...))
	defer far.Free()
	z := noises.With(white{m.Seed, noiseStream, 0, dim}).ApplyMatrix(matrix.Indices(n, dim, where...))
	defer z.Free()
	x := coordinates.With(parts{labels.View(), far.View(), z.View(), meanRows.View(), scaleRows.View()}).
		ApplyMatrix(matrix.Indices(n, dim, where...))
	return x, labels, x.Wait()
}
