package math64_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math64"
)

// function describes a function of one or two arguments and its tests.
type function struct {
	name  string
	f     func(x, y float64) float64
	goes  func(x, y float64) float64 // Go's function, for special values
	exact func(x, y *big.Float) *big.Float
	pair  func(x, y double) double
	// Random arguments are from these intervals, with y from the last if there are
	// two arguments.
	ranges [][2]float64
	two    bool
	// bound is the largest error in units in the last place of the result. If
	// absolute is true, that unit is at least 2**-53: the error is relative or
	// absolute, whichever is larger.
	bound    float64
	absolute func(x float64) bool
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

func oneBig(f func(*big.Float) *big.Float) func(x, y *big.Float) *big.Float {
	return func(x, _ *big.Float) *big.Float { return f(x) }
}

func onePair(f func(double) double) func(x, y double) double {
	return func(x, _ double) double { return f(x) }
}

func negative(x float64) bool { return x < 0 }

var (
	logRanges = [][2]float64{{0, 2}, {0.5, 1.5}, {0, 1e6}, {0.999, 1.001}, {0, 1e300}}
	sinRanges = [][2]float64{{-1, 1}, {-10, 10}, {-1e5, 1e5}}
	moderate  = [][2]float64{{-1, 1}, {-10, 10}, {-1e3, 1e3}, {-1e10, 1e10}}
	functions = []function{
		{name: "Atan", f: one(math64.Atan), goes: one(math.Atan), bound: 0.8,
			exact:  func(x, _ *big.Float) *big.Float { return bigAtan2(x, exactly(1)) },
			pair:   func(x, _ double) double { return x.atan2(of(1)) },
			ranges: moderate},
		{name: "Atan2", f: math64.Atan2, goes: math.Atan2, bound: 0.8, exact: bigAtan2, pair: double.atan2,
			ranges: moderate, two: true},
		{name: "Cbrt", f: one(math64.Cbrt), goes: one(math.Cbrt), bound: 0.51, exact: oneBig(bigCbrt),
			pair: onePair(double.cbrt), ranges: moderate},
		{name: "Cos", f: one(math64.Cos), goes: one(math.Cos), bound: 0.8,
			exact: func(x, _ *big.Float) *big.Float { _, c := bigSincos(x); return c },
			pair:  func(x, _ double) double { _, c := x.sincos(); return c }, ranges: sinRanges},
		{name: "Digamma", f: one(math64.Digamma), goes: one(mathext.Digamma), bound: 1, absolute: negative,
			exact:  func(x, _ *big.Float) *big.Float { _, d := bigGammas(x); return d },
			pair:   func(x, _ double) double { _, d := x.gammas(); return d },
			ranges: [][2]float64{{0, 2}, {1, 1.4}, {1.5, 3}, {0, 10}, {0, 1e5}}},
		{name: "Erf", f: one(math64.Erf), goes: one(math.Erf), bound: 0.95, exact: oneBig(bigErf),
			pair: onePair(double.erf), ranges: [][2]float64{{0, 0.5}, {0, 1}, {0, 2.9}}},
		{name: "Erfc", f: one(math64.Erfc), goes: one(math.Erfc), bound: 0.95, exact: oneBig(bigErfc),
			pair: onePair(double.erfc), ranges: [][2]float64{{0, 0.6}, {0, 2}, {2, 6}, {2, 26}}},
		{name: "Exp", f: one(math64.Exp), goes: one(math.Exp), bound: 0.75, exact: oneBig(bigExp),
			pair: onePair(double.exp), ranges: [][2]float64{{-1, 1}, {-10, 10}, {-700, 709}}},
		{name: "Exp2", f: one(math64.Exp2), goes: one(math.Exp2), bound: 0.75,
			exact: func(x, _ *big.Float) *big.Float { return bigExp(mul(x, newFloat(prec).Set(bigLn2()))) },
			pair: func(x, _ double) double {
				return x.mul(doubleLn2).add(of(x.hi * ln2Third)).exp()
			}, ranges: [][2]float64{{-1, 1}, {-10, 10}, {-1020, 1023}}},
		{name: "Expm1", f: one(math64.Expm1), goes: one(math.Expm1), bound: 0.85, exact: oneBig(bigExpm1),
			pair: onePair(double.expm1), ranges: [][2]float64{{-1, 1}, {-1e-3, 1e-3}, {-40, 10}, {-700, 709}}},
		{name: "Hypot", f: math64.Hypot, goes: math.Hypot, bound: 0.51, exact: bigHypot, pair: double.hypot,
			ranges: moderate, two: true},
		{name: "Log", f: one(math64.Log), goes: one(math.Log), bound: 0.7, exact: oneBig(bigLog),
			pair: onePair(double.log), ranges: logRanges},
		{name: "Log10", f: one(math64.Log10), goes: one(math.Log10), bound: 0.7,
			exact:  func(x, _ *big.Float) *big.Float { return quo(bigLog(x), bigLog(exactly(10))) },
			pair:   func(x, _ double) double { return x.log().div(of(10).log()) },
			ranges: logRanges},
		{name: "Log1p", f: one(math64.Log1p), goes: one(math.Log1p), bound: 0.7, exact: oneBig(bigLog1p),
			pair: func(x, _ double) double {
				if math.Abs(x.hi) > 0.1 {
					return x.add(of(1)).log()
				}
				s := x.div(x.add(of(2)))
				return s.mul(series(s.mul(s), atanhs))
			}, ranges: [][2]float64{{-1, 1}, {-1e-3, 1e-3}, {-1, 1e3}, {0, 1e20}}},
		{name: "Log2", f: one(math64.Log2), goes: one(math.Log2), bound: 0.75,
			exact:  func(x, _ *big.Float) *big.Float { return quo(bigLog(x), newFloat(prec).Set(bigLn2())) },
			pair:   func(x, _ double) double { return x.log().div(doubleLn2) },
			ranges: logRanges},
		{name: "LogGamma", f: one(math64.LogGamma), bound: 0.75, absolute: negative,
			goes:   one(func(x float64) float64 { l, _ := math.Lgamma(x); return l }),
			exact:  func(x, _ *big.Float) *big.Float { l, _ := bigGammas(x); return l },
			pair:   func(x, _ double) double { l, _ := x.gammas(); return l },
			ranges: [][2]float64{{0, 0.99}, {1.01, 1.99}, {2.01, 3}, {2.1, 10}, {3, 1e5}, {3, 1e15}}},
		{name: "Pow", f: math64.Pow, goes: math.Pow, bound: 0.8, exact: bigPow, pair: double.pow,
			ranges: [][2]float64{{0, 2}, {0.5, 1.5}, {0, 1e3}, {0.99, 1.01}, {-60, 60}}, two: true},
		{name: "Sin", f: one(math64.Sin), goes: one(math.Sin), bound: 0.8,
			exact: func(x, _ *big.Float) *big.Float { s, _ := bigSincos(x); return s },
			pair:  func(x, _ double) double { s, _ := x.sincos(); return s }, ranges: sinRanges},
		{name: "Tan", f: one(math64.Tan), goes: one(math.Tan), bound: 0.9,
			exact: func(x, _ *big.Float) *big.Float { s, c := bigSincos(x); return quo(s, c) },
			pair:  func(x, _ double) double { s, c := x.sincos(); return s.div(c) }, ranges: sinRanges},
		{name: "Tanh", f: one(math64.Tanh), goes: one(math.Tanh), bound: 0.75, exact: oneBig(bigTanh),
			pair: onePair(double.tanh), ranges: [][2]float64{{-1, 1}, {-1e-3, 1e-3}, {-20, 20}}},
	}
)

// ulp returns the unit in the last place of a result.
func (f *function) ulp(x, result float64) float64 {
	_, e := math.Frexp(result)
	if f.absolute != nil && f.absolute(x) {
		e = max(e, 0)
	}
	return math.Ldexp(1, max(e-53, -1074))
}

// against returns the error of a result in units in the last place.
func (f *function) against(x, got float64, want *big.Float) float64 {
	near := float(want)
	if math.IsInf(near, 0) || math.IsInf(got, 0) || near != near || got != got {
		if got == near {
			return 0
		}
		return math.Inf(1)
	}
	d := sub(exactly(got), want)
	e := newFloat(prec).SetMantExp(d, 0)
	return math.Abs(float(quo(e, exactly(f.ulp(x, near)))))
}

// each runs f for every function, on all processors.
func each(t *testing.T, test func(t *testing.T, f *function, r *rand.Rand)) {
	for i := range functions {
		f := &functions[i]
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			test(t, f, rand.New(rand.NewPCG(uint64(i), 9)))
		})
	}
}

// worst is the largest error so far.
type worst struct {
	error float64
	x, y  float64
}

func (w *worst) add(e, x, y float64) {
	if e > w.error || e != e {
		*w = worst{e, x, y}
	}
}

func (w *worst) report(t *testing.T, f *function) {
	t.Helper()
	args := fmt.Sprintf("%x", w.x)
	if f.two {
		args += fmt.Sprintf(", %x", w.y)
	}
	t.Logf("at most %.4f units in the last place, for %s(%s)", w.error, f.name, args)
	if !(w.error <= f.bound) {
		t.Errorf("%s(%s) is %x: wrong by %.4f units in the last place, more than %v", f.name, args,
			f.f(w.x, w.y), w.error, f.bound)
	}
}

// TestSpecial compares special results with those of Go: NaN, infinities, zeros
// with their signs, and integers.
func TestSpecial(t *testing.T) {
	each(t, func(t *testing.T, f *function, _ *rand.Rand) {
		seconds := []float64{0}
		if f.two {
			seconds = specials
		}
		for _, x := range specials {
			for _, y := range seconds {
				got, want := f.f(x, y), f.goes(x, y)
				if want == 0 || want != want || math.IsInf(want, 0) || got == 0 || got != got || math.IsInf(got, 0) {
					if e := f.exact; !same(got, want) && (e == nil || f.isWrong(x, y, got)) {
						t.Errorf("%s(%x, %x) is %x, want %x", f.name, x, y, got, want)
					}
				}
			}
		}
	})
}

// isWrong reports whether a result that differs from Go's differs from the exact
// one too. Go's functions overflow and underflow too early or too late.
func (f *function) isWrong(x, y, got float64) bool {
	if x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) || x == 0 || math.Abs(x) > 1e10 && f.name == "Erf" {
		return true
	}
	if x < 0 && x == math.Floor(x) && (f.name == "LogGamma" || f.name == "Digamma") {
		return true // a pole
	}
	want := float(f.exact(exactly(x), exactly(y)))
	return math.Abs(got-want) > f.ulp(x, want) || math.Signbit(got) != math.Signbit(want)
}

// TestExponents compares arguments of every exponent with unlimited precision.
func TestExponents(t *testing.T) {
	each(t, func(t *testing.T, f *function, r *rand.Rand) {
		var w worst
		step := 7
		if devicestest.Thorough() {
			step = 1
		}
		for e := uint64(r.IntN(step)); e < 0x7ff; e += uint64(step) {
			for _, sign := range []uint64{0, 1} {
				x := math.Float64frombits(sign<<63 | e<<52 | r.Uint64N(1<<52))
				y := math.Float64frombits(r.Uint64N(2)<<63 | (e+r.Uint64N(120)+1987)%0x7ff<<52 | r.Uint64N(1<<52))
				if f.name == "Pow" {
					x = math.Abs(x)
					y = 750 * (2*r.Float64() - 1) / math.Log(x)
				}
				if x == 0 || !f.defined(x) {
					continue
				}
				got := f.f(x, y)
				if want := f.small(x, y); want != nil {
					w.add(f.against(x, got, want), x, y)
				}
			}
		}
		w.report(t, f)
	})
}

// defined reports whether the function has a finite result, which the reference
// can compute.
func (f *function) defined(x float64) bool {
	switch f.name {
	case "Log", "Log2", "Log10":
		return x > 0
	case "Log1p":
		return x > -1
	case "LogGamma", "Digamma":
		return x > -1e4 && x != math.Floor(x) || x > 0 && x < 1e305
	case "Exp", "Exp2", "Expm1", "Tanh":
		return math.Abs(x) < 1100
	case "Erf", "Erfc":
		return math.Abs(x) < 28
	}
	return true
}

// small returns the exact result.
func (f *function) small(x, y float64) *big.Float { return f.exact(exactly(x), exactly(y)) }

// TestRandom compares random arguments with pairs: 10^7 of them if
// SKEL_TEST=all is set.
func TestRandom(t *testing.T) {
	each(t, func(t *testing.T, f *function, r *rand.Rand) {
		n := 20_000
		if devicestest.Thorough() {
			n = 10_000_000
		}
		var w worst
		for i := range n {
			x, y := f.random(r, i)
			got, want := f.f(x, y), f.pair(of(x), of(y))
			if math.Abs(want.hi) > 0x1p-960 && !math.IsInf(want.hi, 0) {
				w.add(math.Abs(got-want.hi-want.lo)/f.ulp(x, want.hi), x, y)
			}
		}
		w.report(t, f)
	})
}

func (f *function) random(r *rand.Rand, i int) (x, y float64) {
	ranges := f.ranges
	if f.name == "Pow" {
		ranges = ranges[:len(ranges)-1]
	}
	in := ranges[i%len(ranges)]
	last := f.ranges[len(f.ranges)-1]
	if f.two && f.name != "Pow" {
		last = in
	}
	return in[0] + (in[1]-in[0])*r.Float64(), last[0] + (last[1]-last[0])*r.Float64()
}

// TestReference compares the two references.
func TestReference(t *testing.T) {
	each(t, func(t *testing.T, f *function, r *rand.Rand) {
		for i := range 40 * len(f.ranges) {
			x, y := f.random(r, i)
			want, pair := f.exact(exactly(x), exactly(y)), f.pair(of(x), of(y))
			d := sub(sub(want, exactly(pair.hi)), exactly(pair.lo))
			if math.Abs(pair.hi) > 0x1p-900 && !less(d, int(math.Ilogb(pair.hi))-53-12) {
				t.Errorf("%s(%x, %x): %v and %v", f.name, x, y, want, pair)
			}
		}
	})
}

// TestSigns tests the second result of Lgamma.
func TestSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	check := func(x float64) {
		_, got := math64.Lgamma(x)
		if _, want := math.Lgamma(x); got != want {
			t.Errorf("the sign of Gamma(%v) is %d, want %d", x, got, want)
		}
	}
	for _, x := range specials {
		check(x)
	}
	for range 1000 {
		check(100 * (r.Float64() - 0.8))
	}
}
