package frequency

import (
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/vector"
)

// Restart is the number of pairs of samples after which a rotation restarts.
//
// A rotation multiplies the cosine and the sine of a sample by those of the distance to the
// next one. Each multiplication adds an error of at most 2u to the phase and to the amplitude,
// where u = 2⁻⁵³, and the factor itself is off by u. So after Restart rotations the error is at
// most 3·Restart·u = 1.1e-14. A sum over n samples has at most that share of the sum of absolute
// values as its error, and another (Restart + n/(2·Restart))·u from the additions. In tests the
// largest error is 6e-16.
const Restart = 32

// The sums on which the functional depends, by index: scalar products of the cosine (C) or
// the sine (S) with the samples (g) and with the two images (a, b), and the sum of the cosines
// of the double frequency.
const (
	gC = iota
	gS
	aC
	aS
	bC
	bS
	dC
	sums
)

// wave is what kernels know of the samples.
type wave struct {
	Pairs vector.View[pair]
	First float64 // the time of pair 0
}

// sumsAt returns the sums at a frequency of w radians per sample.
func sumsAt(w float64, x wave) (z [sums]float64) {
	turnS, turnC := math64.Sincos(w)
	n := x.Pairs.Len()
	for start := 0; start < n; start += Restart {
		s, c := phase(w, float64(start)+x.First)
		var part [sums]float64 // of the pairs until the next restart, so that less is rounded
		for i := start; i < min(start+Restart, n); i++ {
			p := x.Pairs.At(i)
			part[gC] = math.FMA(p.GE, c, part[gC])
			part[gS] = math.FMA(p.GO, s, part[gS])
			part[aC] = math.FMA(p.AE, c, part[aC])
			part[aS] = math.FMA(p.AO, s, part[aS])
			part[bC] = math.FMA(p.BE, c, part[bC])
			part[bS] = math.FMA(p.BO, s, part[bS])
			part[dC] = math.FMA(p.Weight, math.FMA(c, c, -(s*s)), part[dC])
			s, c = rotate(s, c, turnS, turnC)
		}
		for k := range sums {
			z[k] += part[k]
		}
	}
	return z
}

// phase returns the sine and the cosine of w·t, with the rounding error of the product.
func phase(w, t float64) (s, c float64) {
	angle := w * t
	s, c = math64.Sincos(angle)
	rest := math.FMA(w, t, -angle)
	return math.FMA(c, rest, s), math.FMA(-s, rest, c)
}

// rotate returns the sine and the cosine of the sum of two angles.
func rotate(s, c, turnS, turnC float64) (sin, cos float64) {
	return math.FMA(s, turnC, c*turnS), math.FMA(c, turnC, -(s * turnS))
}

// number is the type in which the functional is evaluated.
type number interface{ float32 | float64 }

// normal is what the functional needs besides the sums.
type normal[T number] struct {
	N, Energy T
	Singular  T // pivots up to this are rounding errors of 0
}

// functional returns F, and the determinant of the two equations that remain. F is NaN if they
// are singular, for example at frequency 0, where the sine is 0.
func functional[T number](z [sums]T, m normal[T]) (value, determinant T) {
	s00 := math32.FMA(-z[aC], z[aC], math32.FMA(-z[bC], z[bC], (m.N+z[dC])/2))
	s11 := math32.FMA(-z[aS], z[aS], math32.FMA(-z[bS], z[bS], (m.N-z[dC])/2))
	s01 := math32.FMA(-z[aC], z[aS], -(z[bC] * z[bS]))
	factor := s01 / s00
	pivot := math32.FMA(-factor, s01, s11)
	rest := math32.FMA(-factor, z[gC], z[gS])
	value = m.Energy - z[gC]*z[gC]/s00 - rest*rest/pivot
	if !(s00 > m.Singular && pivot > m.Singular) {
		value = T(math.NaN())
	}
	return value, s00 * pivot
}
