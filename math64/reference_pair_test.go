package math64_test

import (
	"math"
	"math/big"
)

// double is a number of about 104 bits, hi + lo. Its functions are a reference
// that is fast enough for 10^7 arguments; TestReference compares it with that of
// unlimited precision. They use other methods than the package: Taylor series
// and corrections of Go's results.
type double struct{ hi, lo float64 }

func of(x float64) double { return double{x, 0} }

func twoSum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func (a double) add(b double) double {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = twoSum(s.hi, s.lo+t.hi)
	return twoSum(s.hi, s.lo+t.lo)
}

func (a double) neg() double         { return double{-a.hi, -a.lo} }
func (a double) sub(b double) double { return a.add(b.neg()) }

func (a double) mul(b double) double {
	p := float64(a.hi * b.hi)
	return twoSum(p, math.FMA(a.hi, b.hi, -p)+math.FMA(a.hi, b.lo, float64(a.lo*b.hi)))
}

func (a double) div(b double) double {
	q1 := a.hi / b.hi
	r := a.sub(b.mul(of(q1)))
	q2 := r.hi / b.hi
	r = r.sub(b.mul(of(q2)))
	return twoSum(q1, q2).add(of(r.hi / b.hi))
}

func (a double) times(x float64) double { return double{a.hi * x, a.lo * x} } // x is a power of 2

func (a double) sqrt() double {
	y := math.Sqrt(a.hi)
	return of(y).add(a.sub(of(y).mul(of(y))).div(of(2 * y)))
}

func series(x double, coefficients []double) double {
	sum := coefficients[len(coefficients)-1]
	for i := len(coefficients) - 2; i >= 0; i-- {
		sum = sum.mul(x).add(coefficients[i])
	}
	return sum
}

// list returns the quotients p(k)/q(k) for k < n.
func list(n int, quotient func(k int) double) (l []double) {
	for k := range n {
		l = append(l, quotient(k))
	}
	return l
}

// Coefficients of Taylor series, and parts of constants.
var (
	exps = func() []double { // 1/(k+1)!
		l := []double{of(1)}
		for k := 2; k < 28; k++ {
			l = append(l, l[len(l)-1].div(of(float64(k))))
		}
		return l
	}()
	sines   = list(14, func(k int) double { return exps[2*k].times(1 - 2*float64(k&1)) })
	cosines = list(13, func(k int) double { return exps[2*k+1].times(2*float64(k&1) - 1) }) // (cos x - 1)/x**2
	atanhs  = list(22, func(k int) double { return of(2).div(of(float64(2*k + 1))) })

	doublePi   = double{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
	piThird    = -0x1.f1976b7ed8fbcp-109
	doubleLn2  = double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln2Third   = 0x1.7b57a079a1934p-111
	sqrtOfPi   = doublePi.sqrt()
	halfLog2Pi = doublePi.times(2).log().times(0.5)

	// B2 / (2*1), B4 / (4*3) and so on.
	stirlings = list(20, func(k int) double {
		m := int64(2 * (k + 1))
		quotient := new(big.Rat).Quo(bernoulli()[k], big.NewRat(m*(m-1), 1))
		hi, _ := quotient.Float64()
		lo, _ := quotient.Sub(quotient, new(big.Rat).SetFloat64(hi)).Float64()
		return double{hi, lo}
	})
)

func (x double) expm1() double {
	n := math.Round(x.hi / math.Ln2)
	r := x.sub(doubleLn2.mul(of(n))).sub(of(n * ln2Third))
	y := r.mul(series(r, exps))
	if n == 0 {
		return y
	}
	power := math.Ldexp(1, int(n))
	if n > 1000 {
		y = y.add(of(1)).times(0x1p1000)
		return y.times(math.Ldexp(1, int(n)-1000)).sub(of(1))
	}
	return y.times(power).add(of(power).sub(of(1)))
}

// exp returns e**x, which must not be subnormal.
func (x double) exp() double {
	n := math.Round(x.hi / math.Ln2)
	r := x.sub(doubleLn2.mul(of(n))).sub(of(n * ln2Third))
	y := r.mul(series(r, exps)).add(of(1))
	return double{math.Ldexp(y.hi, int(n)), math.Ldexp(y.lo, int(n))}
}

func (x double) log() double {
	m, k := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	lo := math.Ldexp(x.lo, -k)
	s := twoSum(m, lo).sub(of(1)).div(twoSum(m, lo).add(of(1)))
	y := s.mul(series(s.mul(s), atanhs))
	n := of(float64(k))
	return doubleLn2.mul(n).add(y).add(of(ln2Third * float64(k)))
}

// sincos is for |x| up to about 10^6.
func (x double) sincos() (s, c double) {
	n := math.Round(x.hi / (math.Pi / 2))
	half := doublePi.times(0.5)
	r := x.sub(twoProduct(half.hi, n)).sub(twoProduct(half.lo, n)).sub(of(piThird / 2 * n))
	square := r.mul(r)
	s, c = r.mul(series(square, sines)), square.mul(series(square, cosines)).add(of(1))
	switch int64(n) & 3 {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

func twoProduct(a, b float64) double {
	p := float64(a * b)
	return double{p, math.FMA(a, b, -p)}
}

func (y double) atan2(x double) double {
	near := of(math.Atan2(y.hi, x.hi))
	s, c := near.sincos()
	d := y.mul(c).sub(x.mul(s)).div(x.mul(c).add(y.mul(s)))
	return near.add(d.sub(of(d.hi * d.hi * d.hi / 3)))
}

func (x double) tanh() double {
	e := x.times(2).expm1()
	return e.div(e.add(of(2)))
}

func (x double) cbrt() double {
	y := of(math.Cbrt(x.hi))
	square := y.mul(y)
	return y.sub(square.mul(y).sub(x).div(square.mul(of(3))))
}

// erf is for |x| < 3.
func (x double) erf() double {
	square := x.mul(x)
	sum, term := of(0), x
	for k := 3.0; term.hi > 0x1p-110*sum.hi; k += 2 {
		sum = sum.add(term)
		term = term.mul(square.times(2)).div(of(k))
	}
	return sum.times(2).mul(square.neg().exp()).div(sqrtOfPi)
}

// erfc is 1 - erf(x) up to 2, and a continued fraction from there:
// exp(-x**2)/√π / (x + 1/2/(x + 2/2/(x + 3/2/(x + ...)))).
func (x double) erfc() double {
	if x.hi < 2 {
		return of(1).sub(x.erf())
	}
	f := x
	for k := math.Round(30 + 800/(x.hi*x.hi)); k > 0; k-- {
		f = x.add(of(k / 2).div(f))
	}
	return x.mul(x).neg().exp().div(sqrtOfPi).div(f)
}

// gammas returns ln Gamma(x) and its derivative for positive x.
func (x double) gammas() (lgamma, digamma double) {
	z, product, inverses := x, of(1), of(0)
	for z.hi < 30 {
		product = product.mul(z)
		inverses = inverses.add(of(1).div(z))
		z = z.add(of(1))
	}
	l := z.log()
	w := of(1).div(z)
	square := w.mul(w)
	lgamma = z.sub(of(0.5)).mul(l).sub(z).add(halfLog2Pi).add(w.mul(series(square, stirlings))).sub(product.log())
	tail := of(0)
	for k := len(stirlings) - 1; k >= 0; k-- {
		tail = tail.mul(square).add(stirlings[k].mul(of(float64(2*k + 1))))
	}
	digamma = l.sub(w.times(0.5)).sub(square.mul(tail)).sub(inverses)
	return lgamma, digamma
}

func (x double) pow(y double) double { return y.mul(x.log()).exp() }

func (x double) hypot(y double) double { return x.mul(x).add(y.mul(y)).sqrt() }
