package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// load returns the data of a file.
func load(t *testing.T, name, group string) *Data {
	t.Helper()
	table, err := readTable(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.choose(choice{Group: group})
	if err != nil {
		t.Fatal(err)
	}
	return d.Data
}

// only returns n weights, of which weight j is 1 and the others are 0.
func only(n, j int) []float64 {
	w := make([]float64, n)
	w[j] = 1
	return w
}

// TestEvaluateKnown compares with results of other programs.
func TestEvaluateKnown(t *testing.T) {
	iris, breast := load(t, "../kmeans/iris.csv", ""), load(t, "testdata/breastcancer.csv", "Benign")
	ties := &Data{
		Features: []string{"f"}, Groups: []string{"0", "1"}, X: []float64{1, 1, 1, 2}, Group: []int{0, 1, 0, 1},
	}
	type known struct {
		name    string
		data    *Data
		weights []float64
		errors  float64
		cuts    []float64
	}
	cases := []known{
		{"petal width", iris, only(4, 3), 6, []float64{0.8, 1.65}},
		{"petal length", iris, only(4, 2), 7, []float64{2.45, 4.75}},
		{"sepal length", iris, only(4, 0), 38, []float64{5.45, 6.15}},
		{"sum", breast, slices.Repeat([]float64{1}, 9), 17, []float64{26}},
		{"ties", ties, []float64{1}, 1, []float64{1.5}},
	}
	for j, e := range []float64{96, 48, 51, 91, 68, 60, 63, 70, 145} {
		cases = append(cases, known{breast.Features[j], breast, only(9, j), e, nil})
	}
	devicestest.Each(t, func(t *testing.T, dev *devices.Device) {
		for _, c := range cases {
			r, err := Evaluate(t.Context(), c.data, c.weights, Options{}, dev)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if r.Cost != c.errors || c.cuts != nil && !slices.Equal(r.Model.Cuts, c.cuts) {
				t.Errorf("%s: %v errors at %v, not %v at %v", c.name, r.Cost, r.Model.Cuts, c.errors, c.cuts)
			}
		}
	})
}

// smallData returns a random set of few objects with many equal values.
func smallData(r *rand.Rand) *Data {
	k := 2 + r.IntN(4)
	n := k + r.IntN(8)
	d := &Data{Features: []string{"a", "b"}, Groups: degrees[:k]}
	for i := range n {
		d.Group = append(d.Group, i%k)
		d.X = append(d.X, float64(r.IntN(5)), float64(r.IntN(5)))
	}
	return d
}

// bruteForce returns the least cost over all sets of boundaries between different values of F. If empty
// is set, boundaries may be equal, and below and above all values.
func bruteForce(d *Data, c *Costs, f []float64, empty bool) float64 {
	values := slices.Compact(slices.Sorted(slices.Values(f)))
	states := len(d.Groups)
	if c.Zones {
		states = 2*states - 1
	}
	least := math.Inf(1)
	var try func(assigned []int) // of the values
	try = func(assigned []int) {
		if len(assigned) == len(values) {
			least = min(least, costOf(d, c, f, values, assigned, empty))
			return
		}
		from := 0
		if n := len(assigned); n > 0 {
			from = assigned[n-1]
		}
		for s := from; s < states; s++ {
			try(append(slices.Clone(assigned), s))
		}
	}
	try(nil)
	return least
}

// costOf returns the cost of assigning values to states, or infinity if a group is left out.
func costOf(d *Data, c *Costs, f, values []float64, assigned []int, empty bool) (sum float64) {
	for g := range d.Groups {
		state := g
		if c.Zones {
			state = 2 * g
		}
		if !empty && !slices.Contains(assigned, state) {
			return math.Inf(1)
		}
	}
	for i, v := range f {
		at, _ := slices.BinarySearch(values, v)
		switch s := assigned[at]; {
		case c.Zones && s%2 == 1:
			sum += c.Uncertain * d.weight(i)
		case c.Zones:
			sum += c.of(d.Group[i], s/2) * d.weight(i)
		default:
			sum += c.of(d.Group[i], s) * d.weight(i)
		}
	}
	return sum
}

// TestBruteForce compares random cases with all sets of boundaries: with ties, costs, weights, zones
// and groups that are left out.
func TestBruteForce(t *testing.T) {
	devs, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	infinite := 0
	for n := range 1000 {
		d := smallData(r)
		o := Options{Empty: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			o.Costs.Matrix = randomCosts(r, len(d.Groups))
		}
		if r.IntN(3) == 0 && len(d.Groups) < 4 {
			o.Costs.Zones, o.Costs.Uncertain = true, float64(r.IntN(3))/2
		}
		if r.IntN(3) == 0 {
			for range d.N() {
				d.Weights = append(d.Weights, float64(1+r.IntN(3)))
			}
		}
		weights := []float64{float64(r.IntN(7) - 3), float64(r.IntN(7)-3) / 4}
		f, largest := d.values(weights, d.largestOf())
		want := bruteForce(d, &o.Costs, f, o.Empty)
		problems := []problem{{}}
		c := newCoding(d, &o.Costs, o.Empty, problems)
		if p := c.place(f, largest, c.Codes[0]); c.cost(p.Cost) != want {
			t.Fatalf("case %d: on the host %v, not %v", n, p.Cost, want)
		}
		e := newEvaluator(d, c, problems, devs)
		for _, e.sorts = range []bool{true, false} {
			got, err := e.evaluate(t.Context(), nil, [][]float64{weights}, []int32{0}, []candidate{{I: -1, J: -1}})
			if err != nil || c.cost(got[0]) != want {
				t.Fatalf("case %d, sorted: %v, %v, %v, not %v", n, e.sorts, got, err, want)
			}
		}
		e.free()
		if math.IsInf(want, 1) {
			infinite++
		}
	}
	if infinite == 0 || infinite > 500 {
		t.Errorf("%d of 1000 cases have no boundaries", infinite)
	}
}

func randomCosts(r *rand.Rand, k int) (m [][]float64) {
	for range k {
		var row []float64
		for range k {
			row = append(row, float64(r.IntN(5)))
		}
		m = append(m, row)
	}
	return m
}

// TestDevices compares devices, one and several, to the bit.
func TestDevices(t *testing.T) {
	d := generate(200, 3, 1)
	options := []Options{
		{Starts: 2}, {Search: Descent, Starts: 3}, {Costs: Costs{Zones: true, Uncertain: 0.4}, Search: Descent},
		{Integer: true, Bounds: slices.Repeat([]Bound{{-2, 2}}, 6), Starts: 3, Kicks: 1},
	}
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	var want []*Result
	for _, o := range options {
		r, err := Find(t.Context(), d, o, cpu...)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	check := func(t *testing.T, devs ...*devices.Device) {
		for i, o := range options {
			r, err := Find(t.Context(), d, o, devs...)
			if err != nil {
				t.Fatal(err)
			}
			r.Device = want[i].Device
			if diff := cmp.Diff(r, want[i]); diff != "" {
				t.Errorf("options %d: %s", i, diff)
			}
		}
	}
	devicestest.Each(t, func(t *testing.T, dev *devices.Device) { check(t, dev) })
	t.Setenv("SKEL_SPLIT", "0")
	if all, err := devices.Get("opencl:all"); err == nil {
		check(t, all...)
	}
}

// TestLongRows compares the pieces of long rows with whole rows.
func TestLongRows(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, dev *devices.Device) {
		r := rand.New(rand.NewPCG(2, 2))
		for _, k := range []int{2, 3, 4, 5, 6} {
			for _, c := range []Costs{{}, {Zones: true, Uncertain: 0.25}, {Matrix: randomCosts(r, k)}} {
				if !c.Zones || k < 5 { // the table has no more than 8 states
					checkLong(t, dev, longData(r, k), &c, r.IntN(2) == 0)
				}
			}
		}
	})
}

// longData returns objects whose first feature tells something about their groups, and whose second
// one nothing.
func longData(r *rand.Rand, k int) *Data {
	d := &Data{Features: []string{"a", "b"}, Groups: append(slices.Clone(degrees), "dead")[:k]}
	for i := range longRow + 300 {
		d.Group = append(d.Group, i%k)
		d.X = append(d.X, float64(i%k)+3*r.Float64(), float64(r.IntN(9)))
	}
	return d
}

func checkLong(t *testing.T, dev *devices.Device, d *Data, costs *Costs, empty bool) {
	t.Helper()
	c := newCoding(d, costs, empty, []problem{{}})
	e := newEvaluator(d, c, []problem{{}}, []*devices.Device{dev})
	defer e.free()
	for _, w := range [][]float64{{1, 0.25}, {0, 1}} {
		f, largest := d.values(w, e.most)
		want := c.place(f, largest, c.Codes[0]).Cost
		for _, e.packs = range []bool{false, true} {
			got, err := e.evaluate(t.Context(), nil, [][]float64{{0, -1}, w}, []int32{0, 0}, []candidate{
				{I: -1, J: -1}, {State: 1, I: -1, J: -1}, {State: 0, I: 0, J: 1, A: w[0], B: w[1]},
			})
			if err != nil || got[1] != want || got[2] != want {
				t.Errorf("%d groups, costs %+v, weights %v, packed keys: %v: %v, %v, not %v",
					len(d.Groups), costs, w, e.packs, got, err, want)
			}
		}
	}
}
