package scale

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// rareData returns objects of which few are of one group. Whole numbers have many equal scores.
func rareData(r *rand.Rand, whole bool) *Data {
	d := &Data{Features: []string{"x", "y", "z"}, Groups: []string{"a", "b"}}
	n, few := 30+r.IntN(40), 1+r.IntN(3)
	side := r.IntN(2)
	for i := range n {
		g := side
		if i < few {
			g = 1 - side
		}
		d.Group = append(d.Group, g)
		for range d.Features {
			v := r.NormFloat64() + float64(g)
			if whole {
				v = float64(r.IntN(6))
			}
			d.X = append(d.X, v)
		}
	}
	return d
}

// TestRareCosts compares the costs of all intervals of lines with those that are evaluated.
func TestRareCosts(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	for n := range 200 {
		d := rareData(r, n%2 == 0)
		o := Options{}
		if n%3 == 0 {
			o.Costs.Matrix = [][]float64{{0, 1.5}, {3, 0.5}}
		}
		p := []problem{{Times: make([]int32, d.N())}}
		for i := range d.N() {
			p[0].Times[i] = int32(1 + n%5/3*r.IntN(2))
		}
		if n%4 == 0 {
			p[0].Order = []int{1, 0}
		}
		e := newEvaluator(d, newCoding(d, &o.Costs, false, p), p, cpu)
		rare := newRare(e, 0)
		if rare == nil {
			t.Fatalf("case %d: no group is rare", n)
		}
		weights := []float64{r.Float64() - 0.5, float64(r.IntN(3) - 1), float64(n % 3)}
		line := axis{Feature: int32(r.IntN(3)), Low: -1, High: 1}
		couples := vector.From(couplesOf(d), vector.Copy(cpu...))
		gaps, err := e.gaps(t.Context(), couples, [][]float64{weights}, []axis{line})
		if err != nil {
			t.Fatal(err)
		}
		var list []candidate
		for _, g := range gaps[0] {
			list = append(list, candidate{I: line.Feature, J: -1, A: g.roundest()})
		}
		costs, err := e.evaluate(t.Context(), nil, [][]float64{weights}, []int32{0}, list)
		if err != nil {
			t.Fatal(err)
		}
		all := rare.base // what it costs to assign the rare group wrongly
		for _, v := range rare.lost {
			all += v
		}
		bounds := rare.costs(e, weights, int(line.Feature), Bound{-1, 1}, gaps[0])
		for i, c := range costs {
			if c < bounds[i] || c > bounds[i] && bounds[i] < all {
				t.Fatalf("case %d: gap %d of %d costs %v, and its bound is %v", n, i, len(costs), c, bounds[i])
			}
		}
		couples.Free()
		e.free()
	}
}

// TestRareSearch compares the search with bounds, along one weight with all intervals, and along all with
// the search without bounds.
func TestRareSearch(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6, 6))
	for n := range 60 {
		d := rareData(r, n%2 == 0)
		o := Options{Starts: 3, Seed: uint64(n)}
		if n%3 == 0 {
			o.Start, o.Bounds, o.Starts = []float64{0.3, 1, -0.7}, []Bound{{-1, 1}, {1, 1}, {-0.7, -0.7}}, 1
		}
		found, err := Find(t.Context(), d, o, cpu...)
		if err != nil {
			t.Fatal(err)
		}
		o.plain = true
		want, err := Find(t.Context(), d, o, cpu...)
		if err != nil {
			t.Fatal(err)
		}
		if found.Evaluated > want.Evaluated {
			t.Errorf("case %d: %d candidates, and %d without bounds", n, found.Evaluated, want.Evaluated)
		}
		want.Evaluated = found.Evaluated
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("case %d: %s", n, diff)
		}
		if n%3 != 0 {
			continue
		}
		w := slices.Clone(o.Start)
		least := leastFor(d, &Costs{}, w)
		for _, v := range middles(d, o.Start, 0) {
			w[0] = v
			least = min(least, leastFor(d, &Costs{}, w))
		}
		if found.Cost != least {
			t.Errorf("case %d: %v errors, and %v between crossings", n, found.Cost, least)
		}
	}
}
