package spikes

import (
	"math"

	"github.com/skelgo/skelgo/math64"
)

// beta is a beta distribution.
type beta struct {
	A, B     float64
	LogConst float64 // the logarithm of the beta function
}

// newBeta returns the distribution of δ/(δ+ν) for a t distribution of p columns.
func newBeta(p int, nu float64) beta {
	a, b := float64(p)/2, nu/2
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return beta{a, b, la + lb - lab}
}

// cdf returns the probability of less than x, where y = 1-x: the regularized incomplete beta
// function.
func (d beta) cdf(x, y float64) float64 {
	if x <= 0 {
		return 0
	}
	if y <= 0 {
		return 1
	}
	front := math64.Exp(d.A*math64.Log(x) + d.B*math64.Log(y) - d.LogConst)
	if x < (d.A+1)/(d.A+d.B+2) {
		return front * betaFraction(d.A, d.B, x) / d.A
	}
	return 1 - front*betaFraction(d.B, d.A, y)/d.B
}

// The limits of the continued fraction. It converges in about the square root of the larger
// parameter.
const (
	fractionSteps = 5000
	tiny          = 1e-300
)

// betaFraction returns the continued fraction of the incomplete beta function [DLMF 8.17.22],
// by the modified method of Lentz.
//
// [DLMF 8.17.22]: https://dlmf.nist.gov/8.17.22
func betaFraction(a, b, x float64) float64 {
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if d < tiny && d > -tiny {
		d = tiny
	}
	d = 1 / d
	f := d
	for m := 1; m < fractionSteps; m++ {
		k := float64(m)
		// The terms of even and odd number.
		for odd := range 2 {
			t := k * (b - k) * x / ((a + 2*k - 1) * (a + 2*k))
			if odd == 1 {
				t = -(a + k) * (a + b + k) * x / ((a + 2*k) * (a + 2*k + 1))
			}
			d, c = 1+t*d, 1+t/c
			if d < tiny && d > -tiny {
				d = tiny
			}
			if c < tiny && c > -tiny {
				c = tiny
			}
			d = 1 / d
			f *= d * c
		}
		if e := d*c - 1; e < 1e-15 && e > -1e-15 {
			break
		}
	}
	return f
}

// chiSquaredTail returns the probability that a chi-squared variable of p degrees of freedom
// is more than x, a finite sum for whole p [DLMF 8.4.10].
//
// [DLMF 8.4.10]: https://dlmf.nist.gov/8.4
func chiSquaredTail(p int, x float64) float64 {
	h := x / 2
	if h > 700 { // the result would be 0, but for huge p
		h = 700
	}
	term, total, first := math64.Exp(-h), 0.0, 1.0
	if p%2 == 1 {
		root := math.Sqrt(h)
		total = math64.Erfc(root)
		term *= root * (2 / math.Sqrt(math.Pi)) // h^(1/2) e^-h / Γ(3/2)
		first = 1.5
	}
	for k := first; 2*k <= float64(p); k++ {
		total += term
		term *= h / k
	}
	return total
}
