package spikes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// The distribution function agrees with gonum's.
func TestBeta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 64).Draw(t, "p")
		nu := math.Exp(rapid.Float64Range(math.Log(0.1), math.Log(testedDF)).Draw(t, "log nu"))
		delta := math.Exp(rapid.Float64Range(-12, 12).Draw(t, "log delta"))
		d := newBeta(p, nu)
		x, y := delta/(delta+nu), nu/(delta+nu)
		got, want := d.cdf(x, y), mathext.RegIncBeta(d.A, d.B, x)
		if math.Abs(got-want) > 1e-8 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
	d := newBeta(3, 5)
	if a, b := d.cdf(0, 1), d.cdf(1, 0); a != 0 || b != 1 {
		t.Errorf("%v at 0, %v at 1", a, b)
	}
}

// The tail agrees with gonum's.
func TestChiSquaredTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 130).Draw(t, "p")
		x := rapid.Float64Range(0, 400).Draw(t, "x")
		got, want := chiSquaredTail(p, x), distuv.ChiSquared{K: float64(p)}.Survival(x)
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
	if far := chiSquaredTail(4, 1e6); far != 0 && far > 1e-200 {
		t.Errorf("%v far away", far)
	}
}

// Spikes of a unit at regular times, and others at random ones.
func TestContamination(t *testing.T) {
	// v = 2τn²f(1-f)/T: 100 of 1000 spikes wrong, in 100 s with 2 ms.
	v := 2 * 0.002 * 1000 * 1000 * 0.1 * 0.9 / 100
	if f := contamination(v, 1000, 0.002, 100); math.Abs(float64(f)-0.1) > 1e-12 {
		t.Errorf("%v, want 0.1", f)
	}
	if f := contamination(1e9, 1000, 0.002, 100); f != 0.5 {
		t.Errorf("%v, want 0.5", f)
	}
	if f := contamination(0, 1000, 0.002, 100); f != 0 {
		t.Errorf("%v, want 0", f)
	}
}
