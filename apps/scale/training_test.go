package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withMissing returns data of whole numbers of which some are missing, more often in the highest group.
func withMissing(n, groups int) *Data {
	d := generate(n, groups, 7)
	d.Missing = make([]bool, len(d.X))
	r := rand.New(rand.NewPCG(1, 2))
	for at := range d.X {
		d.X[at] = math.Round(d.X[at])
		g := d.Group[at/len(d.Features)]
		d.Missing[at] = at%len(d.Features) < 4 && r.IntN(10) < 1+2*g
	}
	return d
}

// TestTraining compares a cross-validation with searches for data that have the training objects only,
// with medians and an order of the groups that are found among them.
func TestTraining(t *testing.T) {
	const folds = 4
	for _, unordered := range []bool{false, true} {
		d := withMissing(48, 3)
		if unordered {
			for i := range d.Group {
				d.Group[i] = []int{2, 0, 1}[d.Group[i]]
			}
		}
		o := Options{Search: Descent, Seed: 5, Unordered: unordered, Starts: 1}
		v, err := CrossValidate(t.Context(), d, o, folds, 1)
		if err != nil {
			t.Fatal(err)
		}
		fold := foldsOf(d, folds, rand.New(rand.NewPCG(o.Seed, 1<<32)))
		errors := 0
		for f := range folds {
			part := &Data{Features: d.Features, Groups: d.Groups}
			known := make([][]float64, len(d.Features))
			for at, x := range d.X {
				if fold[at/len(d.Features)] != f && !d.Missing[at] {
					known[at%len(d.Features)] = append(known[at%len(d.Features)], x)
				}
			}
			x := slices.Clone(d.X)
			for at := range x {
				if list := known[at%len(d.Features)]; d.Missing[at] {
					slices.Sort(list)
					x[at] = (list[(len(list)-1)/2] + list[len(list)/2]) / 2
				}
			}
			rows := slices.Collect(slices.Chunk(x, len(d.Features)))
			for i, row := range rows {
				if fold[i] != f {
					part.X, part.Group = append(part.X, row...), append(part.Group, d.Group[i])
				}
			}
			r, order := (*Result)(nil), []int{0, 1, 2}
			if unordered {
				r, order, err = FindOrder(t.Context(), part, o)
			} else {
				r, err = Find(t.Context(), part, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				if fold[i] == f && order[r.Model.Assign(r.Model.Score(row))] != d.Group[i] {
					errors++
				}
			}
		}
		if diff := cmp.Diff([]int{errors}, v.Errors); diff != "" || errors == 0 {
			t.Errorf("unordered %v: %s", unordered, diff)
		}
		// The sensitivity must be of the same groups: of all together it is the share of those assigned rightly.
		right := 0.0
		for g, m := range v.Measures {
			right += m.Sensitivity.Value * 16
			if m.Group != d.Groups[g] {
				t.Errorf("group %s, not %s", m.Group, d.Groups[g])
			}
		}
		if math.Abs(right-float64(48-errors)) > 1e-9 {
			t.Errorf("%v objects are assigned rightly, and %d wrongly", right, errors)
		}
	}
}

// TestMemory checks that searches find the same whether or not they advance together.
func TestMemory(t *testing.T) {
	d := withMissing(45, 3)
	for _, o := range []Options{
		{Starts: 2}, {Search: Descent, Starts: 3},
		{Integer: true, Bounds: slices.Repeat([]Bound{{-3, 3}}, 6), Starts: 2},
	} {
		var all []*Resampling
		for _, memory := range []int{0, 1} {
			o.memory = memory
			m := &Model{Features: d.Features, Groups: d.Groups, Weights: make([]float64, 6), Cuts: []float64{1, 2}}
			b, err := Bootstrap(t.Context(), d, o, 3, m)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b)
		}
		if diff := cmp.Diff(all[0], all[1]); diff != "" {
			t.Error(diff)
		}
	}
}

// TestCouples counts the couples of an exact search.
func TestCouples(t *testing.T) {
	d := generate(31, 3, 1)
	if got, want := countCouples(d), len(couplesOf(d)); got != want {
		t.Errorf("%d couples, not %d", got, want)
	}
	for i := range d.N() {
		d.Weights = append(d.Weights, float64(i%4))
	}
	if got, want := countCouples(d), len(couplesOf(d)); got != want {
		t.Errorf("%d couples with weights, not %d", got, want)
	}
}

// TestFixed validates the boundaries of given weights: with one feature, no other weights are possible.
func TestFixed(t *testing.T) {
	d := generate(60, 2, 3)
	w := []float64{0, 0, 1, 0, 0, 0}
	got, err := CrossValidate(t.Context(), d, Options{Seed: 1}.fixed(w), 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	one := &Data{Features: d.Features[2:3], Groups: d.Groups, Group: d.Group}
	for i := range d.N() {
		one.X = append(one.X, d.row(i)[2])
	}
	want, err := CrossValidate(t.Context(), one, Options{Seed: 1, Search: Descent, Bounds: []Bound{{1, 1}}}, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
