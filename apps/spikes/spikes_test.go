package spikes

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// sample is simulated spikes on the host.
type sample struct {
	n, cols, channels int
	waves             []float32
	truth             []int32
	times             []int64
}

func simulated(t testing.TB, o simulate.Options) *sample {
	t.Helper()
	s, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Free()
	w := s.Waveforms()
	defer w.Free()
	waves, err := w.Host()
	if err != nil {
		t.Fatal(err)
	}
	labels, err := s.Labels()
	if err != nil {
		t.Fatal(err)
	}
	times, err := s.Times()
	if err != nil {
		t.Fatal(err)
	}
	all := &sample{
		n: w.Rows(), cols: w.Cols(), channels: max(1, o.Channels), waves: slices.Clone(waves),
		truth: slices.Clone(labels),
	}
	for _, at := range times {
		all.times = append(all.times, int64(at))
	}
	return all
}

func (s *sample) on(where ...vector.Distribution) *matrix.Matrix[float32] {
	return matrix.From(s.n, s.cols, s.waves, where...)
}

// host returns a vector's elements.
func host[T any](t testing.TB, v *vector.Vector[T]) []T {
	t.Helper()
	x, err := v.Host()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The simulated units are found, on one channel and on several, and with overlapping spikes.
func TestSort(t *testing.T) {
	for name, o := range map[string]simulate.Options{
		"one channel":   {Spikes: 2000, Jitter: 1, Noise: 0.1, Seed: 1},
		"four channels": {Spikes: 1500, Jitter: 1, Noise: 0.1, Channels: 4, Seed: 2},
		"unequal":       {Spikes: 2000, Jitter: 1, Noise: 0.1, Shares: []float64{6, 3, 1}, Seed: 3},
	} {
		s := simulated(t, o)
		t.Run(name, func(t *testing.T) {
			devicestest.Each(t, func(t *testing.T, d *devices.Device) {
				x := s.on(vector.Single(d))
				defer x.Free()
				m := tmixture.Options{Tolerance: 0.01}
				r, err := Sort(t.Context(), x, Options{Channels: s.channels, Mixture: m})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Free()
				if len(r.Units) != 3 {
					t.Fatalf("%d units, want 3: %v", len(r.Units), r.Model.Path)
				}
				if wrong := s.wrong(host(t, r.Labels)); wrong > s.n/200 {
					t.Errorf("%d of %d spikes are in wrong units", wrong, s.n)
				}
				for j, u := range r.Units {
					if !u.Good() || u.KS > 0.1 || j > 0 && u.Weight > r.Units[j-1].Weight {
						t.Errorf("unit %d: %+v", j, u)
					}
				}
			})
		})
	}
}

// wrong returns the number of spikes that are not in the unit in which most of theirs are.
func (s *sample) wrong(labels []int32) int {
	counts := map[[2]int32]int{}
	for i, l := range labels {
		counts[[2]int32{s.truth[i], l}]++
	}
	most := map[int32]int{}
	for k, n := range counts {
		most[k[0]] = max(most[k[0]], n)
	}
	wrong := s.n
	for _, n := range most {
		wrong -= n
	}
	return wrong
}

// Results are bit-identical on all devices, and over several.
func TestDevicesAgree(t *testing.T) {
	s := simulated(t, simulate.Options{Spikes: 701, Jitter: 1, Noise: 0.1, Channels: 2, Seed: 5})
	all := devicestest.All(t)
	where := []vector.Distribution{vector.Block(all...)}
	for _, d := range all {
		where = append(where, vector.Single(d))
	}
	o := Options{
		Channels: 2, Align: Extreme, MaxShift: 4, Times: s.times,
		Mixture: tmixture.Options{MaxComponents: 5, Tolerance: 0.1},
	}
	var want, wantFeatures any
	var units []Unit
	for _, on := range where {
		x := s.on(on)
		r, err := Sort(t.Context(), x, o)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Concat(host(t, r.Posteriors.Vector()), host(t, r.Distances), host(t, r.Weights),
			host(t, r.Amplitudes), host(t, r.Scores.Vector()))
		features := slices.Clone(host(t, r.Features.Vector()))
		if want == nil {
			want, wantFeatures, units = got, features, r.Units
		}
		if !slices.Equal(want.([]float64), got) || !slices.Equal(wantFeatures.([]float32), features) {
			t.Errorf("the numbers of spikes on %v and %v differ", where[0], on)
		}
		equalNaN := cmp.Comparer(func(a, b measure) bool { return a == b || a != a && b != b })
		if diff := cmp.Diff(units, r.Units, cmp.AllowUnexported(Unit{}), equalNaN); diff != "" {
			t.Errorf("the units on %v and %v differ: %s", where[0], on, diff)
		}
		r.Free()
		x.Free()
	}
	devicestest.NoLeaks(t, all...)
}

// In float32 the units are those of float64, with almost the same numbers, whether the mixture is
// fitted to all spikes or to some. They are bit-identical on all devices, and over several.
func TestSinglePrecision(t *testing.T) {
	s := simulated(t, simulate.Options{Spikes: 1000, Jitter: 1, Noise: 0.1, Seed: 6})
	all := devicestest.All(t)
	where := []vector.Distribution{vector.Block(all...)}
	for _, d := range all {
		where = append(where, vector.Single(d))
	}
	for _, fitTo := range []int{-1, 700} {
		sorted := func(single bool, on vector.Distribution) (units []Unit, labels []int32, z, distances []float64) {
			x := s.on(on)
			defer x.Free()
			r, err := Sort(t.Context(), x, Options{
				FitTo: fitTo, Single: single, Mixture: tmixture.Options{MaxComponents: 4, Tolerance: 0.1},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Free()
			return r.Units, slices.Clone(host(t, r.Labels)), slices.Clone(host(t, r.Posteriors.Vector())),
				slices.Clone(host(t, r.Distances))
		}
		_, labels, z, distances := sorted(false, where[0])
		units, narrowLabels, narrowZ, narrowDistances := sorted(true, where[0])
		if len(units) != 3 || !slices.Equal(labels, narrowLabels) {
			t.Fatalf("fit to %d: %d units in float32, or other spikes in them", fitTo, len(units))
		}
		if slices.Equal(distances, narrowDistances) {
			t.Errorf("fit to %d: the distances of float32 are those of float64", fitTo)
		}
		for i := range z {
			if math.Abs(z[i]-narrowZ[i]) > 1e-3 {
				t.Fatalf("fit to %d: posterior %d is %v, want %v", fitTo, i, narrowZ[i], z[i])
			}
		}
		for i, d := range distances {
			if math.Abs(d-narrowDistances[i]) > 0.02*(d+1) {
				t.Fatalf("fit to %d: distance %d is %v, want %v", fitTo, i, narrowDistances[i], d)
			}
		}
		for _, on := range where[1:] {
			if _, _, z, d := sorted(true, on); !slices.Equal(z, narrowZ) || !slices.Equal(d, narrowDistances) {
				t.Errorf("fit to %d: the numbers of spikes on %v and %v differ", fitTo, where[0], on)
			}
		}
	}
	devicestest.NoLeaks(t, all...)
}

// Waveforms of the same shape at different samples are equal once they are aligned, but for
// the ends that had to be made up.
func TestAlign(t *testing.T) {
	const samples, most = 40, 5
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		rapid.Check(t, func(t *rapid.T) {
			n, channels := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "channels")
			at := rapid.IntRange(2*most, samples-2*most-1).Draw(t, "at")
			how := rapid.SampledFrom([]Align{Minimum, Maximum, Extreme}).Draw(t, "how")
			shape := func(i, c int) float32 {
				v := float32(math.Exp(-float64(i*i)/8)) / float32(1+c)
				if how == Minimum || how == Extreme {
					return -v
				}
				return v
			}
			var x []float32
			for k := range n {
				shift := 0
				if k%3 != 0 { // those without a shift are the most frequent ones
					shift = rapid.IntRange(-most, most).Draw(t, "shift")
				}
				for i := range samples {
					for c := range channels {
						x = append(x, shape(i-at-shift, c))
					}
				}
			}
			w := matrix.From(n, samples*channels, x, vector.Single(d))
			defer w.Free()
			o := Options{Align: how, Channels: channels, Samples: samples, MaxShift: 2 * most}
			y, err := align(w, &o)
			if err != nil {
				t.Fatal(err)
			}
			defer y.Free()
			got, err := y.Host()
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k < n; k++ {
				for i := 2 * most * channels; i < (samples-2*most)*channels; i++ {
					if a, b := got[i], got[k*samples*channels+i]; math.Abs(float64(a-b)) > 1e-6 {
						t.Fatalf("waveform %d has %v at %d, and waveform 0 %v", k, b, i, a)
					}
				}
			}
		})
	})
}

// A mixture that is fitted to some spikes assigns all of them; these are picked from stretches of
// equal length.
func TestSampled(t *testing.T) {
	s := simulated(t, simulate.Options{Spikes: 2000, Jitter: 1, Noise: 0.1, Seed: 4})
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := s.on(vector.Single(d))
		defer x.Free()
		r, err := Sort(t.Context(), x, Options{FitTo: 700, Mixture: tmixture.Options{Tolerance: 0.1}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		if wrong := s.wrong(host(t, r.Labels)); len(r.Units) != 3 || wrong > 10 || r.Model.N != 700 {
			t.Errorf("%d units of %d spikes, %d spikes are in wrong ones", len(r.Units), r.Model.N, wrong)
		}
		picked, copied, err := r.sampled(700, 5)
		if !copied || err != nil {
			t.Fatalf("nothing was picked: %v", err)
		}
		defer picked.Free()
		p, all, rows := picked.Cols(), host(t, r.Scores.Vector()), host(t, picked.Vector())
		for k := range 700 {
			found := false
			for i := k * s.n / 700; i < (k+1)*s.n/700; i++ {
				found = found || slices.Equal(all[i*p:(i+1)*p], rows[k*p:(k+1)*p])
			}
			if !found {
				t.Fatalf("row %d is not of its stretch", k)
			}
		}
		for _, limit := range []int{-1, s.n, s.n + 1} {
			if same, copied, err := r.sampled(limit, 5); copied || same != r.Scores || err != nil {
				t.Errorf("%d of %d spikes are a copy", limit, s.n)
			}
		}
	})
}

func TestInputErrors(t *testing.T) {
	x := matrix.From(4, 6, make([]float32, 24))
	defer x.Free()
	for want, o := range map[string]Options{
		"spikes: waveforms of 6 numbers are not 1 sample of 4 channels": {Channels: 4},
		"spikes: unknown alignment \"left\"":                            {Align: "left"},
		"spikes: there are 2 times for 4 spikes":                        {Times: []int64{1, 2}},
		"spikes: spike 2 (from 0) is at sample 1, after one at 2; sort the spikes by time": {
			Times: []int64{1, 2, 1, 3},
		},
		"spikes: the level of outliers is 2; it must be between 0 and 1": {OutlierLevel: 2},
		"spikes: the largest shift is -1; it cannot be negative":         {MaxShift: -1},
		"pca: 7 components of 4 rows of 6 columns; there are at most 4":  {PCA: pca.Options{Components: 7}},
		"spikes: the rate is -1; it must be positive":                    {Rate: -1},
		"spikes: the refractory period is -1; it must be positive":       {Refractory: -1},
	} {
		if _, err := Sort(t.Context(), x, o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sort(ctx, x, Options{}); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
