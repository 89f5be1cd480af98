package scale

import (
	_ "embed" // the script
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
)

// benchRows returns the rows of scales: batches of candidates, a sweep of the paper's search, and a
// cross-validation. On GPUs the batches are those of many starts, and of many objects.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	rows := []*benchmark.Row{
		batchRow(max(21, s.Size(21_000)), 683, 9, 2, s.GPUGoals("jax", 3)),
		batchRow(max(21, s.Size(21_000)), 683, 9, 5, s.GPUGoals("jax", 3)),
		batchRow(21, max(1000, s.Size(1_000_000)), 30, 5, s.GPUGoals("jax", 3)),
	}
	if !s.GPU() {
		var goals []benchmark.Goal
		if !s.Device.Native() { // PoCL, which has vector instructions as NumPy has
			goals = []benchmark.Goal{{Yardstick: "numpy", Ratio: 5}}
		}
		rows = append(rows, batchRow(max(21, s.Size(1000<<6)), 683, 9, 5, goals))
	}
	return append(rows, sweepRow(), validationRow(s))
}

// batchRow returns the row of the least errors of a batch of candidates.
func batchRow(candidates, n, features, groups int, goals []benchmark.Goal) *benchmark.Row {
	return &benchmark.Row{
		Name: fmt.Sprintf("Scale/candidates=%d/n=%d/features=%d/groups=%d", candidates, n, features, groups),
		// Each value is computed, read and written by the passes of a sort, and read once.
		Ops:    2 * float64(candidates) * float64(n) * float64(features),
		Memory: 4 * 8 * int64(min(candidates*n, max(n, batchKeys))),
		Goals:  goals,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			b := newBench(s, candidates, n, features, groups)
			c := &benchmark.Case{Close: []func() error{b.close}, Check: b.check, Sample: b.sample}
			return c, addYardsticks(s, c, candidates, n, features, groups)
		},
	}
}

// bench is a batch of random candidates for random data.
type bench struct {
	suite   *benchmark.Suite
	e       *evaluator
	weights [][]float64
	list    []candidate
	set     *stateSet
}

// randomData returns objects with whole features from 1 to 10 and random groups.
func randomData(n, features, groups int) *Data {
	r := rand.New(rand.NewPCG(1, uint64(groups)))
	d := &Data{}
	for g := range groups {
		d.Groups = append(d.Groups, strconv.Itoa(g))
	}
	for j := range features {
		d.Features = append(d.Features, "x"+strconv.Itoa(j))
	}
	for i := range n {
		d.Group = append(d.Group, i%groups)
		for range features {
			d.X = append(d.X, float64(1+r.IntN(10)))
		}
	}
	return d
}

func newBench(s *benchmark.Suite, candidates, n, features, groups int) *bench {
	d, p := randomData(n, features, groups), []problem{{}}
	b := &bench{suite: s, e: newEvaluator(d, newCoding(d, &Costs{}, false, p), p, []*devices.Device{s.Device})}
	r := rand.New(rand.NewPCG(2, 2))
	for i := range candidates {
		w := make([]float64, features)
		for j := range w {
			w[j] = 2*r.Float64() - 1
		}
		b.weights = append(b.weights, w)
		b.list = append(b.list, candidate{State: int32(i), I: -1, J: -1})
	}
	b.set = b.e.upload(b.weights, make([]int32, candidates))
	return b
}

func (b *bench) close() error {
	b.set.free()
	b.e.free()
	return nil
}

func (b *bench) sample() (time.Duration, error) {
	start := time.Now()
	_, err := b.e.run(b.suite.Context, nil, b.set, b.list)
	return time.Since(start), err
}

// check compares some candidates with the host.
func (b *bench) check() error {
	got, err := b.e.run(b.suite.Context, nil, b.set, b.list)
	if err != nil {
		return err
	}
	for i := range min(3, len(got)) {
		f, largest := b.e.data.values(b.weights[i], b.e.most)
		if want := b.e.place(f, largest, b.e.Codes[0]).Cost; got[i] != want {
			return fmt.Errorf("candidate %d has %v errors, not %v", i, got[i], want)
		}
	}
	return nil
}

// sweepRow returns the row of the paper's job: 20 steps along each of 9 weights, 5 groups.
func sweepRow() *benchmark.Row {
	return &benchmark.Row{
		Name: "ScaleSweep/n=683/features=9/groups=5/steps=20",
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			return searchCase(s, func(d *Data) error {
				_, err := Find(s.Context, d, Options{Search: Descent, Kicks: 0}, s.Device)
				return err
			}, 683, 5), nil
		},
	}
}

// validationRow returns the row of a cross-validation: 10 folds, 20 times, with whole weights.
func validationRow(s *benchmark.Suite) *benchmark.Row {
	repeats := max(1, s.Size(20))
	row := &benchmark.Row{
		Name: fmt.Sprintf("ScaleCV/n=683/features=9/groups=2/folds=10/repeats=%d", repeats),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			return searchCase(s, func(d *Data) error {
				o := Options{Integer: true, Bounds: slices.Repeat([]Bound{{-5, 5}}, 9), Starts: 4}
				_, err := CrossValidate(s.Context, d, o, 10, repeats, s.Device)
				return err
			}, 683, 2), nil
		},
	}
	if s.GPU() {
		row.MaxTime = 2 * time.Second
	}
	return row
}

// searchCase returns a case that runs a search.
func searchCase(_ *benchmark.Suite, run func(d *Data) error, n, groups int) *benchmark.Case {
	d := randomData(n, 9, groups)
	for i, g := range d.Group { // the features must say something about the groups
		for j := range 6 {
			d.row(i)[j] += float64(2 * g)
		}
	}
	return &benchmark.Case{Sample: func() (time.Duration, error) {
		start := time.Now()
		err := run(d)
		return time.Since(start), err
	}, Check: func() error { return run(d) }}
}

//go:embed scale.py
var scaleScript string

// addYardsticks adds the same batch by sorting and cumulative sums and maxima in JAX or NumPy. They have
// data of their own, because the time does not depend on the data. Indices and counts have 32 bits, with
// which JAX is faster than with 64.
func addYardsticks(s *benchmark.Suite, c *benchmark.Case, candidates, n, features, groups int) error {
	library := "numpy"
	if s.JAX != nil {
		library = "jax"
	} else if s.GPU() {
		return nil
	}
	return c.AddPython(s, library, scaleScript, "scale", library, candidates, n, features, groups)
}
