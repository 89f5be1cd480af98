package math64_test

import (
	"math"
	"math/big"
	"sync"
)

// The functions of this file are the reference: they compute with so many bits
// that their errors do not count.

// prec is the number of bits of results; bits that cancel are added to it.
const prec = 320

func newFloat(bits uint) *big.Float  { return new(big.Float).SetPrec(bits) }
func exactly(x float64) *big.Float   { return newFloat(prec).SetFloat64(x) }
func add(x, y *big.Float) *big.Float { return newFloat(max(x.Prec(), y.Prec())).Add(x, y) }
func sub(x, y *big.Float) *big.Float { return newFloat(max(x.Prec(), y.Prec())).Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return newFloat(max(x.Prec(), y.Prec())).Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return newFloat(max(x.Prec(), y.Prec())).Quo(x, y) }

// float returns x as a float64.
func float(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// less reports whether |x| < 2**e.
func less(x *big.Float, e int) bool { return x.Sign() == 0 || x.MantExp(nil) <= e }

// bigPi returns π with 1600 bits: 16 atan(1/5) - 4 atan(1/239) [Machin 1706].
var bigPi = sync.OnceValue(func() *big.Float {
	const bits = 1700
	inverse := func(n int64) *big.Float { // atan(1/n)
		sum, power := newFloat(bits), quo(newFloat(bits).SetInt64(1), newFloat(bits).SetInt64(n))
		square := newFloat(bits).SetInt64(-n * n)
		for k := int64(1); !less(power, -bits); k += 2 {
			sum.Add(sum, quo(power, newFloat(bits).SetInt64(k)))
			power.Quo(power, square)
		}
		return sum
	}
	four := newFloat(bits).SetInt64(4)
	return mul(four, sub(mul(four, inverse(5)), inverse(239)))
})

var bigLn2 = sync.OnceValue(func() *big.Float { // the sum of 1 / (k * 2**k)
	sum := newFloat(1700)
	for k := 1; k < 1700; k++ {
		sum.Add(sum, quo(newFloat(1700).SetMantExp(big.NewFloat(1), -k), newFloat(1700).SetInt64(int64(k))))
	}
	return sum
})

// bigExpm1 returns e**x - 1 with all bits, however small x is.
func bigExpm1(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	bits := x.Prec() + 64
	halvings := max(0, x.MantExp(nil)+8)
	r := newFloat(bits).SetMantExp(x, -halvings)
	// The sum of r**k / k!, and then (1+y)**2 - 1 = 2y + y**2.
	sum, term := newFloat(bits), newFloat(bits).Set(r)
	for k := int64(2); term.Sign() != 0 && term.MantExp(nil) > r.MantExp(nil)-int(bits); k++ {
		sum.Add(sum, term)
		term = quo(mul(term, r), newFloat(bits).SetInt64(k))
	}
	for range halvings {
		sum = add(add(sum, sum), mul(sum, sum))
	}
	return sum
}

func bigExp(x *big.Float) *big.Float {
	bits := x.Prec() + 64
	n := int(math.Round(float(x) / math.Ln2))
	r := sub(newFloat(bits).Set(x), mul(newFloat(bits).SetInt64(int64(n)), bigLn2()))
	y := add(newFloat(bits).SetInt64(1), bigExpm1(newFloat(bits).Set(r)))
	return newFloat(bits).SetMantExp(y, n)
}

// bigLog1p returns ln(1+x) with all bits, however small x is.
func bigLog1p(x *big.Float) *big.Float {
	if less(x, -60) {
		sum, power := newFloat(prec+64), newFloat(prec+64).Set(x)
		for k := int64(1); k < 8; k++ {
			sum.Add(sum, quo(power, newFloat(prec).SetInt64(k)))
			power = mul(power, newFloat(prec).Neg(x))
		}
		return sum
	}
	u := add(newFloat(prec+1200).SetInt64(1), x)
	m := newFloat(prec + 200)
	k := newFloat(u.Prec()).Set(u).MantExp(m)
	y := newFloat(prec + 200).SetFloat64(math.Log(float(m)))
	for range 4 { // Halley's method: y + 2 * (m - e**y) / (m + e**y)
		e := bigExp(y)
		d := quo(sub(m, e), add(m, e))
		y = add(y, add(d, d))
	}
	return add(y, mul(newFloat(prec+200).SetInt64(int64(k)), bigLn2()))
}

func bigLog(x *big.Float) *big.Float {
	return bigLog1p(sub(newFloat(prec+1200).Set(x), big.NewFloat(1)))
}

// bigSincos returns the sine and the cosine of any float64 times unit.
func bigSincos(x *big.Float) (s, c *big.Float) {
	const bits = prec + 1200
	quarter := newFloat(bits).SetMantExp(newFloat(bits).Set(bigPi()), -1)
	n, _ := add(quo(newFloat(bits).Set(x), quarter), big.NewFloat(math.Copysign(0.5, float(x)))).Int(nil)
	r := sub(newFloat(bits).Set(x), mul(quarter, newFloat(bits).SetInt(n)))
	r = newFloat(prec + 64).Set(r)
	s, c = newFloat(prec+64), newFloat(prec+64)
	term := newFloat(prec + 64).SetInt64(1)
	for k := int64(1); k < 100; k++ {
		sums := [4]*big.Float{c, s, c, s}
		if k&2 != 0 && k&1 != 0 || k&3 == 0 {
			sums[(k-1)&3].Sub(sums[(k-1)&3], term)
		} else {
			sums[(k-1)&3].Add(sums[(k-1)&3], term)
		}
		term = quo(mul(term, r), newFloat(prec).SetInt64(k))
	}
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	case 3:
		return c.Neg(c), s
	}
	return s, c
}

func bigAtan2(y, x *big.Float) *big.Float {
	// A rotation by about the angle leaves a small one. The sign of Go's is wrong
	// if y/x underflows.
	near := math.Copysign(math.Atan2(math.Abs(float(y)), float(x)), float(y))
	s, c := bigSincos(exactly(near))
	d := quo(sub(mul(y, c), mul(x, s)), add(mul(x, c), mul(y, s)))
	sum, power := exactly(near), d
	for k := int64(1); k < 16; k += 2 {
		sum = add(sum, quo(power, newFloat(prec).SetInt64(k)))
		power = mul(mul(power, d), newFloat(prec).Neg(d))
	}
	return sum
}

func bigTanh(x *big.Float) *big.Float {
	e := bigExpm1(add(x, x))
	return quo(e, add(e, big.NewFloat(2)))
}

func bigCbrt(x *big.Float) *big.Float {
	y := exactly(math.Cbrt(float(x)))
	for range 4 {
		square := mul(y, y)
		y = sub(y, quo(sub(mul(square, y), x), mul(square, exactly(3))))
	}
	return y
}

func bigHypot(x, y *big.Float) *big.Float { return newFloat(prec).Sqrt(add(mul(x, x), mul(y, y))) }

// bigErf returns erf(x): 2x/√π * exp(-x**2) * the sum of (2*x**2)**n / (2n+1)!!.
func bigErf(x *big.Float) *big.Float {
	bits := x.Prec()
	square := mul(x, x)
	sum, term := newFloat(bits), newFloat(bits).Set(x)
	for k := int64(3); !less(term, sum.MantExp(nil)-int(bits)-1) || sum.Sign() == 0; k += 2 {
		sum.Add(sum, term)
		term = quo(mul(term, add(square, square)), newFloat(bits).SetInt64(k))
		if term.Sign() == 0 {
			break
		}
	}
	root := newFloat(bits).Sqrt(newFloat(bits).Set(bigPi()))
	return quo(mul(mul(add(sum, sum), bigExp(newFloat(bits).Neg(square))), big.NewFloat(1)), root)
}

func bigErfc(x *big.Float) *big.Float {
	wide := newFloat(prec + 1400).Set(x) // erfc(28) is 2**-1137
	return sub(newFloat(prec+1400).SetInt64(1), bigErf(wide))
}

// bernoulli holds the Bernoulli numbers B2, B4 and so on.
var bernoulli = sync.OnceValue(func() (even []*big.Rat) {
	all := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= 100; m++ {
		sum := new(big.Rat)
		for k := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, all[k]))
		}
		all = append(all, sum.Mul(sum, big.NewRat(-1, m+1)))
		if m%2 == 0 {
			even = append(even, all[m])
		}
	}
	return even
})

// bigGammas returns ln |Gamma(x)| and its derivative.
func bigGammas(x *big.Float) (lgamma, digamma *big.Float) {
	const bits = prec + 64
	if x.Sign() < 0 { // reflection: Gamma(x) * Gamma(1-x) = π / sin(πx)
		pi := newFloat(bits).Set(bigPi())
		s, c := bigSincos(mul(newFloat(prec+1200).Set(bigPi()), x))
		l, d := bigGammas(sub(newFloat(prec+1200).SetInt64(1), x))
		return sub(bigLog(quo(pi, s.Abs(newFloat(bits).Set(s)))), l), sub(d, quo(mul(pi, c), bigSigned(s, x)))
	}
	z, product, inverses := newFloat(max(bits, x.Prec())).Set(x), newFloat(bits).SetInt64(1), newFloat(bits)
	for z.Cmp(big.NewFloat(70)) < 0 {
		product = mul(product, z)
		inverses = add(inverses, quo(newFloat(bits).SetInt64(1), z))
		z = add(z, big.NewFloat(1))
	}
	one := newFloat(bits).SetInt64(1)
	l := bigLog(z)
	half := newFloat(bits).SetFloat64(0.5)
	lgamma = add(sub(mul(sub(z, half), l), z),
		mul(half, bigLog(mul(newFloat(bits).Set(bigPi()), big.NewFloat(2)))))
	digamma = sub(l, quo(half, z))
	power := quo(one, z)
	square := mul(power, power)
	for i, b := range bernoulli()[:44] {
		k := int64(2 * (i + 1))
		term := mul(power, newFloat(bits).SetRat(b))
		lgamma = add(lgamma, quo(term, newFloat(bits).SetInt64(k*(k-1))))
		digamma = sub(digamma, quo(quo(term, z), newFloat(bits).SetInt64(k)))
		power = mul(power, square)
	}
	return sub(lgamma, bigLog(product)), sub(digamma, inverses)
}

// bigSigned returns the sine of πx, whose absolute value is s.
func bigSigned(s, x *big.Float) *big.Float {
	whole, _ := x.Int(nil) // towards 0
	if whole.Bit(0) == 0 {
		return newFloat(s.Prec()).Neg(s)
	}
	return s
}

func bigPow(x, y *big.Float) *big.Float {
	negative := x.Sign() < 0
	r := bigExp(mul(y, bigLog(newFloat(prec).Abs(x))))
	if whole, _ := y.Int(nil); negative && whole.Bit(0) == 1 {
		r.Neg(r)
	}
	return r
}
