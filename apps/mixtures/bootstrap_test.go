package mixtures

import "testing"

// TestDrawLimits checks that families accept what they draw.
func TestDrawLimits(t *testing.T) {
	for f, c := range map[*Family]Component{
		Gamma: {1, 1e-3, 1}, Weibull: {1, 1e-3, 1}, LogNormal: {1, 0, 300}, InverseGaussian: {1, 1e70, 1e-70},
		Exponential: {1, 1e-75, 0}, Poisson: {1, 1 << 53, 0},
	} {
		for _, x := range Sample(f, []Component{c}, 2000, 1) {
			if wrong := f.Check(x); wrong != "" {
				t.Fatalf("%s: %v: %s", f, x, wrong)
			}
		}
	}
}

// TestBootstrapGroups checks that the size of the groups of samples has no influence.
func TestBootstrapGroups(t *testing.T) {
	sets := raggedSets(Normal, 3)
	o := Options{Family: Normal, MaxComponents: 2, Starts: 2, Bootstrap: 6}
	want := fit(t, o, sets...)
	o.values = 400
	for s, x := range fit(t, o, sets...).Sets {
		for k, e := range x[0].Errors {
			if e != want.Sets[s][0].Errors[k] {
				t.Errorf("set %d: errors %v, want %v", s, e, want.Sets[s][0].Errors[k])
			}
		}
	}
}
