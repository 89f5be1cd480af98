package frequency

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"
)

const precision = 200 // bits

// twoPi is 2π with more digits than float64 needs to reduce the angles here.
var twoPi, _, _ = big.ParseFloat("6.2831853071795864769252867665590057683943387987502116419498891846", 10, precision,
	big.ToNearestEven)

// exactPhase returns the sine and the cosine of w·t. The angle is reduced exactly.
func exactPhase(w, t float64) (s, c float64) {
	wide := func(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
	angle := wide(w)
	angle.Mul(angle, wide(t))
	turns, _ := new(big.Float).Quo(angle, twoPi).Float64()
	angle.Sub(angle, new(big.Float).SetPrec(precision).Mul(wide(math.Round(turns)), twoPi))
	rest, _ := angle.Float64()
	return math.Sincos(rest)
}

// bigSum adds up numbers without rounding.
func bigSum(n int, term func(i int) float64) float64 {
	sum := new(big.Float).SetPrec(precision)
	for i := range n {
		sum.Add(sum, new(big.Float).SetFloat64(term(i)))
	}
	v, _ := sum.Float64()
	return v
}

// exactSums returns the seven sums at w radians per sample, and bounds of their absolute values.
func exactSums(p *projected, w float64) (z, size [sums]float64) {
	s, c, double := make([]float64, len(p.pairs)), make([]float64, len(p.pairs)), make([]float64, len(p.pairs))
	for i := range p.pairs {
		s[i], c[i] = exactPhase(w, float64(i)+p.first)
		_, double[i] = exactPhase(2*w, float64(i)+p.first)
	}
	for k, term := range [sums]func(i int) (weight, wave float64){
		gC: func(i int) (float64, float64) { return p.pairs[i].GE, c[i] },
		gS: func(i int) (float64, float64) { return p.pairs[i].GO, s[i] },
		aC: func(i int) (float64, float64) { return p.pairs[i].AE, c[i] },
		aS: func(i int) (float64, float64) { return p.pairs[i].AO, s[i] },
		bC: func(i int) (float64, float64) { return p.pairs[i].BE, c[i] },
		bS: func(i int) (float64, float64) { return p.pairs[i].BO, s[i] },
		dC: func(i int) (float64, float64) { return p.pairs[i].Weight, double[i] },
	} {
		z[k] = bigSum(len(p.pairs), func(i int) float64 { a, b := term(i); return a * b })
		size[k] = bigSum(len(p.pairs), func(i int) float64 { a, _ := term(i); return math.Abs(a) })
	}
	return z, size
}

// fourEquations returns F by the four normal equations of the paper, with exact sums, and the
// condition number of the equations.
func fourEquations(s *Signal, f float64) (value, condition float64) {
	n := len(s.Samples)
	c, sn := make([]float64, n), make([]float64, n)
	for i := range n {
		sn[i], c[i] = exactPhase(f*s.Turn, float64(i))
	}
	functions := [4][]float64{s.Cos, s.Sin, c, sn}
	equations, right := mat.NewSymDense(4, nil), mat.NewVecDense(4, nil)
	for k, a := range functions {
		right.SetVec(k, bigSum(n, func(i int) float64 { return a[i] * s.Samples[i] }))
		for l, b := range functions[:k+1] {
			equations.SetSym(k, l, bigSum(n, func(i int) float64 { return a[i] * b[i] }))
		}
	}
	energy := bigSum(n, func(i int) float64 { return s.Samples[i] * s.Samples[i] })
	var factor mat.Cholesky
	if !factor.Factorize(equations) {
		return math.NaN(), math.Inf(1)
	}
	var x mat.VecDense
	if err := factor.SolveVecTo(&x, right); err != nil {
		return math.NaN(), math.Inf(1)
	}
	return energy - mat.Dot(right, &x), factor.Cond()
}
