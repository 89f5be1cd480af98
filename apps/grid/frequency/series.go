package frequency

import (
	"math"

	"github.com/skelgo/skelgo/math64"
)

// order is the number of terms of a series.
const order = 8

// widest is the largest |δ| at which a series is evaluated, where δ is the distance to the
// middle of the block in radians at the last sample. The remainder of the series of a sum is
// at most |δ|^order/order! of the sum of absolute values; for the sum of the double frequency
// it is |2δ|^order/order! = 2⁻⁵³.
const widest = 0.019

// series has the Taylor coefficients of the sums, as polynomials of δ.
type series struct{ C [sums][order]float64 }

// blocks is an axis that is divided into blocks of nodes.
type blocks struct {
	Wave       wave
	Unit       float64 // 1 / the time of the last pair
	From, Step float64 // of the axis, in Hz
	Turn       float64 // radians per sample of 1 Hz
	Base       int     // the position of the first node of block 0
	Nodes      int     // in a block
}

// middle returns the frequency of the middle of a block, in radians per sample.
func (b blocks) middle(block int) float64 {
	at := float64(b.Base+block*b.Nodes) + float64(b.Nodes-1)/2
	return math.FMA(b.Step, at, b.From) * b.Turn
}

// expand returns the series of a block.
func expand(block int, b blocks) (z series) {
	inverse := [order]float64{1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8}
	w := b.middle(block)
	turnS, turnC := math64.Sincos(w)
	n := b.Wave.Pairs.Len()
	for start := 0; start < n; start += Restart {
		s, c := phase(w, float64(start)+b.Wave.First)
		var part series
		for i := start; i < min(start+Restart, n); i++ {
			p := b.Wave.Pairs.At(i)
			u := (float64(i) + b.Wave.First) * b.Unit
			// The derivatives of the cosine, the sine, and the cosine of the double angle.
			ck, sk := c, s
			dk, ek := math.FMA(c, c, -(s*s)), 2*s*c
			for k := range order {
				part.C[gC][k] = math.FMA(p.GE, ck, part.C[gC][k])
				part.C[gS][k] = math.FMA(p.GO, sk, part.C[gS][k])
				part.C[aC][k] = math.FMA(p.AE, ck, part.C[aC][k])
				part.C[aS][k] = math.FMA(p.AO, sk, part.C[aS][k])
				part.C[bC][k] = math.FMA(p.BE, ck, part.C[bC][k])
				part.C[bS][k] = math.FMA(p.BO, sk, part.C[bS][k])
				part.C[dC][k] = math.FMA(p.Weight, dk, part.C[dC][k])
				v := u * inverse[k]
				ck, sk = -sk*v, ck*v
				dk, ek = -ek*(2*v), dk*(2*v)
			}
			s, c = rotate(s, c, turnS, turnC)
		}
		for k := range sums {
			for j := range order {
				z.C[k][j] += part.C[k][j]
			}
		}
	}
	return z
}

// polynomial is a series in the type in which it is evaluated.
type polynomial[T number] struct{ C [sums][order]T }

func polynomialOf[T number](z series) (p polynomial[T]) {
	for s := range sums {
		for k := range order {
			p.C[s][k] = T(z.C[s][k])
		}
	}
	return p
}
