package scale

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestRates compares the measures of objects that count several times with those of as many copies.
func TestRates(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	for range 30 {
		k, n := 2+r.IntN(2), 12
		m := &Model{Features: []string{"f"}, Groups: degrees[:k], Weights: []float64{1}, Zones: k == 2}
		m.Cuts = []float64{2, 5}
		d, copies := &Data{Features: m.Features, Groups: m.Groups}, &Data{Features: m.Features, Groups: m.Groups}
		times := make([]int32, n)
		for i := range n {
			x, g := float64(r.IntN(8)), r.IntN(k)
			d.X, d.Group = append(d.X, x), append(d.Group, g)
			times[i] = int32(r.IntN(3))
			for range times[i] {
				copies.X, copies.Group = append(copies.X, x), append(copies.Group, g)
			}
		}
		table := newCrossTable(k)
		table.add(m.outcome(d, nil), times)
		want := m.measure(copies.X, copies.Group, perUnit(8))
		for g, got := range table.rates() {
			of := want.Groups[g]
			var list rates
			for i, s := range []*Share{of.Sensitivity, of.Specificity, of.PPV, of.NPV} {
				if list[i] = math.NaN(); s != nil {
					list[i] = s.Value
				}
			}
			if list[4] = of.AUC; of.Sensitivity == nil || of.Specificity == nil {
				list[4] = math.NaN()
			}
			if diff := cmp.Diff(list, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Errorf("group %d: %s", g, diff)
			}
		}
		if got, want := table.errors(), float64(want.Errors)/float64(len(copies.X)); math.Abs(got-want) > 1e-12 {
			t.Errorf("the rate of errors is %v, not %v", got, want)
		}
	}
}

// TestOptimism checks the estimates for features that say nothing about the groups.
func TestOptimism(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	d := &Data{Features: []string{"a", "b", "c", "d"}, Groups: degrees[:2]}
	for i := range 80 {
		d.Group = append(d.Group, i%2)
		for range d.Features {
			d.X = append(d.X, math.Round(100*r.Float64()))
		}
	}
	o := Options{Search: Descent, Seed: 3}
	found, err := Find(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Bootstrap(t.Context(), d, o, 40, found.Model)
	if err != nil {
		t.Fatal(err)
	}
	apparent := newCrossTable(2)
	apparent.add(found.Model.outcome(d, nil), nil)
	v, err := CrossValidate(t.Context(), d, o, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	for g, e := range b.Measures {
		for name, one := range map[string]*Estimate{
			"sensitivity": e.Sensitivity, "specificity": e.Specificity, "PPV": e.PPV, "NPV": e.NPV, "AUC": e.AUC,
			"validated sensitivity": v.Measures[g].Sensitivity, "validated AUC": v.Measures[g].AUC,
		} {
			if one == nil || one.Low > one.Value || one.Value > one.High {
				t.Errorf("%s of group %d: %+v", name, g, one)
			}
		}
		// Among other objects the sensitivity and the specificity have the sum 1.
		r := apparent.rates()[g]
		free, corrected := r[0]+r[1], e.Sensitivity.Value+e.Specificity.Value
		if free < 1.05 || corrected > free-0.05 || *e.Sensitivity.Outside+*e.Specificity.Outside > 1.15 {
			t.Errorf("sensitivity and specificity %v, corrected %v", free, corrected)
		}
		if a := v.Measures[g].AUC.Value; a > 0.65 || a < 0.35 {
			t.Errorf("area of a cross-validation %v", a)
		}
	}
	if v.Bootstrap.Low > v.Rate || v.Bootstrap.High < v.Rate {
		t.Errorf("%v is not between %v", v.Rate, v.Bootstrap)
	}
}
