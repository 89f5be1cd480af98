package mixtures

import (
	"testing"
	"time"
)

// TestNumbers checks the numbers that people read.
func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"1950.3":        withError(1950.3, 0),
		"1950.3 ± 140":  withError(1950.3, 138.1),
		"33.811 ± 100":  withError(33.811, 99.7),
		"0.461 ± 0.016": withError(0.461, 0.0157),
		"5 ± 9.9e+07":   withError(5, 9.87e7),
		"21.9":          rate(219, 10*time.Second),
		"32 080":        rate(32_080, time.Second),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestProgress checks that fits which end early are reported while others of their batch run.
func TestProgress(t *testing.T) {
	slow := Sample(InverseGaussian, benchComponents, 200, 1)
	last, between := 0, 0
	o := Options{MaxComponents: 2, Starts: 2, Tolerance: never, MaxIter: 200, Progress: func(fits int) {
		if fits < last {
			t.Errorf("%d fits after %d", fits, last)
		}
		if last = fits; 0 < fits && fits < 4 {
			between++
		}
	}}
	r := fit(t, o, []float64{1, 2}, slow)
	if last != 4 || r.Count != 4 || between == 0 {
		t.Errorf("%d of %d fits were reported, %d times before the end", last, r.Count, between)
	}
	j := job{fit: o, sets: []Set{{"two", []float64{1, 2}}, {"one", []float64{1}}}}
	j.fit.MinComponents, j.fit.Bootstrap = 1, 10
	if got := j.count(); got != 2*2+10+2+10 {
		t.Errorf("%d fits are expected", got)
	}
}
