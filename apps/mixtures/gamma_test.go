package mixtures

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestGammaShape compares the equation of the shape with gonum's digamma function.
func TestGammaShape(t *testing.T) {
	for a := 1e-3; a < 1e18; a *= 1.7 {
		f, slope := logMinusDigamma(a)
		if a < 1e5 { // beyond, the difference loses digits
			near(t, "log a - digamma(a)", f, math.Log(a)-mathext.Digamma(a), 1e-9)
		}
		h := a * 1e-4
		above, _ := logMinusDigamma(a + h)
		below, _ := logMinusDigamma(a - h)
		near(t, "the derivative", slope, (above-below)/(2*h), 1e-6)
		near(t, "the shape", gammaShape(f, 1e20), a, 1e-12)
		l, _ := math.Lgamma(a)
		if a < 1e4 {
			near(t, "the constant", gammaConstant(a), a*math.Log(a)-a-l, 1e-11)
		}
	}
	if a := gammaShape(0, 1e6); a != 1e6 {
		t.Errorf("the shape is %v", a)
	}
}

// bigMinusLog1p returns d - log(1+d), where the logarithm is 2 artanh(s) with s = d/(2+d).
func bigMinusLog1p(d *big.Float) *big.Float {
	s := new(big.Float).Quo(d, new(big.Float).Add(d, big.NewFloat(2)))
	sum := new(big.Float).Set(d)
	power := new(big.Float).Add(s, s)
	square := new(big.Float).Mul(s, s)
	for k := int64(1); k < 2000 && power.Sign() != 0 && power.MantExp(nil) > -400; k += 2 {
		sum.Sub(sum, new(big.Float).Quo(power, new(big.Float).SetInt64(k)))
		power.Mul(power, square)
	}
	return sum
}

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }

// TestMinusLog1p compares with numbers of 400 bits.
func TestMinusLog1p(t *testing.T) {
	for size := 1e-18; size < 20; size *= 1.3 {
		for _, d := range []float64{size, -size} {
			if d < -0.99 {
				continue
			}
			want, _ := bigMinusLog1p(bigFloat(d)).Float64()
			tolerance := 1e-15
			if size >= 1.0/64 {
				tolerance = 1e-12
			}
			near(t, "d - log(1+d)", minusLog1p(d, math.Log1p(d)), want, tolerance)
		}
	}
}

// gammaMaximum returns the shape, the mean and the log-likelihood of the most likely gamma
// distribution of values that hardly differ, from sums with 400 bits.
func gammaMaximum(values []float64) (shape, mean, logLik float64) {
	n := bigFloat(float64(len(values)))
	sum, deviation := bigFloat(0), bigFloat(0)
	for _, x := range values {
		sum.Add(sum, bigFloat(x))
	}
	sum.Quo(sum, n)
	for _, x := range values {
		d := bigFloat(x)
		deviation.Add(deviation, bigMinusLog1p(d.Quo(d.Sub(d, sum), sum)))
		logLik -= math.Log(x)
	}
	s, _ := deviation.Quo(deviation, n).Float64()
	mean, _ = sum.Float64()
	// log a - digamma(a) is 1/(2a) + 1/(12a^2), up to parts of a^-3.
	shape = (0.5 + math.Sqrt(0.25+s/3)) / (2 * s)
	stirling := 0.5*math.Log(shape/(2*math.Pi)) - 1/(12*shape)
	return shape, mean, logLik + float64(len(values))*(stirling-shape*s)
}

// TestGammaNarrow fits gamma distributions whose standard deviations are down to 1e-8 of
// their means, alone and two at a time.
func TestGammaNarrow(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		o := Options{Family: Gamma, Init: KMeans, Starts: 1, Tolerance: 1e-15, Devices: []*devices.Device{d}}
		for _, spread := range []float64{1e-4, 1e-6, 1e-8} {
			r := rand.New(rand.NewPCG(1, 1))
			var low, high []float64
			for range 100 {
				low = append(low, 1000*(1+spread*r.NormFloat64()))
				high = append(high, 1000*(1+200*spread+2*spread*r.NormFloat64()))
			}
			shape, mean, logLik := gammaMaximum(low)
			o.MaxComponents = 1
			one := fit(t, o, low).Sets[0][0]
			near(t, "the shape", one.Components[0].P, shape, 1e-13)
			near(t, "the mean", Gamma.Mean(one.Components[0]), mean, 1e-15)
			near(t, "the log-likelihood", one.LogLik, logLik, 1e-14)

			o.MaxComponents = 2
			highShape, highMean, highLogLik := gammaMaximum(high)
			two := fit(t, o, append(low, high...)).Sets[0][0]
			near(t, "the first shape", two.Components[0].P, shape, 1e-13)
			near(t, "the second shape", two.Components[1].P, highShape, 1e-13)
			near(t, "the second mean", Gamma.Mean(two.Components[1]), highMean, 1e-15)
			near(t, "the log-likelihood", two.LogLik, logLik+highLogLik+200*math.Log(0.5), 1e-12)
			if len(two.Degenerate) > 0 {
				t.Errorf("components of spread %v are degenerate: %+v", spread, two)
			}
		}
	})
}
