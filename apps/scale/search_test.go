package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// leastFor returns the least cost for weights, found on the host.
func leastFor(d *Data, c *Costs, weights []float64) float64 {
	e := newCoding(d, c, false, []problem{{}})
	f, largest := d.values(weights, d.largestOf())
	return e.cost(e.place(f, largest, e.Codes[0]).Cost)
}

// TestExactLine compares the search along one weight with a dense grid of steps, and with the middle of
// every interval between crossings.
func TestExactLine(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	for n := range 30 {
		d := generate(20+r.IntN(40), 2+r.IntN(3), uint64(n))
		o := Options{Start: make([]float64, 6)}
		for j := range o.Start {
			o.Start[j] = tidy(2*r.Float64() - 1)
		}
		along := r.IntN(6)
		for j, w := range o.Start {
			o.Bounds = append(o.Bounds, Bound{w, w})
			if j == along {
				o.Bounds[j] = Bound{-1, 1}
			}
		}
		if n%3 == 0 {
			o.Costs = Costs{Zones: true, Uncertain: 0.25}
		}
		found, err := Find(t.Context(), d, o, cpu...)
		if err != nil {
			t.Fatal(err)
		}
		if got := leastFor(d, &o.Costs, found.Model.Weights); got != found.Cost {
			t.Fatalf("case %d: the weights cost %v, not %v", n, got, found.Cost)
		}
		w := slices.Clone(o.Start)
		least := leastFor(d, &o.Costs, w)
		for step := range 1001 {
			w[along] = float64(step)/500 - 1
			least = min(least, leastFor(d, &o.Costs, w))
		}
		if found.Cost > least {
			t.Errorf("case %d: %v errors, and %v on a grid", n, found.Cost, least)
		}
		for _, v := range middles(d, o.Start, along) {
			w[along] = v
			least = min(least, leastFor(d, &o.Costs, w))
		}
		if found.Cost != least {
			t.Errorf("case %d: %v errors, and %v between crossings", n, found.Cost, least)
		}
	}
}

// middles returns the middles of the intervals between the crossings of all objects.
func middles(d *Data, start []float64, along int) (list []float64) {
	w := slices.Clone(start)
	w[along] = 0
	at := []float64{-1, 1}
	for i := range d.N() {
		for k := range i {
			a, b := d.row(i), d.row(k)
			if v := (weigh(w, b) - weigh(w, a)) / (a[along] - b[along]); v > -1 && v < 1 {
				at = append(at, v)
			}
		}
	}
	slices.Sort(at)
	for i := 1; i < len(at); i++ {
		if at[i]-at[i-1] > 1e-8 {
			list = append(list, (at[i]+at[i-1])/2)
		}
	}
	return list
}

// TestHeldOut checks that the groups of objects that are not in a problem do not change its scale.
func TestHeldOut(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		d := generate(60, 3, seed)
		part := problem{Times: make([]int32, d.N())}
		for i := range part.Times {
			part.Times[i] = int32(min(1, i%4))
		}
		var want []float64
		for shift := range 3 {
			for i := 0; i < d.N(); i += 4 {
				d.Group[i] = (d.Group[i] + shift) % 3
			}
			r, err := findAll(t.Context(), d, &Options{}, []problem{part}, cpu)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = r[0].Model.Weights
			}
			if !slices.Equal(r[0].Model.Weights, want) {
				t.Errorf("seed %d, groups moved by %d: %v, not %v", seed, shift, r[0].Model.Weights, want)
			}
		}
	}
}

// TestDescentPath compares the path of a descent with single steps.
func TestDescentPath(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		d := generate(60, 3, seed)
		found, err := Find(t.Context(), d, Options{Search: Descent}, cpu...)
		if err != nil {
			t.Fatal(err)
		}
		want := walk(d, 0.1)
		if !slices.Equal(found.Path, want) {
			t.Errorf("seed %d: the path is %v, not %v", seed, found.Path, want)
		}
	}
}

// walk descends in single steps from weights that are 1.
func walk(d *Data, step float64) (path []Step) {
	w := slices.Repeat([]float64{1}, len(d.Features))
	cost := leastFor(d, &Costs{}, w)
	for moved := true; moved; {
		moved = false
		for j := range w {
			for _, sign := range []float64{1, -1} {
				start := w[j]
				for {
					before := w[j]
					w[j] = tidy(w[j] + sign*step)
					c := math.Inf(1)
					if math.Abs(w[j]) <= 1 {
						c = leastFor(d, &Costs{}, w)
					}
					if c >= cost {
						w[j] = before
						break
					}
					cost, moved = c, true
					path = append(path, Step{d.Features[j], w[j], c})
				}
				if w[j] != start {
					break
				}
			}
		}
	}
	return path
}

// TestBreastCancer finds 12 errors with whole numbers from -5 to 5, which is the best that is known.
func TestBreastCancer(t *testing.T) {
	d := load(t, "testdata/breastcancer.csv", "Benign")
	dev, err := devices.Default()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Integer: true, Bounds: slices.Repeat([]Bound{{-5, 5}}, 9), Kicks: 2, Seed: 2}
	r, err := Find(t.Context(), d, o, dev)
	if err != nil {
		t.Fatal(err)
	}
	if r.Cost > 12 || r.Cost != leastFor(d, &Costs{}, r.Model.Weights) {
		t.Errorf("%v errors with %v", r.Cost, r.Model.Weights)
	}
	o.MaxFeatures, o.Beam, o.Bounds = 3, 5, slices.Repeat([]Bound{{0, 3}}, 9)
	if r, err = Find(t.Context(), d, o, dev); err != nil {
		t.Fatal(err)
	}
	if used, _ := size(r.Model.Weights); used > 3 || r.Cost > 18 {
		t.Errorf("%v errors with %v", r.Cost, r.Model.Weights)
	}
}

// TestCounts compares counting with sorting.
func TestCounts(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 100 {
		d := smallData(r)
		o := Options{Integer: true, Bounds: []Bound{{-3, 3}, {0, 4}}, Empty: n%2 == 0}
		if n%3 == 0 {
			o.Costs = Costs{Zones: true, Uncertain: 0.5}
		}
		p := []problem{{}, {Times: make([]int32, d.N())}}
		for i := range d.N() {
			p[1].Times[i] = int32(r.IntN(3))
		}
		e := newEvaluator(d, newCoding(d, &o.Costs, o.Empty, p), p, cpu)
		var list []candidate
		for range 50 {
			list = append(list, candidate{
				State: int32(r.IntN(2)), I: 0, J: 1, A: float64(r.IntN(7) - 3), B: float64(r.IntN(5)),
			})
		}
		states, problems := [][]float64{{1, 1}, {1, 1}}, []int32{0, 1}
		sorted, err := e.evaluate(t.Context(), nil, states, problems, list)
		if err != nil {
			t.Fatal(err)
		}
		if e.counts = newCounting(d, e.coding, &o, vector.Copy(cpu...)); e.counts == nil {
			t.Fatalf("case %d is not counted", n)
		}
		counted, err := e.evaluate(t.Context(), nil, states, problems, list)
		e.free()
		if err != nil || !slices.Equal(sorted, counted) {
			t.Fatalf("case %d: %v, not %v, %v", n, counted, sorted, err)
		}
	}
}
