package mixtures

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/math64"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// logProbs are independent log densities.
var logProbs = map[*Family]func(c Component, x float64) float64{
	InverseGaussian: func(c Component, x float64) float64 {
		return (math.Log(c.Q/(2*math.Pi*x*x*x)) - c.Q*(x-c.P)*(x-c.P)/(c.P*c.P*x)) / 2
	},
	Normal: func(c Component, x float64) float64 { return distuv.Normal{Mu: c.P, Sigma: c.Q}.LogProb(x) },
	Gamma:  func(c Component, x float64) float64 { return distuv.Gamma{Alpha: c.P, Beta: c.Q}.LogProb(x) },
	LogNormal: func(c Component, x float64) float64 {
		return distuv.LogNormal{Mu: c.P, Sigma: c.Q}.LogProb(x)
	},
	Weibull:     func(c Component, x float64) float64 { return distuv.Weibull{K: c.P, Lambda: c.Q}.LogProb(x) },
	Exponential: func(c Component, x float64) float64 { return distuv.Exponential{Rate: c.P}.LogProb(x) },
	Poisson:     func(c Component, x float64) float64 { return distuv.Poisson{Lambda: c.P}.LogProb(x) },
}

// logLik returns the log-likelihood of components, and the sum of the posterior entropies.
func logLik(f *Family, components []Component, values []float64) (sum, entropy float64) {
	for _, x := range values {
		top := math.Inf(-1)
		logs := make([]float64, len(components))
		for k, c := range components {
			logs[k] = math.Log(c.Weight) + logProbs[f](c, x)
			top = max(top, logs[k])
		}
		total := 0.0
		for _, l := range logs {
			total += math.Exp(l - top)
		}
		all := top + math.Log(total)
		sum += all
		for _, l := range logs {
			if p := math.Exp(l - all); p > 0 {
				entropy -= p * math.Log(p)
			}
		}
	}
	return sum, entropy
}

// free returns components as unconstrained numbers, and components undoes that.
func free(f *Family, components []Component) (theta []float64) {
	for _, c := range components {
		p := c.P
		if f != Normal && f != LogNormal {
			p = math.Log(p)
		}
		theta = append(theta, math.Log(c.Weight), p)
		if len(f.Parameters) > 1 {
			theta = append(theta, math.Log(c.Q))
		}
	}
	return theta
}

func components(f *Family, theta []float64) (all []Component) {
	size, total := 1+len(f.Parameters), 0.0
	for i := 0; i < len(theta); i += size {
		c := Component{Weight: math.Exp(theta[i]), P: theta[i+1]}
		if f != Normal && f != LogNormal {
			c.P = math.Exp(c.P)
		}
		if size > 2 {
			c.Q = math.Exp(theta[i+2])
		}
		all, total = append(all, c), total+c.Weight
	}
	for k := range all {
		all[k].Weight /= total
	}
	return all
}

// TestMaximum fits 100 random problems of each family in one batch, and compares each maximum
// with the one that a general maximizer of the independent likelihood finds from near there.
func TestMaximum(t *testing.T) {
	const problems = 100
	for _, f := range Families {
		t.Run(f.Name, func(t *testing.T) {
			sets, starts := make([][]float64, problems), make([][]float64, problems)
			r := rand.New(rand.NewPCG(7, 7))
			for i := range sets {
				sets[i] = Sample(f, demoComponents[f.Name], 60+r.IntN(60), uint64(i)+100)
			}
			o := Options{Family: f, MaxComponents: 2, Init: KMeans, Starts: 1, Tolerance: 1e-15, MaxIter: 100_000}
			all := fit(t, o, sets...).Sets
			for i, fits := range all {
				starts[i] = free(f, fits[0].Components)
				for k := range starts[i] {
					starts[i][k] += 0.02 * r.NormFloat64()
				}
			}
			inParallel(problems, func(i int) {
				x := all[i][0]
				if !x.Converged {
					t.Errorf("problem %d: %+v has not converged", i, x)
				}
				want, entropy := logLik(f, x.Components, sets[i])
				near(t, "the log-likelihood", x.LogLik, want, 1e-12)
				near(t, "ICL", x.ICL, x.BIC+2*entropy, 1e-9)
				found := maximum(f, sets[i], starts[i])
				if d := found.LogLik - x.LogLik; !(math.Abs(d) <= 1e-10*math.Abs(x.LogLik)) {
					t.Errorf("problem %d: the maximum differs by %v: %v, not %v", i, d, x.Components, found.Components)
				}
			})
		})
	}
}

// maximum maximizes the independent likelihood from a start, with numerical derivatives.
func maximum(f *Family, values, start []float64) Fit {
	fall := func(theta []float64) float64 {
		l, _ := logLik(f, components(f, theta), values)
		return -l
	}
	problem := optimize.Problem{Func: fall, Grad: func(slope, theta []float64) {
		fd.Gradient(slope, fall, theta, &fd.Settings{Formula: fd.Central})
	}}
	settings := &optimize.Settings{
		GradientThreshold: 1e-6, Converger: &optimize.FunctionConverge{Relative: 1e-14, Iterations: 10},
	}
	// Its only error is that the line search can go no further, which happens at a maximum.
	found, _ := optimize.Minimize(problem, start, settings, &optimize.BFGS{})
	if found == nil {
		return Fit{LogLik: math.NaN()}
	}
	return Fit{LogLik: -found.F, Components: components(f, found.X)}
}

// TestNeverFalls checks that the likelihood never falls from iteration to iteration.
func TestNeverFalls(t *testing.T) {
	rapid.Check(t, func(q *rapid.T) {
		f := rapid.SampledFrom(Families).Draw(q, "family")
		draw := rapid.Custom(func(q *rapid.T) float64 {
			switch f {
			case Poisson:
				return float64(rapid.IntRange(0, 30).Draw(q, "count"))
			case Normal:
				return math.Round(rapid.Float64Range(-50, 50).Draw(q, "value")*1e9) / 1e9 // squares of others may be 0
			}
			return math.Exp(rapid.Float64Range(-6, 6).Draw(q, "log"))
		})
		x := rapid.SliceOfN(draw, 3, 70).Draw(q, "values")
		o := Options{
			Family: f, MaxComponents: rapid.IntRange(1, 3).Draw(q, "components"), Starts: 1,
			Init:      rapid.SampledFrom([]Init{RandomValues, Quantiles, KMeans}).Draw(q, "init"),
			Seed:      rapid.Uint64Range(0, 100).Draw(q, "seed"),
			Tolerance: 1e-300,
		}
		last := math.Inf(-1)
		for _, o.MaxIter = range []int{1, 2, 7} {
			now := fit(t, o, x).Sets[0][0].LogLik
			if !(now >= last) {
				q.Fatalf("after %d iterations the log-likelihood falls from %v to %v", o.MaxIter, last, now)
			}
			last = now
		}
	})
}

// TestDraw compares the means of random numbers with those of their distributions.
func TestDraw(t *testing.T) {
	const n = 20_000
	for _, f := range Families {
		for k, c := range demoComponents[f.Name] {
			c.Weight = 1
			x := Sample(f, []Component{c}, n, uint64(k))
			m := momentsOf(x, false)
			if d := m.Mean - f.Mean(c); math.Abs(d) > 5*math.Sqrt(m.Var/n) {
				t.Errorf("%s: the mean of %v is %v, want %v", f, c, m.Mean, f.Mean(c))
			}
			// The likelihood is the largest near the true parameters.
			near, _ := logLik(f, []Component{c}, x)
			p, q := f.estimate(x, f.limit(momentsOf(x, f.logs)))
			best, _ := logLik(f, []Component{{1, p, q}}, x)
			if best < near || best > near+15 {
				t.Errorf("%s: log-likelihood %v of %v, and %v of the estimate %v %v", f, near, c, best, p, q)
			}
		}
	}
}

// TestDecay compares decay with math64.Exp, whose error is hardly more than half a unit in the last
// place.
func TestDecay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := -rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 700)).Draw(t, "-x")
		got, want := decay(x), math64.Exp(x)
		if unit := math.Nextafter(want, 1) - want; math.Abs(got-want) > 1.5*unit {
			t.Fatalf("decay(%v) = %v, want %v", x, got, want)
		}
	})
	for x, want := range map[float64]float64{0: 1, math.Inf(-1): 0, -701: 0, -1e300: 0} {
		if got := decay(x); got != want {
			t.Errorf("decay(%v) = %v, want %v", x, got, want)
		}
	}
	if got := decay(math.NaN()); got == got {
		t.Errorf("decay(NaN) = %v", got)
	}
}
