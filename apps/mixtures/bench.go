package mixtures

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
)

// benchIterations is the number of iterations of a sample.
const benchIterations = 100

// shape is a batch of fits: data sets times starts, of n values and m components.
type shape struct{ sets, starts, n, m int }

func (h shape) String() string {
	return fmt.Sprintf("sets=%d/starts=%d/n=%d/m=%d", h.sets, h.starts, h.n, h.m)
}

// benchRows returns the rows of mixtures of inverse Gaussian distributions: 100 iterations of
// many fits, as in the bulkem paper, and ragged data sets until all fits have converged.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	var goals []benchmark.Goal
	sets, ragged := s.Size(100), s.Size(100_000)
	if !s.GPU() {
		// More would take minutes in plain Go and NumPy, and would not change the ratios.
		sets, ragged = s.Size(10<<(benchmark.Largest-24)), max(1, ragged/16)
		if !s.Device.Native() {
			sets = s.Size(25 << (benchmark.Largest - 24))
			goals = []benchmark.Goal{{Yardstick: "go", Ratio: 3}, {Yardstick: "numpy", Ratio: 5}}
		}
	}
	rows := []*benchmark.Row{iterationRow(shape{sets, 10, 2000, 2}, append(goals, s.GPUGoals("jax", 3)...))}
	if s.GPU() {
		rows = append(rows,
			iterationRow(shape{s.Size(1000), 10, 2000, 2}, s.GPUGoals("jax", 3)),
			iterationRow(shape{sets, 10, 20_000, 8}, s.GPUGoals("jax", 3)))
	}
	return append(rows, raggedRow(ragged, s.GPUGoals("jax", 10)))
}

// benchComponents is the mixture from which the values are drawn.
var benchComponents = []Component{{0.5, 1, 5}, {0.5, 3, 20}}

// iterationRow returns the row of a batch whose fits run on.
func iterationRow(h shape, goals []benchmark.Goal) *benchmark.Row {
	// A component takes about 8 operations for the density, 22 for the exponential and 8
	// for the sums, and a value about 12 for the division.
	operations := float64(h.m*38+12) * float64(h.sets*h.starts) * float64(h.n) * benchIterations
	return &benchmark.Row{
		Name:   "Mixtures/family=invgauss/type=float64/" + h.String(),
		Ops:    operations,
		Memory: int64(h.sets*h.n)*24 + int64(h.sets*h.starts*strips(h.n))*int64(16+8*(1+sumsSize*h.m)),
		Goals:  goals,
		Open:   func(s *benchmark.Suite) (*benchmark.Case, error) { return openIterations(s, h) },
	}
}

// openIterations prepares a batch. Its stop rule is never fulfilled.
func openIterations(s *benchmark.Suite, h shape) (*benchmark.Case, error) {
	f, jobs, err := benchFitting(s, h)
	if err != nil {
		return nil, err
	}
	b := f.pack(s.Device, h.m, jobs)
	b.stop = stopRule{Absolute: math.Inf(-1), MaxIter: math.MaxInt32}
	inParallel(len(jobs), func(i int) { copy(b.components[i*h.m:], f.first(jobs[i], h.m)) })
	batch, err := InverseGaussian.engine.open(b)
	if err != nil {
		return nil, err
	}
	plain := newPlainEM(f, h.m, jobs, b.components)
	c := &benchmark.Case{
		Sample: func() (time.Duration, error) {
			start := time.Now()
			_, err := batch.run(benchIterations / innerIterations)
			return time.Since(start), err
		},
		Check: func() error { return checkIterations(batch, b, plain) },
		Close: []func() error{func() error { batch.close(); return nil }},
	}
	if !s.GPU() {
		c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: "go", Sample: plain.sample})
	}
	return c, addYardsticks(s, c, "fixed", h)
}

// benchFitting draws data sets and returns their fits.
func benchFitting(s *benchmark.Suite, h shape) (*fitting, []start, error) {
	f := &fitting{
		o:       &Options{Family: InverseGaussian, MaxComponents: h.m, Starts: h.starts},
		sets:    make([]Set, h.sets),
		devices: []*devices.Device{s.Device},
	}
	inParallel(h.sets, func(i int) {
		f.sets[i] = Set{"generated", Sample(InverseGaussian, benchComponents, h.n, uint64(i))}
	})
	if err := f.o.check(); err != nil {
		return nil, nil, err
	}
	var jobs []start
	for set := range h.sets {
		for i := range h.starts {
			jobs = append(jobs, start{set, i})
		}
	}
	return f, jobs, f.prepare()
}

// checkIterations compares the log-likelihoods after the same number of iterations with those
// of the plain loops.
func checkIterations(batch session, b *batch, plain *plainEM) error {
	first := slices.Clone(b.components)
	if _, err := batch.run(1); err != nil {
		return err
	}
	if err := batch.read(b); err != nil {
		return err
	}
	for i := range min(20, len(plain.jobs)) {
		plain.fit(i, first[i*b.m:(i+1)*b.m], innerIterations)
		got, want := b.progress[i*b.m].LogLik-b.fits[i].Base, plain.logLik[i]
		if !(math.Abs(got-want) <= 1e-7*math.Abs(want)) {
			return fmt.Errorf("fit %d: the log-likelihood is %v, want %v", i, got, want)
		}
	}
	return nil
}

// raggedRow returns the row of data sets of 20 to 5000 values.
func raggedRow(sets int, goals []benchmark.Goal) *benchmark.Row {
	const least, most, starts, m = 20, 5000, 5, 2
	return &benchmark.Row{
		Name:   fmt.Sprintf("Mixtures/family=invgauss/type=float64/ragged/sets=%d/starts=%d/m=%d", sets, starts, m),
		Memory: 1 << 28,
		Goals:  goals,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			all := make([]Set, sets)
			inParallel(sets, func(i int) {
				n := least + rand.New(rand.NewPCG(uint64(i), 1)).IntN(most-least+1)
				all[i] = Set{"generated", Sample(InverseGaussian, benchComponents, n, uint64(i))}
			})
			o := Options{MaxComponents: m, Starts: starts, Devices: []*devices.Device{s.Device}, Tolerance: 1e-8}
			c := &benchmark.Case{
				Sample: func() (time.Duration, error) {
					start := time.Now()
					_, err := FitSets(s.Context, all, o)
					return time.Since(start), err
				},
				Check: func() error { return checkRagged(s.Context, all[:min(len(all), 50)], o) },
			}
			return c, addYardsticks(s, c, "ragged", shape{sets, starts, most, m})
		},
	}
}

// checkRagged compares some fits with those of the CPU.
func checkRagged(ctx context.Context, sets []Set, o Options) error {
	got, err := FitSets(ctx, sets, o)
	if err != nil {
		return err
	}
	if o.Devices, err = devices.Get("cpu"); err != nil {
		return err
	}
	want, err := FitSets(ctx, sets, o)
	if err != nil {
		return err
	}
	for i, fits := range want.Sets {
		if a, b := got.Sets[i][0], fits[0]; a.LogLik != b.LogLik || !slices.Equal(a.Components, b.Components) {
			return fmt.Errorf("data set %d: the fit is %+v, want %+v", i, a, b)
		}
	}
	return nil
}
