package scale

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

// TestWilson compares with the table of Newcombe (Statistics in Medicine 17, 1998).
func TestWilson(t *testing.T) {
	for _, c := range []struct{ count, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
	} {
		got := wilson(c.count, c.n)
		if math.Abs(got.Low-c.low) > 6e-5 || math.Abs(got.High-c.high) > 6e-5 {
			t.Errorf("%v of %v: %v, not %v to %v", c.count, c.n, got, c.low, c.high)
		}
	}
	for n := 1.0; n < 1000; n++ {
		if none, all := wilson(0, n), wilson(n, n); none.Low != 0 || all.High != 1 {
			t.Errorf("0 of %v: from %v; %v of %v: to %v", n, none.Low, n, n, all.High)
		}
	}
}

// TestAUC compares the area with the part of all couples whose scores are in the right order.
func TestAUC(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		var scores []float64
		var positive []bool
		for i := range 5 + r.IntN(20) {
			scores, positive = append(scores, float64(r.IntN(6))), append(positive, i%3 == 0)
		}
		right, all := 0.0, 0.0
		for i := range scores {
			for k := range scores {
				if positive[i] && !positive[k] {
					all++
					switch {
					case scores[i] > scores[k]:
						right++
					case scores[i] == scores[k]:
						right += 0.5
					}
				}
			}
		}
		if got := auc(scores, perUnit(5), func(i int) bool { return positive[i] }); math.Abs(got-right/all) > 1e-12 {
			t.Errorf("%v, not %v", got, right/all)
		}
	}
}

// TestEqualScores checks that scores that differ by rounding only are equal in the measures, too.
func TestEqualScores(t *testing.T) {
	tenth := 0.1
	scores, group := []float64{3 * tenth, 0.3, 1, 1}, []int{0, 1, 0, 1}
	unit := perUnit(1)
	if got := auc(scores, unit, func(i int) bool { return group[i] == 1 }); got != 0.5 {
		t.Errorf("the area is %v, not 0.5", got)
	}
	m := &Model{Features: []string{"f"}, Groups: []string{"a", "b"}, Weights: []float64{1}, Cuts: []float64{2}}
	if risks := m.risks(scores, group, unit); len(risks) != 2 || risks[0].N != 2 {
		t.Errorf("%+v", risks)
	}
}

// TestMeasures checks the counts of a small table by hand: scores 0 to 9, boundaries at 2.5 and 6, which
// belongs to the group below it.
func TestMeasures(t *testing.T) {
	m := &Model{
		Features: []string{"f"}, Groups: []string{"a", "b", "c"}, Weights: []float64{1}, Cuts: []float64{2.5, 6},
	}
	scores := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	group := []int{0, 0, 1, 1, 1, 0, 2, 2, 1, 2}
	got := m.measure(scores, group, perUnit(9))
	if got.Errors != 4 || got.Uncertain != 0 {
		t.Errorf("%d errors, %d uncertain", got.Errors, got.Uncertain)
	}
	if diff := cmp.Diff(got.Confusion, [][]int{{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}); diff != "" {
		t.Error(diff)
	}
	b := got.Groups[1]
	for name, s := range map[string][3]*Share{
		"sensitivity": {b.Sensitivity, newShare(2, 4)}, "specificity": {b.Specificity, newShare(4, 6)},
		"PPV": {b.PPV, newShare(2, 4)}, "NPV": {b.NPV, newShare(4, 6)},
	} {
		if diff := cmp.Diff(s[0], s[1]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	total := 0
	for _, r := range m.risks(scores, group, perUnit(9)) {
		total += r.N
		if m.Assign(r.Low) != m.Assign(r.High) {
			t.Errorf("a boundary is between %v and %v", r.Low, r.High)
		}
	}
	if total != len(scores) {
		t.Errorf("the risks are of %d objects", total)
	}
}

// TestZones assigns scores to groups and zones. A zone includes its bounds; an empty one has none.
func TestZones(t *testing.T) {
	m := &Model{Groups: []string{"a", "b", "c"}, Cuts: []float64{1, 2, 3, 3}, Zones: true}
	for score, want := range map[float64]int{
		0: 0, 1: Undecided, 1.5: Undecided, 2: Undecided, 2.5: 1, 3: 1, 4: 2,
	} {
		if got := m.Assign(score); got != want {
			t.Errorf("score %v: group %d, not %d", score, got, want)
		}
	}
}

// TestRanges checks which scores the report says that groups have.
func TestRanges(t *testing.T) {
	groups := []string{"a", "b", "c"}
	for _, c := range []struct {
		model Model
		want  []rangeLine
	}{
		{
			Model{Cuts: []float64{2.5, 81.5}},
			[]rangeLine{{"a", "score up to 2.5"}, {"b", "score above 2.5 and up to 81.5"}, {"c", "score above 81.5"}},
		},
		{
			Model{Cuts: []float64{2, 2}},
			[]rangeLine{{"a", "score up to 2"}, {"b", "no score"}, {"c", "score above 2"}},
		},
		{
			Model{Cuts: []float64{1, 2, 3, 3}, Zones: true},
			[]rangeLine{
				{"a", "score below 1"}, {"uncertain", "score from 1 to 2"}, {"b", "score above 2 and up to 3"},
				{"c", "score above 3"},
			},
		},
		{
			Model{Cuts: []float64{2, 2, 2, 3}, Zones: true},
			[]rangeLine{
				{"a", "score below 2"}, {"b", "no score"}, {"uncertain", "score from 2 to 3"}, {"c", "score above 3"},
			},
		},
	} {
		c.model.Groups = groups
		if diff := cmp.Diff(c.model.ranges(), c.want); diff != "" {
			t.Errorf("%v: %s", c.model.Cuts, diff)
		}
	}
}

// TestModelFile writes and reads models, and reads damaged ones.
func TestModelFile(t *testing.T) {
	m := &Model{
		Features: []string{"a", "a missing"}, Groups: []string{"x", "y"}, Weights: []float64{0.1, 1},
		Cuts: []float64{1. / 3}, Fills: []float64{2, 0}, Indicators: []Indicator{{1, 0}}, GroupColumn: "g",
	}
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, again); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"":   "empty",
		"{}": "0 features",
		`{"features":["a"],"groups":["x","y"],"cuts":[1]}`:                             "0 weights of 1 feature",
		`{"features":["a"],"groups":["x","y"],"weights":[1],"cuts":[1,2]}`:             "2 thresholds",
		`{"features":["a"],"groups":["x","y","z"],"weights":[1],"cuts":[2,1]}`:         "boundary 1 after 2",
		`{"features":["a"],"groups":["x"],"weights":[1],"cuts":[]}`:                    "1 group",
		`{"features":["a"],"groups":["x","y"],"weights":[1],"cuts":[1],"fills":[1,2]}`: "2 values",
		`{"features":["a","b"],"groups":["x","y"],"weights":[1,1],"cuts":[1],"fills":[1,0],` +
			`"indicators":[{"feature":1,"of":1}]}`: "feature 2 cannot tell where feature 2 of 2 is missing",
		`{"features":["a","b"],"groups":["x","y"],"weights":[1,1],"cuts":[1],"fills":[1,0],` +
			`"indicators":[{"feature":0,"of":1}]}`: "feature 1 cannot tell where feature 2 of 2 is missing",
		`{"features":["a"],"groups":["x","y"],"weights":[1],"cuts":[1],"scores":[{"low":3,"risks":[null]}]}`: "score 3",
	} {
		if _, err := Load(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
}

// TestValidate checks that the folds are parts of the groups, and that scales for other objects have
// more errors than for their own.
func TestValidate(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	d := generate(90, 2, 1)
	o := Options{Search: Descent, Seed: 1}
	v, err := CrossValidate(t.Context(), d, o, 5, 2, cpu...)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Errors) != 2 || v.Rate < v.Training || v.Low > v.Rate || v.High < v.Rate {
		t.Errorf("%+v", v)
	}
	again, err := CrossValidate(t.Context(), d, o, 5, 2, cpu...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, again); diff != "" {
		t.Error(diff)
	}
	fold := foldsOf(d, 5, rand.New(rand.NewPCG(1, 1)))
	counts := map[[2]int]int{}
	for i, f := range fold {
		counts[[2]int{f, d.Group[i]}]++
	}
	for at, n := range counts {
		if n != 9 {
			t.Errorf("fold and group %v have %d objects, not 9", at, n)
		}
	}
	found, err := Find(t.Context(), d, o, cpu...)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Bootstrap(t.Context(), d, o, 5, found.Model, cpu...)
	if err != nil {
		t.Fatal(err)
	}
	if b.Samples != 5 || len(b.Weights) != 6 || b.Low > b.Rate || b.High < b.Rate {
		t.Errorf("%+v", b)
	}
}

// TestNothingToTrain validates where one part of the objects has no weight.
func TestNothingToTrain(t *testing.T) {
	d := &Data{
		Features: []string{"f"}, Groups: degrees[:2], X: []float64{1, 2, 3, 4}, Group: []int{0, 0, 1, 1},
		Weights: []float64{1, 0, 0, 0},
	}
	_, err := CrossValidate(t.Context(), d, Options{Empty: true}, 2, 1)
	if err == nil || !strings.Contains(err.Error(), "no object of positive weight") || !app.IsInputError(err) {
		t.Errorf("%v", err)
	}
}

// TestFullSamples counts only samples that leave objects out.
func TestFullSamples(t *testing.T) {
	o := Options{Bounds: []Bound{{1, 1}}, Search: Descent}
	d := &Data{Features: []string{"f"}, Groups: degrees[:2], X: []float64{1, 2}, Group: []int{0, 1}}
	m := &Model{Features: d.Features, Groups: d.Groups, Weights: []float64{1}, Cuts: []float64{1.5}}
	if _, err := Bootstrap(t.Context(), d, o, 3, m); err == nil || !app.IsInputError(err) {
		t.Errorf("no error for samples that have all objects: %v", err)
	}
	// A sample leaves out one of the last two objects, which is always wrong, or none.
	d.X, d.Group = []float64{1, 0, 0}, []int{0, 1, 1}
	b, err := Bootstrap(t.Context(), d, o, 40, m)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(b.Rate-1) > 1e-12 {
		t.Errorf("the rate is %v, not 1", b.Rate)
	}
}

// TestFindOrder finds the order of groups whose names are in another one.
func TestFindOrder(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	d := &Data{Features: []string{"f"}, Groups: []string{"high", "low", "middle"}}
	for i := range 12 {
		d.X, d.Group = append(d.X, float64(i)), append(d.Group, []int{1, 2, 0}[i/4])
	}
	r, order, err := FindOrder(t.Context(), d, Options{Bounds: []Bound{{0.5, 1}}}, cpu...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Model.Groups, []string{"low", "middle", "high"}); diff != "" || r.Cost != 0 || order[0] != 1 {
		t.Errorf("%v errors, order %v, %s", r.Cost, order, diff)
	}
}

// TestWritePoints writes numbers of many digits.
func TestWritePoints(t *testing.T) {
	m := &Model{
		Features: []string{"f"}, Groups: []string{"a", "b"}, Weights: []float64{1. / 3}, Cuts: []float64{1e15 / 7},
		Risks:  []Risk{{Low: 1, High: 2. / 3, N: 4, Counts: []int{0, 4}}},
		Scores: []ScoreRisk{{Low: 1, High: 1, N: 1, Risks: []*Share{{0, 1, 1. / 3, Interval{0, 2. / 3}}}}},
	}
	var b strings.Builder
	if err := m.writePoints(&b); err != nil {
		t.Fatal(err)
	}
	want := `kind,name,from,to,value,n,low,high
weight,f,,,0.3333333333333333,,,
threshold,a | b,,,1.4285714285714284e+14,,,
risk,a,1,0.6666666666666666,0,4,0,0.4898908364545973
risk,b,1,0.6666666666666666,1,4,0.5101091635454027,1
score,risk of b,1,1,0.3333333333333333,1,0,0.6666666666666666
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestErrors checks messages and that they are errors of the input.
func TestErrors(t *testing.T) {
	two := func(x ...float64) *Data {
		d := &Data{Features: []string{"f"}, Groups: []string{"a", "b"}, X: x}
		for i := range x {
			d.Group = append(d.Group, i%2)
		}
		return d
	}
	for _, c := range []struct {
		data *Data
		o    Options
		want string
	}{
		{&Data{}, Options{}, "no data"},
		{two(1, 1), Options{}, "feature f is constant, 1"},
		{two(1, math.NaN()), Options{}, "feature f of object 2 is NaN"},
		{&Data{Features: []string{"f"}, Groups: []string{"a"}, X: []float64{1}, Group: []int{0}}, Options{}, "1 group"},
		{
			&Data{
				Features: []string{"f"}, Groups: degrees[:2], X: []float64{1, 2}, Group: []int{0, 1},
				Weights: []float64{0, 0},
			},
			Options{Empty: true}, "the weights of all objects are 0",
		},
		{two(1, 1e308), Options{}, "feature f has values up to 1e+308"},
		{two(1, 2), Options{Search: "best"}, `unknown search "best"`},
		{two(1, 2), Options{Bounds: []Bound{{2, 1}}}, "the weight of f are 2 and 1; they must be finite and ascend"},
		{two(1, 2), Options{Bounds: []Bound{{0, 0.5}}, Integer: true}, "f are 0 and 0.5; they must be whole numbers"},
		{two(1, 2), Options{Start: []float64{2}}, "the first weight of f is 2"},
		{
			two(1, 2), Options{Integer: true, Start: []float64{0.5}},
			"the first weight of f is 0.5; it must be a whole number",
		},
		{
			&Data{Features: []string{"e", "f"}, Groups: degrees[:2], X: []float64{1, 2, 3, 4}, Group: []int{0, 1}},
			Options{Start: []float64{1, 1}, MaxFeatures: 1},
			"2 of the first weights are not 0; at most 1 feature may be used",
		},
		{two(1, 2), Options{Costs: Costs{Matrix: [][]float64{{0, 1}}}}, "1 row for 2 groups"},
		{two(1, 2), Options{Costs: Costs{Matrix: [][]float64{{0, -1}, {1, 0}}}}, "assigning a to b costs -1"},
		{
			&Data{Features: []string{"f"}, Groups: degrees[:3], X: []float64{1, 1, 2}, Group: []int{0, 1, 2}},
			Options{}, "fewer values than there are groups",
		},
	} {
		_, err := Find(t.Context(), c.data, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || !app.IsInputError(err) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

// TestNewcombe draws scores of two groups from normal distributions and counts how often the interval has
// the true area.
func TestNewcombe(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, c := range []struct {
		shift float64
		m, n  int
	}{{0, 20, 20}, {1, 15, 40}, {2, 30, 30}, {3, 60, 40}} {
		truth, within := 0.5*math.Erfc(-c.shift/2), 0
		const draws = 2000
		for range draws {
			scores := make([]float64, c.m+c.n)
			for i := range scores {
				if scores[i] = r.NormFloat64(); i < c.m {
					scores[i] += c.shift
				}
			}
			area := auc(scores, perUnit(20), func(i int) bool { return i < c.m })
			got := newcombe(area, newShare(0, c.m), newShare(0, c.n))
			if got.Low <= truth && truth <= got.High {
				within++
			}
		}
		if share := float64(within) / draws; share < 0.93 || share > 0.985 {
			t.Errorf("%+v: %v of the intervals have the area %v", c, share, truth)
		}
	}
	if got := newcombe(1, newShare(0, 10), newShare(0, 10)); got.High != 1 || got.Low < 0.5 || got.Low > 0.95 {
		t.Errorf("the interval of area 1 is %v", got)
	}
	if newcombe(1, nil, newShare(0, 1)) != nil {
		t.Error("an interval of no objects")
	}
}
