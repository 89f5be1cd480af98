package frequency

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

var methods = []Method{Direct, Series}

func cpu(t testing.TB) *devices.Device {
	t.Helper()
	found, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// minimize calls Minimize on a device.
func minimize(t testing.TB, d *devices.Device, s *Signal, o Options) *Result {
	t.Helper()
	o.Where = vector.Single(d)
	r, err := Minimize(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The expected figures were computed with NumPy, from the four equations.
func TestPaper(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range []struct {
			step            float64
			count, position int
			printed, mended string // F
		}{
			{100, 130, 73, "0.359429586", "0.401318192"},
			{10, 1300, 732, "0.001456572", "0.001623108"},
			{10, 1, 0, "1161.155620", "1096.556521"},
		} {
			for _, method := range methods {
				for asPrinted, want := range map[bool]string{true: c.printed, false: c.mended} {
					r := minimize(t, d, Paper(asPrinted), Options{
						From: 460000, Step: c.step, Count: c.count, Method: method,
					})
					got := fmt.Sprintf("%.*f", len(want)-1-len(fmt.Sprint(int(r.Value))), r.Value)
					if r.Position != c.position || got != want || r.NaNs+r.Infinities != 0 {
						t.Errorf("%s, step %v, as printed %v: F = %s at position %d, %d NaNs; want %s at %d",
							method, c.step, asPrinted, got, r.Position, r.NaNs, want, c.position)
					}
				}
			}
		}
	})
}

// signals returns signals of various lengths, among them odd ones.
func signals() (list []*Signal) {
	list = append(list, Paper(false), Paper(true))
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 33, 301, 10_000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		s, err := New(x, make(Code, 1), 0.21*float64(n), float64(n))
		if err != nil {
			panic(err)
		}
		list = append(list, s)
	}
	return list
}

// sumsOf and seriesOf run device functions on the CPU.
var (
	sumsOf   = skel.NewMapWith(func(w float64, x wave) [sums]float64 { return sumsAt(w, x) })
	seriesOf = skel.NewMapWith(expand)
)

// TestSums compares the sums with exact ones. The bound is a tenth of what Restart promises.
func TestSums(t *testing.T) {
	home := vector.Single(cpu(t))
	const bound = 0.1 * 3 * Restart * 0x1p-53
	worst := 0.0
	for _, s := range signals() {
		p, err := s.project()
		if err != nil {
			t.Fatal(err)
		}
		pairs := vector.From(p.pairs, home)
		defer pairs.Free()
		x := wave{pairs.View(), p.first}
		for _, w := range []float64{1e-9, 0.5873, 1, math.Pi / 2, 3.1, math.Pi, 60, -2} {
			want, size := exactSums(p, w)
			got, err := sumsOf.With(x).Apply(vector.From([]float64{w}, home)).Host()
			if err != nil {
				t.Fatal(err)
			}
			compareSums(t, fmt.Sprintf("n = %d, w = %v", p.n, w), got[0], want, size, bound, &worst)
			// The same by a series that is evaluated at both of its ends.
			b := blocks{Wave: x, Unit: 1 / p.half, From: w, Turn: 1, Nodes: 2}
			z, err := seriesOf.With(b).Apply(vector.Indices(1, home)).Host()
			if err != nil {
				t.Fatal(err)
			}
			for _, delta := range []float64{0, widest, -widest} {
				var sum [sums]float64
				for k := range sums {
					for n := order - 1; n >= 0; n-- {
						sum[k] = sum[k]*delta + z[0].C[k][n]
					}
				}
				want, size := exactSums(p, w+delta/p.half)
				// w+δ/half is rounded, which moves the last sample's phase.
				tolerance := bound + 2*math.Abs(w)*p.half*0x1p-53
				compareSums(t, fmt.Sprintf("n = %d, w = %v, δ = %v", p.n, w, delta), sum, want, size, tolerance,
					new(float64))
			}
		}
	}
	t.Logf("largest error: %.3g of the sum of absolute values", worst)
}

func compareSums(t *testing.T, name string, got, want, size [sums]float64, bound float64, worst *float64) {
	t.Helper()
	for k := range sums {
		err := math.Abs(got[k] - want[k])
		*worst = max(*worst, err/size[k])
		if !(err <= bound*size[k]) {
			t.Errorf("%s: sum %d is %v, not %v: error %.3g of %v", name, k, got[k], want[k], err/size[k], size[k])
		}
	}
}

// drawSignal draws a signal with an oscillation, noise, both, or nothing.
func drawSignal(t *rapid.T) *Signal {
	code := Code(rapid.SliceOfN(rapid.Bool(), 1, 16).Draw(t, "code"))
	bit := rapid.IntRange(6/len(code)+1, 20).Draw(t, "samples per bit")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	noise := rapid.SampledFrom([]float64{0, 1e-3, 1}).Draw(t, "noise")
	amplitude := rapid.SampledFrom([]float64{0, 1, 100}).Draw(t, "amplitude")
	w := rapid.Float64Range(0, math.Pi).Draw(t, "w")
	samples := make([]float64, len(code)*bit)
	for i := range samples {
		samples[i] = amplitude*math.Cos(w*float64(i)+1) + noise*r.NormFloat64()
	}
	s, err := New(samples, code, rapid.Float64Range(0.1, 3).Draw(t, "carrier"), 2*math.Pi)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBrute compares the nodes with the four equations, which are solved for every node.
func TestBrute(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		rapid.Check(t, func(t *rapid.T) {
			s := drawSignal(t)
			o := Options{
				From: rapid.Float64Range(0.05, 2).Draw(t, "from"), Step: rapid.SampledFrom([]float64{
					1e-7, 1e-4, 0.003, 0.02}).Draw(t, "step"),
				Count: rapid.IntRange(1, 40).Draw(t, "count"), Where: vector.Single(d),
				Method: rapid.SampledFrom(methods).Draw(t, "method"),
			}
			r, err := Minimize(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			least, energy := math.Inf(1), 0.0
			tolerance := 0.0
			for _, x := range s.Samples {
				energy += x * x
			}
			for i := range o.Count {
				v, condition := fourEquations(s, o.frequency(i))
				if !(condition < 1e10) {
					t.Skip("the equations are nearly singular")
				}
				least = min(least, v)
				tolerance = max(tolerance, 1e-14*condition*energy)
				if i == r.Position && !(math.Abs(v-r.Value) <= tolerance) {
					t.Errorf("F at position %d is %v, not %v", i, r.Value, v)
				}
			}
			if !(r.Value <= least+tolerance) || r.Argument != o.frequency(r.Position) {
				t.Errorf("the lowest F is %v at %v, not %v", r.Value, r.Argument, least)
			}
		})
	})
}

// TestBits checks that results are bit-identical on all devices, and on several.
func TestBits(t *testing.T) {
	for _, o := range []Options{
		{From: 460000, Step: 10, Count: 1300, Method: Direct},
		{From: 466000, Step: 0.01, Count: 200_001},
		{From: 466000, Step: 0.01, Count: 200_001, Float32: true},
		{From: 0, Step: 1, Count: 5000, Method: Direct, Float32: true},
	} {
		want := minimize(t, cpu(t), Paper(false), o)
		devicestest.Each(t, func(t *testing.T, d *devices.Device) {
			if got := minimize(t, d, Paper(false), o); *got != *want {
				t.Errorf("%+v, not %+v", got, want)
			}
		})
		all := devicestest.All(t)
		o.Where = vector.Block(all...)
		if got, err := Minimize(t.Context(), Paper(false), o); err != nil || *got != *want {
			t.Errorf("on %d devices: %+v %v, not %+v", len(all), got, err, want)
		}
	}
}

// TestBatches checks that batches are seams that nobody sees.
func TestBatches(t *testing.T) {
	d := cpu(t)
	for _, method := range methods {
		o := Options{From: 467000, Step: 0.5, Count: 1001, Method: method}
		want := minimize(t, d, Paper(false), o)
		var seen []int
		o.Progress = func(n int) { seen = append(seen, n) }
		o.batch = 100
		if got := minimize(t, d, Paper(false), o); *got != *want || len(seen) < 5 || seen[len(seen)-1] != o.Count {
			t.Errorf("%s: %+v, not %+v; progress %v", method, got, want, seen)
		}
	}
}

func TestSingular(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, method := range methods {
			for _, single := range []bool{false, true} {
				o := Options{From: 0, Step: 20, Count: 100, Method: method, Float32: single}
				r := minimize(t, d, Paper(false), o)
				// Frequencies near 0 are singular in float32.
				if r.Position == 0 || r.NaNs < 1 || r.NaNs > 1 && !single || r.NaNs > 20 || r.Value != r.Value {
					t.Errorf("%s, float32 %v: %+v", method, single, r)
				}
			}
			o := Options{From: 0, Step: 1e-9, Count: 10, Method: method, Where: vector.Single(d)}
			r, err := Minimize(t.Context(), Paper(false), o)
			if err != nil || r.Position != -1 || r.NaNs != 10 || r.Value == r.Value || r.Estimate.Found {
				t.Errorf("%s: %+v %v, although all nodes are singular", method, r, err)
			}
		}
	})
}

// TestTies has samples for which F is 0 everywhere.
func TestTies(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := Paper(false)
		clear(s.Samples)
		for _, method := range methods {
			r := minimize(t, d, s, Options{From: 1000, Step: 7, Count: 1000, Method: method})
			if r.Position != 0 || r.Value != 0 {
				t.Errorf("%s: %+v", method, r)
			}
		}
	})
}

// TestFloat32 compares every node in float32 with float64 and the bound.
func TestFloat32(t *testing.T) {
	for _, s := range signals() {
		p, err := s.project()
		if err != nil {
			t.Fatal(err)
		}
		begin := 2 / p.half // the equations are nearly singular near 0
		o := Options{
			From: begin / s.Turn, Step: (math.Pi - 2*begin) / s.Turn / 500, Count: 500, Method: Direct,
			Where: vector.Single(cpu(t)),
		}
		exact, err := Curve(s, o)
		if err != nil {
			t.Fatal(err)
		}
		pairs := vector.From(p.pairs, o.Where)
		defer pairs.Free()
		m := normal[float32]{float32(p.n), float32(p.energy), singular32 * float32(p.n)}
		d := direct[float32]{wave{pairs.View(), p.first}, m, o.From, o.Step, p.turn, 0}
		got, err := float32s.nodes.With(d).Apply(vector.Indices(o.Count, o.Where)).Host()
		if err != nil {
			t.Fatal(err)
		}
		worst, determinant := 0.0, math.Inf(1)
		for i, l := range got {
			if l.Position >= 0 {
				worst, determinant = max(worst, math.Abs(l.Value-exact[i])), min(determinant, l.Determinant)
			}
		}
		bound := p.float32Bound(determinant)
		t.Logf("n = %d: largest error %.3g, bound %.3g", p.n, worst, bound)
		if !(worst > 0 && worst <= bound) || p.n == paperSamples && bound > 1e-4*p.energy {
			t.Errorf("n = %d: largest error %v, bound %v", p.n, worst, bound)
		}
	}
}

// TestEstimate checks with many signals that the standard deviation of the frequency is the one
// that is computed, and that the interval contains the frequency as often as it should.
func TestEstimate(t *testing.T) {
	const runs, rate, source, sigma, level = 300, 1e4, 2345.678, 0.3, 0.9
	code, err := ParseCode("C44B")
	if err != nil {
		t.Fatal(err)
	}
	var inside int
	var squares, variances float64
	for k := range runs {
		r := rand.New(rand.NewPCG(7, uint64(k)))
		x := make([]float64, 16*15)
		for i := range x {
			sign := -2.0
			if code[i/15] {
				sign = 2
			}
			angle := 2 * math.Pi / rate * float64(i)
			x[i] = sign*math.Cos(2000*angle+0.4) + math.Sin(source*angle+2) + sigma*r.NormFloat64()
		}
		s, err := New(x, code, 2000, rate)
		if err != nil {
			t.Fatal(err)
		}
		m := minimize(t, cpu(t), s, Options{From: 2300, Step: 5, Count: 21, Level: level})
		e := m.Estimate
		if !e.Found || e.Value > m.Value {
			t.Fatalf("no minimum near the node: %+v", m)
		}
		if e.Low <= source && source <= e.High {
			inside++
		}
		squares += (e.Frequency - source) * (e.Frequency - source) / runs
		variances += e.Error * e.Error / runs
	}
	if ratio := math.Sqrt(squares / variances); ratio < 0.88 || ratio > 1.12 {
		t.Errorf("the standard deviation is %v, and the computed one %v", math.Sqrt(squares), math.Sqrt(variances))
	}
	if share := float64(inside) / runs; share < level-0.05 || share > level+0.05 {
		t.Errorf("%v of the intervals contain the frequency, not %v", share, level)
	}
}

// TestEdge has a minimum outside of the axis.
func TestEdge(t *testing.T) {
	r := minimize(t, cpu(t), Paper(false), Options{From: 467000, Step: 10, Count: 20})
	if e := r.Estimate; e.Found || r.Position != 19 || !math.IsInf(e.Low, -1) || !math.IsInf(e.High, 1) {
		t.Errorf("%+v", r)
	}
}
