package simulate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/vector"
)

// all is everything that can be generated.
type all struct {
	Times     []int
	Labels    []int32
	Waveforms []float32
	Centred   []float32
	Recording []int16
}

// generate generates everything, and the recording in blocks of the given length.
func generate(t testing.TB, o Options, block int, where vector.Distribution) (a all) {
	t.Helper()
	s, err := New(o, where)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Free()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	times, err := s.Times()
	must(err)
	labels, err := s.Labels()
	must(err)
	w := s.Waveforms()
	defer w.Free()
	waveforms, err := w.Host()
	must(err)
	c := Centred(w)
	defer c.Free()
	centred, err := c.Host()
	must(err)
	r := s.Recorder(1000)
	defer r.Free()
	for lo := 0; lo < s.Duration; lo += block {
		b, err := r.Block(lo, min(lo+block, s.Duration))
		must(err)
		a.Recording = append(a.Recording, b...)
	}
	a.Times, a.Labels = slices.Clone(times), slices.Clone(labels)
	a.Waveforms, a.Centred = slices.Clone(waveforms), slices.Clone(centred)
	return a
}

// everything are options that use all features.
var everything = Options{
	Spikes: 60, Units: 5, Shares: []float64{3, 1, 1, 2, 1}, Samples: 32, Channels: 3, Seed: 7, Jitter: 1, Noise: 0.1,
	Common: 0.05, Overlaps: 0.3, Fading: 0.4, Moving: 1, Firing: 50, Spectrum: PowerLaw(1, 100),
}

// The results do not depend on the devices, nor on how the recording is divided.
func TestBitIdentical(t *testing.T) {
	want := generate(t, everything, math.MaxInt32, vector.Distribution{})
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if diff := cmp.Diff(want, generate(t, everything, 1000, vector.Single(d))); diff != "" {
			t.Error(diff)
		}
	})
	three := devicestest.Processors(t, 3)
	if diff := cmp.Diff(want, generate(t, everything, 777, vector.Block(three...))); diff != "" {
		t.Error(diff)
	}
}

// plainShape is the form of a spike, written down as in the thesis.
func plainShape(f Form, x float64) float64 {
	switch f.Shape {
	case Gaussian:
		return 1 / f.Tau * (x - f.X0) * math.Exp(-math.Pow((x-f.X0)/(f.Sigma0*math.Sqrt2), 2))
	case Sine:
		if x < f.X0 || x > f.X0+1/f.Sigma0 {
			return 0
		}
		return 1 / f.Tau * math.Pow(math.Sin(f.Sigma0*math.Pi*(x-f.X0)), 2)
	case Lorentz:
	}
	lorentz := func(center, width float64) float64 { return 1 / (1 + math.Pow((x-center)/width, 2)) }
	return 1 / f.Tau * (lorentz(f.X0, f.Sigma0) - lorentz(f.X1, f.Sigma1))
}

// plainJitter returns the form of a single spike.
func plainJitter(f Form, seed uint64, i int) Form {
	z := func(k int) float64 { return rng.Normal(seed, jitterStream, 8*i+k) }
	f.X0, f.X1 = f.X0+0.005*z(0), f.X1+0.005*z(1)
	f.Sigma0, f.Sigma1 = f.Sigma0*(1+0.01*z(2)), f.Sigma1*(1+0.01*z(3))
	f.Tau /= 1 + 0.05*z(4)
	return f
}

// Waveforms and the recording agree with formulas in plain Go.
func TestAgainstFormulas(t *testing.T) {
	o := Options{
		Spikes: 40, Units: 6, Samples: 16, Channels: 2, Seed: 3, Jitter: 1, Noise: 0.05, Common: 0.02, Firing: 100,
		Overlaps: 0.3, Fading: 0.4, Moving: 1.5,
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		got := generate(t, o, 5000, vector.Single(d))
		units := Units(o.Units, o.Channels, o.Seed)
		duration := float64(len(got.Recording) / o.Channels)
		recording, overlaps := make([]float64, len(got.Recording)), 0
		for i, u := range got.Labels {
			passed := float64(got.Times[i]) / duration
			at := func(unit int, f Form, k, c int) float64 {
				distance := float64(c) - units[unit].Position - 1.5*passed
				return plainShape(f, float64(k)/15) * (1 - 0.4*passed) * math.Exp2(-distance*distance)
			}
			own := plainJitter(units[u].Form, o.Seed, i)
			draw := func(k int) float64 { return rng.Uniform(o.Seed, overlapStream, 4*i+k) }
			other, overlapping := (int(u)+1+int(5*draw(1)))%6, Form{}
			overlaps++
			if draw(0) >= 0.3 {
				other, overlaps = -1, overlaps-1
			} else {
				overlapping = plainJitter(units[other].Form, o.Seed, -1-i)
				overlapping.X0, overlapping.X1 = overlapping.X0+draw(2)-0.5, overlapping.X1+draw(2)-0.5
			}
			start := got.Times[i] - units[u].peak(o.Samples)
			for k := range o.Samples {
				for c := range o.Channels {
					pure := at(int(u), own, k, c)
					want := pure + 0.05*rng.Normal(o.Seed, noiseStream, (i*o.Samples+k)*o.Channels+c) +
						0.02*rng.Normal(o.Seed, commonStream, i*o.Samples+k)
					if other >= 0 {
						want += at(other, overlapping, k, c)
					}
					if g := float64(got.Waveforms[(i*o.Samples+k)*o.Channels+c]); math.Abs(g-want) > 1e-6 {
						t.Fatalf("spike %d of unit %d, sample %d, channel %d: %v, not %v", i, u, k, c, g, want)
					}
					if e := (start+k)*o.Channels + c; e >= 0 && e < len(recording) {
						recording[e] += pure
					}
				}
			}
		}
		if overlaps < 5 {
			t.Errorf("only %d of 40 spikes overlap", overlaps)
		}
		for i, g := range got.Recording {
			want := recording[i] + 0.05*rng.Normal(o.Seed, noiseStream, i) + 0.02*rng.Normal(o.Seed, commonStream, i/2)
			if math.Abs(float64(g)-1000*want) > 0.5+1e-6 {
				t.Fatalf("element %d of the recording: %v, not %v", i, g, 1000*want)
			}
		}
	})
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := Options{
			Units:      rapid.IntRange(1, 9).Draw(rt, "units"),
			Samples:    rapid.IntRange(2, 40).Draw(rt, "samples"),
			Seed:       rapid.Uint64().Draw(rt, "seed"),
			Jitter:     rapid.Float64Range(0, 2).Draw(rt, "jitter"),
			Firing:     rapid.Float64Range(1, 90).Draw(rt, "firing"),
			Refractory: 0.005,
		}
		o.Spikes = rapid.IntRange(o.Units, 300).Draw(rt, "spikes")
		s, err := New(o)
		if err != nil {
			if !strings.Contains(err.Error(), "do not fit") {
				rt.Fatal(err)
			}
			return
		}
		defer s.Free()
		times, err := s.Times()
		if err != nil {
			rt.Fatal(err)
		}
		labels, err := s.Labels()
		if err != nil {
			rt.Fatal(err)
		}
		if !slices.IsSorted(times) || times[0] < 0 || times[len(times)-1] >= s.Duration {
			rt.Fatalf("times %v of %d samples", times, s.Duration)
		}
		sizes, last := make([]int, o.Units), map[int32]int{}
		for i, u := range labels {
			sizes[u]++
			if before, ok := last[u]; ok && times[i]-before < 150 {
				rt.Fatalf("unit %d fires at %d and %d", u, before, times[i])
			}
			last[u] = times[i]
		}
		if diff := cmp.Diff(s.Sizes, sizes); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// Rows that are centred have the mean 0.
func TestCentred(t *testing.T) {
	a := generate(t, everything, math.MaxInt32, vector.Distribution{})
	cols := everything.Samples * everything.Channels
	for i := range everything.Spikes {
		sum := float32(0)
		for _, x := range a.Centred[i*cols : (i+1)*cols] {
			sum += x
		}
		if math.Abs(float64(sum)) > 1e-4 {
			t.Fatalf("row %d has the sum %v", i, sum)
		}
	}
}

// The noise of a recording has the variance and the spectrum that it should have: its
// autocorrelation is that of the filter.
func TestNoise(t *testing.T) {
	const n = 200_000
	s, err := New(Options{Spikes: 1, Units: 1, Noise: 1, Firing: 0.1, Seed: 5, Spectrum: PowerLaw(1.5, 500)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Free()
	r := s.Recorder(1000)
	defer r.Free()
	x, err := r.Block(s.Duration+1000, s.Duration+1000+n)
	if err != nil {
		t.Fatal(err)
	}
	half := noiseTaps(s.Spectrum, s.Rate)
	taps := slices.Clone(half)
	slices.Reverse(taps)
	taps = append(taps, half[1:]...)
	for _, lag := range []int{0, 1, 2, 5, 20} {
		got, want := 0.0, 0.0
		for i := range n - lag {
			got += float64(x[i]) * float64(x[i+lag]) / 1e6 / float64(n-lag)
		}
		for k := range len(taps) - lag {
			want += taps[k] * taps[k+lag]
		}
		if math.Abs(got-want) > 0.03 {
			t.Errorf("autocorrelation at lag %d is %.3f, not %.3f", lag, got, want)
		}
	}
	if ratio := power(taps, 1000) / power(taps, 4000); math.Abs(ratio-8) > 0.8 {
		t.Errorf("the power at 1 kHz is %.2f of that at 4 kHz, not 4^1.5 = 8", ratio)
	}
}

// power returns the power of a filter's response at a frequency in Hz, at 30 kHz.
func power(taps []float64, frequency float64) float64 {
	re, im := 0.0, 0.0
	for k, h := range taps {
		sin, cos := math.Sincos(2 * math.Pi * frequency / 30000 * float64(k))
		re, im = re+h*cos, im+h*sin
	}
	return re*re + im*im
}

func TestErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"0 spikes":             {},
		"units":                {Spikes: 5, Units: -1},
		"at least 2 samples":   {Spikes: 5, Samples: 1},
		"2 shares for 3 units": {Spikes: 5, Shares: []float64{1, 2}},
		"shares must be":       {Spikes: 5, Shares: []float64{1, 2, 0}},
		"jitter 3":             {Spikes: 5, Jitter: 3},
		"at most 1":            {Spikes: 5, Overlaps: 1.5},
		"at least 2 units":     {Spikes: 5, Units: 1, Overlaps: 0.5},
		"noise NaN: it cannot": {Spikes: 5, Noise: math.NaN()},
		"fading -1: it cannot": {Spikes: 5, Fading: -1},
		"they must be":         {Spikes: 5, Rate: -1},
		"decrease the firing":  {Spikes: 5, Firing: 1000},
		"must be finite":       {Spikes: 5, Moving: math.Inf(1)},
	} {
		if s, err := New(o); err == nil {
			s.Free()
			t.Errorf("no error, want %q", want)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}
