package frequency

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// pair is two samples at equal distances from the middle, earlier and later. E is their sum,
// and O the later minus the earlier one; G is of the samples without the images, and A and B
// are of the orthonormal images.
type pair struct {
	GE, GO, AE, AO, BE, BO float64
	Weight                 float64 // of both: 2, or 1 for a sample in the middle
}

// projected is what does not depend on the frequency. Time is counted in samples from the
// middle, so that the cosine and the sine of any frequency are orthogonal.
type projected struct {
	pairs  []pair
	n      int     // the number of samples
	first  float64 // the time of pair 0: 0 or 0.5
	half   float64 // the time of the last pair
	turn   float64 // radians per sample of 1 Hz
	energy float64 // of the samples without the images
	size   float64 // the sum of their absolute values
}

// parameters is the number of parameters of the model: four amplitudes and the frequency.
const parameters = 5

// project subtracts the images from the samples. The images become orthonormal first.
func (s *Signal) project() (*projected, error) {
	n := len(s.Samples)
	if len(s.Cos) != n || len(s.Sin) != n {
		return nil, app.InputErrorf("%s, but images of %d and %d", app.Count(n, "sample"), len(s.Cos), len(s.Sin))
	}
	if n <= parameters {
		return nil, app.InputErrorf("%s; at least %d are needed", app.Count(n, "sample"), parameters+1)
	}
	for _, list := range [][]float64{s.Samples, s.Cos, s.Sin} {
		for i, v := range list {
			if v-v != 0 {
				return nil, app.InputErrorf("sample %d (from 0) is %v; it must be a number", i, v)
			}
		}
	}
	if !(s.Turn > 0) || math.IsInf(s.Turn, 0) {
		return nil, app.InputErrorf("%v radians per sample; it must be a positive number", s.Turn)
	}
	a, err := unit(s.Cos)
	if err != nil {
		return nil, err
	}
	b, err := unit(s.Sin, a)
	if err != nil {
		return nil, err
	}
	g := without(s.Samples, a, b)
	p := &projected{
		pairs: make([]pair, (n+1)/2), n: n, half: float64(n-1) / 2, turn: s.Turn,
		energy: floats.Dot(g, g), size: floats.Norm(g, 1),
	}
	if math.IsInf(p.energy, 0) {
		return nil, app.InputErrorf("the squares of the samples do not fit float64: use a larger unit")
	}
	if n%2 == 0 {
		p.first = 0.5
	}
	for i := range p.pairs {
		late := n/2 + i
		early := n - 1 - late
		if late == early {
			p.pairs[i] = pair{GE: g[late], AE: a[late], BE: b[late], Weight: 1}
			continue
		}
		p.pairs[i] = pair{
			g[late] + g[early], g[late] - g[early], a[late] + a[early], a[late] - a[early],
			b[late] + b[early], b[late] - b[early], 2,
		}
	}
	return p, nil
}

// dependent is the share of an image below which the rest of it is rounding.
const dependent = 1e-7

// unit returns the part of v that is orthogonal to others, with length 1.
func unit(v []float64, others ...[]float64) ([]float64, error) {
	size := floats.Norm(v, 2)
	u := without(v, others...)
	rest := floats.Norm(u, 2)
	if !(rest > dependent*size) {
		return nil, app.InputErrorf("the images of the carrier are linearly dependent: the carrier must be " +
			"different from 0 and from half of the rate")
	}
	floats.Scale(1/rest, u)
	return u, nil
}

// without returns v without its components along orthonormal vectors. It subtracts them twice,
// because the first time leaves the rounding of large components.
func without(v []float64, along ...[]float64) []float64 {
	v = append([]float64(nil), v...)
	for range 2 {
		for _, u := range along {
			floats.AddScaled(v, -floats.Dot(u, v), u)
		}
	}
	return v
}
