package recording_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

func mustRecord(t testing.TB, o simulate.Options) (samples []int16, times []int) {
	t.Helper()
	samples, times, err := record(o)
	if err != nil {
		t.Fatal(err)
	}
	return samples, times
}

func detect(
	t testing.TB, samples []int16, channels int, o recording.Options, where ...vector.Distribution,
) *recording.Spikes {
	t.Helper()
	f, err := open(samples, channels)
	if err != nil {
		t.Fatal(err)
	}
	s, err := recording.Detect(t.Context(), f, o, where...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// noisy are the options of a short recording.
func noisy(channels int) simulate.Options {
	return simulate.Options{
		Spikes: 40, Channels: channels, Seed: 4, Jitter: 1, Noise: 0.08, Common: 0.03, Firing: 60,
		Spectrum: simulate.PowerLaw(1, 100),
	}
}

// all sets all options.
func all(sign recording.Sign, whiten, reference bool) recording.Options {
	return recording.Options{
		Rate: 30000, Low: 500, High: 5000, Radius: 32, Reference: reference, Whiten: whiten, Threshold: 4.5, Sign: sign,
		Refractory: 0.0007, Neighbours: 2, Samples: 40, Before: 13,
	}
}

// Detect agrees with plain loops.
func TestAgainstLoops(t *testing.T) {
	for _, c := range []struct {
		channels int
		options  recording.Options
	}{
		{1, all(recording.Both, false, false)},
		{1, all(recording.Negative, true, true)},
		{3, all(recording.Positive, false, false)},
		{6, all(recording.Both, true, false)},
		{6, all(recording.Both, false, true)},
		{17, all(recording.Both, true, false)},
		{2, func() recording.Options { o := all(recording.Both, true, false); o.WholeSamples = true; return o }()},
	} {
		samples, _ := mustRecord(t, noisy(c.channels))
		want := newPlain(samples, c.channels, c.options).detect()
		if len(want.Times) < 20 {
			t.Fatalf("%d channels: only %d spikes", c.channels, len(want.Times))
		}
		devicestest.Each(t, func(t *testing.T, d *devices.Device) {
			got := detect(t, samples, c.channels, c.options, vector.Single(d))
			if got.Unwhitening != nil {
				checkInverse(t, c.channels, got.Whitening, got.Unwhitening)
				got.Unwhitening = nil
			}
			largest := 0.0
			for _, x := range want.Waveforms {
				largest = max(largest, math.Abs(float64(x)))
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 1e-6*largest),
				cmpopts.IgnoreFields(recording.Spikes{}, "Sampled", "Opposite")); diff != "" {
				t.Errorf("%d channels: %s", c.channels, diff)
			}
		})
	}
}

// checkInverse checks that a matrix is the inverse of another one.
func checkInverse(t *testing.T, n int, a, b []float64) {
	t.Helper()
	var product mat.Dense
	product.Mul(mat.NewDense(n, n, a), mat.NewDense(n, n, b))
	for i := range n {
		product.Set(i, i, product.At(i, i)-1)
	}
	if d := mat.Norm(&product, 1); d > 1e-9 {
		t.Errorf("the product of the whitening matrix with its inverse is %v from the identity", d)
	}
}

// The result is bit-identical for all lengths of blocks, and on all devices.
func TestBitIdentical(t *testing.T) {
	const channels = 3
	samples, _ := mustRecord(t, noisy(channels))
	o := all(recording.Both, true, true)
	o.Block = len(samples)
	want := detect(t, samples, channels, o)
	three := devicestest.Processors(t, 3)
	same := func(t rapid.TB, got *recording.Spikes) {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, o.Block = range []int{0, 333, 5000} {
			same(t, detect(t, samples, channels, o, vector.Single(d)))
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		o.Block = rapid.IntRange(200, len(samples)/channels+10).Draw(rt, "block")
		same(rt, detect(t, samples, channels, o, vector.Block(three...)))
	})
}

// Recordings that are shorter than a filter or a waveform are no mistake.
func TestShort(t *testing.T) {
	samples, _ := mustRecord(t, noisy(2))
	for _, rows := range []int{1, 2, 30, 39, 40, 41, 100} {
		o := all(recording.Both, false, false)
		o.Threshold = 2
		part := samples[:2*rows]
		want := newPlain(part, 2, o).detect()
		got := detect(t, part, 2, o)
		if diff := cmp.Diff(want.Times, got.Times); diff != "" {
			t.Errorf("%d rows: %s", rows, diff)
		}
	}
}

// matches counts the true times that have one of their own among those that were found,
// within half a millisecond.
func matches(truth []int, found []int64) (n int) {
	i := 0
	for _, x := range truth {
		for i < len(found) && found[i] < int64(x-15) {
			i++
		}
		if i < len(found) && found[i] <= int64(x+15) {
			n++
			i++
		}
	}
	return n
}

// Nearly all spikes are found, and nothing else. Spikes closer than the refractory period
// count as missed.
func TestRecall(t *testing.T) {
	for _, c := range []struct {
		channels          int
		whiten            bool
		recall, precision float64
	}{
		{1, false, 0.97, 0.99},
		{4, true, 0.95, 0.99},
	} {
		samples, times := mustRecord(t, simulate.Options{
			Spikes: 600, Channels: c.channels, Seed: 1, Jitter: 1, Noise: 0.05, Common: 0.02 * float64(c.channels-1),
			Spectrum: simulate.PowerLaw(1, 100),
		})
		found := detect(t, samples, c.channels, recording.Options{Rate: 30000, Whiten: c.whiten})
		n := float64(matches(times, found.Times))
		recall, precision := n/float64(len(times)), n/float64(len(found.Times))
		t.Logf("%d channels: recall %.3f, precision %.3f", c.channels, recall, precision)
		if recall < c.recall || precision < c.precision {
			t.Errorf("%d channels: recall %.3f, precision %.3f", c.channels, recall, precision)
		}
	}
}

// Spikes of the other sign are noticed, and neither the other phase of spikes nor noise alone is mistaken for them.
func TestOtherSign(t *testing.T) {
	negate := func(samples []int16) []int16 {
		upside := make([]int16, len(samples))
		for i, v := range samples {
			upside[i] = -max(v, -32767)
		}
		return upside
	}
	spikes, _ := mustRecord(t, simulate.Options{
		Spikes: 200, Channels: 1, Seed: 1, Jitter: 1, Noise: 0.1, Firing: 60, Spectrum: simulate.PowerLaw(1, 100),
	})
	noise := make([]int16, 100_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = int16(300 * random.NormFloat64())
	}
	for _, c := range []struct {
		name    string
		samples []int16
		sign    recording.Sign
		misses  bool
	}{
		{"usual", spikes, recording.Negative, false},
		{"usual", spikes, recording.Positive, true},
		{"upside down", negate(spikes), recording.Negative, true},
		{"upside down", negate(spikes), recording.Positive, false},
		{"both", negate(spikes), recording.Both, false},
		{"noise", noise, recording.Negative, false},
		{"noise", negate(noise), recording.Negative, false},
	} {
		for _, threshold := range []float64{4, 5} {
			s := detect(t, c.samples, 1, recording.Options{Rate: 30000, Threshold: threshold, Sign: c.sign})
			if s.MissesSpikes() != c.misses {
				t.Errorf("%s, %s, threshold %v: %v of this sign and %v of the other: misses spikes: %t", c.name, c.sign,
					threshold, s.Sampled, s.Opposite, !c.misses)
			}
		}
	}
}

// All types of samples have the same result.
func TestTypes(t *testing.T) {
	samples, _ := mustRecord(t, noisy(1))
	wide := make([]int32, len(samples))
	single := make([]float32, len(samples))
	double := make([]float64, len(samples))
	positive := make([]uint16, len(samples))
	for i, x := range samples {
		wide[i], single[i], double[i], positive[i] = int32(x), float32(x), float64(x), uint16(int(x)+1<<15)
	}
	o := recording.Options{Rate: 30000}
	want := detect(t, samples, 1, o)
	for kind, raw := range map[recording.Type][]byte{
		recording.Int32: devices.Bytes(wide), recording.Float32: devices.Bytes(single),
		recording.Float64: devices.Bytes(double), recording.Uint16: devices.Bytes(positive),
	} {
		f, err := recording.NewFile(bytes.NewReader(raw), "memory", int64(len(raw)), kind, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := recording.Detect(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		if kind == recording.Uint16 { // a constant is added, which the filter removes but for rounding
			got.Heights, got.Levels, got.Waveforms = want.Heights, want.Levels, want.Waveforms
			got.Sampled, got.Opposite = want.Sampled, want.Opposite
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

// If all channels are constant, there is nothing but rounding errors, whose levels are 0.
func TestConstantRecording(t *testing.T) {
	for _, channels := range []int{1, 2} {
		for _, value := range []int16{0, 3, -30000} {
			samples := slices.Repeat([]int16{value}, 6000)
			s := detect(t, samples, channels, recording.Options{Rate: 30000, Whiten: true})
			if len(s.Times) != 0 || slices.Max(s.Levels) != 0 {
				t.Errorf("%d channels of %d: %d spikes, levels %v", channels, value, len(s.Times), s.Levels)
			}
		}
	}
}

// A constant channel has no spikes, and hinders neither the others nor whitening.
func TestConstantChannel(t *testing.T) {
	samples, _ := mustRecord(t, noisy(3))
	for i := 1; i < len(samples); i += 3 {
		samples[i] = 17
	}
	for _, whiten := range []bool{false, true} {
		s := detect(t, samples, 3, all(recording.Both, whiten, false))
		if len(s.Times) < 20 {
			t.Errorf("whiten %v: only %d spikes", whiten, len(s.Times))
		}
		for i, c := range s.Channels {
			if c == 1 || math.IsNaN(s.Heights[i]) || math.IsInf(s.Heights[i], 0) {
				t.Fatalf("whiten %v: spike on channel %d of height %v", whiten, c, s.Heights[i])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	samples, _ := mustRecord(t, noisy(1))
	for want, change := range map[string]func(*recording.Options){
		"sampling rate": func(o *recording.Options) { o.Rate = 0 },
		"pass band":     func(o *recording.Options) { o.Low = 6000 },
		"half the":      func(o *recording.Options) { o.High = 20000 },
		"threshold -1":  func(o *recording.Options) { o.Threshold = -1 },
		"at most 0.1 s": func(o *recording.Options) { o.Refractory = 1 },
		"the peak must": func(o *recording.Options) { o.Before = 64 },
		"radius -2":     func(o *recording.Options) { o.Radius = -2 },
		`sign "up"`:     func(o *recording.Options) { o.Sign = "up" },
		"increase the":  func(o *recording.Options) { o.Memory = 1000 },
	} {
		f, err := open(samples, 1)
		if err != nil {
			t.Fatal(err)
		}
		o := recording.Options{Rate: 30000}
		change(&o)
		if _, err := recording.Detect(t.Context(), f, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for _, c := range []struct {
		bytes    int64
		kind     recording.Type
		channels int
		want     string
	}{
		{0, recording.Int16, 1, "0 bytes"},
		{10, recording.Int16, 0, "at least 1"},
		{10, "int8", 1, "the types are"},
	} {
		_, err := recording.NewFile(bytes.NewReader(nil), "x.bin", c.bytes, c.kind, c.channels)
		if err == nil || !strings.Contains(err.Error(), "x.bin: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	numbers := make([]float32, 400)
	numbers[33] = float32(math.NaN())
	raw := devices.Bytes(numbers)
	f, err := recording.NewFile(bytes.NewReader(raw), "x.bin", int64(len(raw)), recording.Float32, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Detect(t.Context(), f, recording.Options{Rate: 30000}); err == nil ||
		!strings.Contains(err.Error(), "x.bin: row 8, channel 1") {
		t.Errorf("error %v", err)
	}
}

// Half the amplitude passes at the edges of the band, all inside, and nearly nothing outside.
func TestBandPass(t *testing.T) {
	taps := recording.BandPass(0.02, 0.2, 128)
	for frequency, want := range map[float64]float64{
		0: 0, 0.005: 0, 0.02: 0.5, 0.04: 1, 0.1: 1, 0.2: 0.5, 0.22: 0, 0.5: 0,
	} {
		sum := taps[0]
		for k, h := range taps[1:] {
			sum += 2 * h * math.Cos(2*math.Pi*frequency*float64(k+1))
		}
		if math.Abs(sum-want) > 0.01 {
			t.Errorf("amplitude %.4f at frequency %v, not %v", sum, frequency, want)
		}
	}
}
