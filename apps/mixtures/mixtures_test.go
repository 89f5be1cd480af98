package mixtures

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// fit fits mixtures to data sets, on the CPU unless the options say otherwise.
func fit(t testing.TB, o Options, sets ...[]float64) *Result {
	t.Helper()
	if o.Devices == nil {
		cpu, err := devices.Get("cpu")
		if err != nil {
			t.Fatal(err)
		}
		o.Devices = cpu
	}
	all := make([]Set, len(sets))
	for i, x := range sets {
		all[i] = Set{"set", x}
	}
	r, err := FitSets(t.Context(), all, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near reports a number that differs from the one that is wanted by more than a part of it.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// expectComponents compares components with those that are wanted.
func expectComponents(t testing.TB, got, want []Component, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("components %v, want %v", got, want)
	}
	for k, c := range want {
		near(t, "weight", got[k].Weight, c.Weight, tolerance)
		near(t, "P", got[k].P, c.P, tolerance)
		near(t, "Q", got[k].Q, c.Q, tolerance)
	}
}

// bmi returns the body mass indices that the bulkem paper fits.
func bmi(t testing.TB) []float64 {
	x, err := data.ReadVector[float64](t.Context(), "testdata/bmi.txt", data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestKnown compares with results of an independent program.
func TestKnown(t *testing.T) {
	x := bmi(t)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		o := Options{Tolerance: 1e-15, MaxIter: 2000, Devices: []*devices.Device{d}}
		one := fit(t, o, x, []float64{.1, .2, .3, .4})
		near(t, "the log-likelihood", one.Sets[0][0].LogLik, -7098.945267, 1e-10)
		expectComponents(t, one.Sets[0][0].Components, []Component{{1, 28.1883246322, 409.3018488329}}, 1e-11)
		near(t, "the log-likelihood", one.Sets[1][0].LogLik, 2.994191680347, 1e-12)
		expectComponents(t, one.Sets[1][0].Components, []Component{{1, .25, 24. / 29}}, 1e-14)

		o.Given = []Component{{.5, 20, 200}, {.5, 35, 200}}
		two := fit(t, o, x).Sets[0][0]
		near(t, "the log-likelihood", two.LogLik, -6886.38294854, 1e-12)
		expectComponents(t, two.Components,
			[]Component{{0.461053288, 21.6155907, 1950.1794}, {0.538946712, 33.8111079, 1305.4146}}, 3e-7)

		o.OldMean = true // the way is different, the end is not
		near(t, "the log-likelihood with the old mean", fit(t, o, x).Sets[0][0].LogLik, -6886.38294854, 1e-12)

		// In the paper these first components end at a bad fit.
		o.Given, o.OldMean, o.Tolerance, o.Epsilon = []Component{{.5, .99, 1}, {.5, 1.01, 1}}, true, 0, 1e-6
		near(t, "the log-likelihood", fit(t, o, x).Sets[0][0].LogLik, -7098.94526, 1e-9)

		o = Options{MinComponents: 1, MaxComponents: 2, Starts: 5, Seed: 1, Devices: []*devices.Device{d}}
		best := fit(t, o, x).Sets[0].Best()
		if len(best.Components) != 2 || !best.Converged || len(best.Degenerate) != 0 {
			t.Errorf("the best is %+v", best)
		}
		near(t, "the log-likelihood", best.LogLik, -6886.38294854, 1e-8)
		near(t, "BIC", best.BIC, 2*6886.38294854+5*math.Log(2107), 1e-8)
	})
}

// raggedSets draws data sets of different lengths from the demo's mixture of a family.
func raggedSets(f *Family, n int) (sets [][]float64) {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range n {
		sets = append(sets, Sample(f, demoComponents[f.Name], 2+r.IntN(300), uint64(i)))
	}
	return sets
}

// sameFits reports fits that are not bit-identical.
func sameFits(t *testing.T, what string, got, want Fits) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d fits, not %d", what, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.LogLik != w.LogLik || g.ICL != w.ICL || g.Iterations != w.Iterations || g.Start != w.Start ||
			!slices.Equal(g.Components, w.Components) {
			t.Errorf("%s, %d components:\n%+v, not\n%+v", what, len(w.Components), g, w)
		}
	}
}

// TestBatches compares fits in batches of different sizes on every device, and on three
// devices at once if there are three, with fits one by one.
func TestBatches(t *testing.T) {
	for _, f := range Families {
		t.Run(f.Name, func(t *testing.T) {
			sets := raggedSets(f, 7)
			o := Options{Family: f, MinComponents: 1, MaxComponents: 5, Starts: 2, Seed: 3, MaxIter: 60}
			if f != InverseGaussian {
				o.MinComponents, o.MaxComponents = 2, 2
			}
			want := fit(t, o, sets...)
			for s := range 3 {
				// The number of the set seeds its starts, so the others remain, with one value.
				one := make([][]float64, len(sets))
				for i := range one {
					one[i] = sets[i][:1]
				}
				one[s] = sets[s]
				sameFits(t, "alone", fit(t, o, one...).Sets[s], want.Sets[s])
			}
			devicestest.Each(t, func(t *testing.T, d *devices.Device) {
				o := o
				o.Devices, o.lanes = []*devices.Device{d}, 9
				for s, x := range fit(t, o, sets...).Sets {
					sameFits(t, d.ID(), x, want.Sets[s])
				}
				if o.MaxComponents > 2 && !d.Native() {
					return // compilers would take seconds
				}
				o.likeGPU = true
				for s, x := range fit(t, o, sets...).Sets {
					sameFits(t, d.ID()+" like a GPU", x, want.Sets[s])
				}
			})
			all, err := devices.List()
			if err != nil {
				t.Fatal(err)
			}
			o.Devices, o.lanes = all, 5
			for s, x := range fit(t, o, sets...).Sets {
				sameFits(t, "all devices", x, want.Sets[s])
			}
		})
	}
}

// TestFarValue checks that a value whose densities all underflow does no harm.
func TestFarValue(t *testing.T) {
	near(t, "the log density", InverseGaussian.LogDensity(Component{1, 1, 1}, 1e4), -5013.734499090, 1e-9)
	for f, x := range map[*Family]float64{InverseGaussian: 0, Gamma: -1, LogNormal: 0, Weibull: -1, Exponential: -1,
		Poisson: 1.5, Normal: math.Inf(1)} {
		if l := f.LogDensity(Component{1, 1, 1}, x); !math.IsInf(l, -1) {
			t.Errorf("the log density of %s is %v at %v", f, l, x)
		}
	}
	x := []float64{.5, .8, 1, 1.2, 2, 1e4}
	r := fit(t, Options{Given: []Component{{.5, 1, 1}, {.5, 1.5, 2}}}, x).Sets[0][0]
	if !r.Converged || r.LogLik-r.LogLik != 0 {
		t.Errorf("the fit is %+v", r)
	}
	for _, f := range Families {
		if f == Poisson {
			x = []float64{0, 1, 2, 1, 0, 1e4}
		}
		for _, x := range fit(t, Options{Family: f, MinComponents: 1, MaxComponents: 3}, x).Sets[0] {
			if x.LogLik-x.LogLik != 0 {
				t.Errorf("%s: the fit is %+v", f, x)
			}
		}
	}
}

// TestEqualValues fits data sets whose values are all equal, or nearly so.
func TestEqualValues(t *testing.T) {
	for _, f := range Families {
		r := fit(t, Options{Family: f, MinComponents: 1, MaxComponents: 3}, []float64{3, 3, 3}, []float64{7})
		for s, fits := range r.Sets {
			if s == 1 && len(fits) != 1 {
				t.Errorf("%s: %d fits to one value", f, len(fits))
			}
			narrow := f != Exponential && f != Poisson
			for _, x := range fits {
				if x.LogLik-x.LogLik != 0 || x.ICL-x.ICL != 0 {
					t.Errorf("%s: the fit is %+v", f, x)
				}
				if narrow != (len(x.Degenerate) > 0) {
					t.Errorf("%s: %d components of set %d, degenerate %v", f, len(x.Components), s, x.Degenerate)
				}
			}
		}
	}
	r := fit(t, Options{}, []float64{3, 3, 3}).Sets[0][0]
	expectComponents(t, r.Components, []Component{{1, 3, 3e18}}, 1e-12)

	// Two values that occur often are two degenerate components.
	given := []Component{{.5, 3, 10}, {.5, 8, 10}}
	r = fit(t, Options{Given: given}, []float64{2, 2, 2, 9, 9, 9, 9, 9, 9}).Sets[0][0]
	if !slices.Equal(r.Degenerate, []int{0, 1}) {
		t.Errorf("degenerate %v of %v", r.Degenerate, r.Components)
	}
	near(t, "the weight", r.Components[0].Weight, 1./3, 1e-12)
}

// TestShift checks that normal distributions far from 0 are found as well as others.
func TestShift(t *testing.T) {
	x := Sample(Normal, []Component{{0.3, -5, 1}, {0.7, 5, 0.5}}, 400, 1)
	o := Options{Family: Normal, MaxComponents: 2, Init: Quantiles, Starts: 1, Tolerance: 1e-13}
	want := fit(t, o, x).Sets[0][0]
	for _, shift := range []float64{-1 << 24, 1 << 31, 1 << 36} {
		shifted := slices.Clone(x)
		for i := range x {
			shifted[i] = float64(x[i]+shift) - shift // as precise as numbers are there
		}
		want, moved := fit(t, o, shifted).Sets[0][0], slices.Clone(shifted)
		for i := range moved {
			moved[i] += shift
		}
		got := fit(t, o, moved).Sets[0][0]
		if len(got.Degenerate) > 0 {
			t.Errorf("%+v is degenerate", got)
		}
		near(t, "the log-likelihood", got.LogLik, want.LogLik, 1e-9)
		for k, c := range got.Components {
			near(t, "the mean", c.P-shift, want.Components[k].P, 1e-4)
			near(t, "sigma", c.Q, want.Components[k].Q, 1e-4)
		}
	}
	near(t, "sigma", want.Components[0].Q, 1, 0.2)
}

// TestBestAvoidsDegenerate checks that a likelihood without a maximum does not win.
func TestBestAvoidsDegenerate(t *testing.T) {
	x := Sample(Normal, []Component{{1, 0, 1}}, 200, 1)
	for i := range 6 {
		x[i] = 0.25
	}
	r := fit(t, Options{Family: Normal, MinComponents: 1, MaxComponents: 2, Starts: 30, Tolerance: 1e-12}, x).Sets[0]
	if best := r.Best(); len(best.Degenerate) != 0 || len(best.Components) != 1 {
		t.Errorf("the best is %+v", best)
	}
	good, bad := &Fit{LogLik: -10, BIC: 30}, &Fit{LogLik: 10, BIC: -10, Degenerate: []int{0}}
	if (Fits{bad, good}).Best() != good || (Fits{good, bad}).Best() != good || (Fits{bad}).Best() != bad {
		t.Error("a degenerate fit wins")
	}
	if Fits(nil).Best() != nil {
		t.Error("there is a best of no fit")
	}
}

// TestWrongValues checks the errors of values that a family does not have.
func TestWrongValues(t *testing.T) {
	for _, c := range []struct {
		f    *Family
		x    float64
		want string
	}{
		{InverseGaussian, 0, "a: value 2 is 0; for inverse Gaussian distributions it must be positive"},
		{Gamma, -1, "for gamma distributions it must be positive"},
		{LogNormal, math.NaN(), "it must be a number of at most 1e+75"},
		{Weibull, 1e-80, "it must be at least 1e-75"},
		{Normal, math.Inf(1), "it must be a number"},
		{Exponential, -1e-9, "it must not be negative"},
		{Exponential, 1e-320, "it must be 0 or at least 1e-75"},
		{Poisson, 1.5, "it must be a whole number from 0"},
	} {
		_, err := FitSets(t.Context(), []Set{{"a", []float64{1, c.x}}}, Options{Family: c.f})
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestWrongOptions checks the errors of options.
func TestWrongOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"the numbers must be from 1 to 16":       {MaxComponents: 17},
		"3 to 2 components":                      {MinComponents: 3, MaxComponents: 2},
		"1 components are given":                 {MaxComponents: 2, Given: []Component{{1, 1, 1}}},
		"given component 1, with weight 1":       {Given: []Component{{1, -1, 1}}},
		"the weight, mu and lambda must be":      {Given: []Component{{1, 1, 1}, {0, 1, 1}}},
		"the weight and sigma must be positive":  {Family: Normal, Given: []Component{{1, -1, 0}}},
		"-1 starts":                              {Starts: -1},
		"-1 iterations":                          {MaxIter: -1},
		"init \"k-means\": it must be random":    {Init: "k-means"},
		"neither can be negative":                {Tolerance: -1},
		"1 sample of the bootstrap: there must ": {Bootstrap: 1},
	} {
		_, err := FitSets(t.Context(), []Set{{"a", []float64{1}}}, o)
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for want, set := range map[string]Set{
		"mixtures: empty: it has no values":      {"empty", nil},
		"mixtures: data set 1: it has no values": {},
		"mixtures: data set 1: value 2 is -3;":   {"", []float64{1, -3}},
		"mixtures: small: the largest number is 2e-160; it must be at least 1e-75: divide": {
			"small", []float64{1e-160, -2e-160},
		},
	} {
		o := Options{}
		if set.Name == "small" { // other families check every value
			o.Family = Normal
		}
		_, err := FitSets(t.Context(), []Set{set}, o)
		if !errors.Is(err, ErrInput) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := FindFamily("cauchy"); err == nil {
		t.Error("there is a family cauchy")
	}
}

// TestGivenWeights checks that only the ratios of given weights matter.
func TestGivenWeights(t *testing.T) {
	x := Sample(InverseGaussian, benchComponents, 100, 1)
	given := []Component{{0.25, 1, 1}, {0.75, 4, 2}}
	want := fit(t, Options{Given: given, MaxIter: 3}, x)
	given = []Component{{2, 1, 1}, {6, 4, 2}}
	sameFits(t, "weights with a sum of 8", fit(t, Options{Given: given, MaxIter: 3}, x).Sets[0], want.Sets[0])
	if given[0].Weight != 2 {
		t.Error("the given components were changed")
	}
}

// TestMinComponents checks that the least number of components is the default of the greatest.
func TestMinComponents(t *testing.T) {
	r := fit(t, Options{MinComponents: 2, Starts: 1}, []float64{1, 2, 3, 8}).Sets[0]
	if len(r) != 1 || len(r[0].Components) != 2 {
		t.Errorf("the fits are %v", r)
	}
}

// TestBootstrap compares the standard errors of a normal distribution with known ones.
func TestBootstrap(t *testing.T) {
	const n = 400
	x := Sample(Normal, []Component{{1, 5, 2}}, n, 1)
	r := fit(t, Options{Family: Normal, Bootstrap: 300, Seed: 2}, x)
	e := r.Sets[0][0].Errors
	near(t, "the error of mu", e[0].P, 2/math.Sqrt(n), 0.15)
	near(t, "the error of sigma", e[0].Q, 2/math.Sqrt(2*n), 0.15)
	if e[0].Weight != 0 || r.Count != 10+300 {
		t.Errorf("errors %v, %d fits", e, r.Count)
	}
}

// TestZeros fits counts with many zeros, whose component of zeros is not degenerate.
func TestZeros(t *testing.T) {
	x := append(make([]float64, 100), Sample(Poisson, []Component{{1, 8, 0}}, 200, 1)...)
	best := fit(t, Options{Family: Poisson, MinComponents: 1, MaxComponents: 3}, x).Sets[0].Best()
	if len(best.Components) != 2 || len(best.Degenerate) > 0 {
		t.Errorf("the best is %+v", best)
	}
}

// TestFiniteWins checks that no fit without a likelihood is preferred.
func TestFiniteWins(t *testing.T) {
	good := &Fit{LogLik: -10, BIC: 30, Degenerate: []int{0}}
	for _, l := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		bad := &Fit{LogLik: l, BIC: -2 * l}
		if (Fits{bad, good}).Best() != good || (Fits{good, bad}).Best() != good {
			t.Errorf("log-likelihood %v wins", l)
		}
	}
}

// TestLanes checks that the lanes of a data set have each of its strips once.
func TestLanes(t *testing.T) {
	for _, n := range []int{1, 32, 33, 4096, 4097, 5000, 8192, 8193, 20_000, 100_001} {
		seen := make([]int, strips(n))
		lanes(n, func(first, strips int) {
			for s := range strips {
				seen[first+s*stripGroup]++
			}
		})
		if i := slices.IndexFunc(seen, func(times int) bool { return times != 1 }); i >= 0 {
			t.Errorf("n = %d: strip %d of %d is in %d lanes", n, i, len(seen), seen[i])
		}
	}
}

// TestLongSet compares the fit of a data set whose lanes have several strips with plain loops.
func TestLongSet(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		f := &fitting{
			o:       &Options{Family: InverseGaussian, MaxComponents: 2, Starts: 2},
			sets:    []Set{{"long", Sample(InverseGaussian, benchComponents, 9001, 5)}},
			devices: []*devices.Device{d},
		}
		jobs := []start{{0, 0}, {0, 1}}
		if err := errors.Join(f.o.check(), f.prepare()); err != nil {
			t.Fatal(err)
		}
		b := f.pack(d, 2, jobs)
		b.stop = stopRule{Absolute: math.Inf(-1), MaxIter: math.MaxInt32}
		for i := range jobs {
			copy(b.components[i*2:], f.first(jobs[i], 2))
		}
		plain := newPlainEM(f, 2, jobs, b.components)
		batch, err := InverseGaussian.engine.open(b)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.close()
		if err := checkIterations(batch, b, plain); err != nil {
			t.Error(err)
		}
	})
}
