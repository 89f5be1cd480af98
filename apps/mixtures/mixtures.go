package mixtures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Set is a data set: numbers to which mixtures are fitted.
type Set struct {
	Name   string
	Values []float64
}

// Component is a component of a mixture. Q is 0 in families with one parameter.
type Component struct{ Weight, P, Q float64 }

// Fit is a mixture that was fitted to a data set.
type Fit struct {
	Components []Component // in the order of their means
	LogLik     float64
	AIC, BIC   float64
	ICL        float64 // BIC plus twice the entropy of the posterior probabilities
	Iterations int     // of the start that was best
	Start      int     // its number, from 0
	Converged  bool
	// Degenerate lists components that are as narrow as the family allows: they stand for
	// equal or almost equal values, and their likelihood has no maximum.
	Degenerate []int
	// First are the components with which the best start began.
	First []Component
	// Errors are the standard errors of the components by bootstrap; nil without it.
	Errors []Component
}

// Fits are the mixtures that were fitted to one data set: one for each number of components
// for which there are enough values.
type Fits []*Fit

// Best returns the fit with the least BIC among those without degenerate components, or if
// all have some, among all. It returns nil if there is none.
func (f Fits) Best() (best *Fit) {
	for _, x := range f {
		if best == nil || x.better(best, x.BIC < best.BIC) {
			best = x
		}
	}
	return best
}

// better returns whether f has fewer reasons to be rejected than g, or if that is equal,
// otherwise. Having no likelihood is the strongest reason.
func (f *Fit) better(g *Fit, otherwise bool) bool {
	if a, b := f.finite(), g.finite(); a != b {
		return a
	}
	if a, b := len(f.Degenerate) > 0, len(g.Degenerate) > 0; a != b {
		return b
	}
	return otherwise
}

// finite reports whether there is a log-likelihood.
func (f *Fit) finite() bool { return f.LogLik-f.LogLik == 0 }

// Result holds the fits of all data sets.
type Result struct {
	Sets   []Fits // the fits of each data set
	Count  int    // how many fits there were, with all starts and those of the bootstrap
	Device string
}

// fitting is one call of FitSets.
type fitting struct {
	o       *Options
	sets    []Set
	numbers [][]float64 // transformed
	infos   []fitInfo   // of each set, without its lanes
	devices []*devices.Device
	store   *store
}

// FitSets fits mixtures to all data sets at the same time: one for each number of components
// and start. It returns the best start for each number of components.
func FitSets(ctx context.Context, sets []Set, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &fitting{o: &o, devices: o.Devices, sets: sets, store: &store{checkpoint: o.checkpoint}}
	if len(f.devices) == 0 {
		var err error
		if f.devices, err = devices.Defaults(); err != nil {
			return nil, err
		}
	}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	if err := f.restore(); err != nil {
		return nil, err
	}
	state := &f.store.state
	for m := o.MinComponents + state.Numbers; m <= o.MaxComponents; m++ {
		var jobs []start
		for s := range sets {
			if len(sets[s].Values) < m {
				continue
			}
			for i := range o.Starts {
				jobs = append(jobs, start{s, i})
			}
		}
		best, err := f.run(ctx, m, jobs, f.first)
		if err != nil {
			return nil, err
		}
		for s, x := range best {
			state.Sets[s] = append(state.Sets[s], x)
		}
		state.Numbers++
	}
	if o.Bootstrap > 0 {
		if err := f.bootstrap(ctx); err != nil {
			return nil, err
		}
	}
	r := &Result{Sets: state.Sets, Count: state.Count}
	for i, d := range f.devices {
		if i > 0 {
			r.Device += ","
		}
		r.Device += d.ID()
	}
	return r, nil
}

// prepare checks the values of all sets, and computes what fits need of them.
func (f *fitting) prepare() error {
	family := f.o.Family
	f.numbers, f.infos = make([][]float64, len(f.sets)), make([]fitInfo, len(f.sets))
	errs := make([]error, len(f.sets))
	inParallel(len(f.sets), func(s int) {
		x := f.sets[s].Values
		if len(x) == 0 {
			errs[s] = inputErrorf("%s: it has no values", nameOf(f.sets[s].Name, s))
			return
		}
		base, largest := 0.0, 0.0
		for i, v := range x {
			if wrong := family.check(v); wrong != "" {
				errs[s] = &ValueError{Set: s, Name: f.sets[s].Name, Index: i, Value: v, Reason: wrong,
					Family: family}
				return
			}
			base += family.base(v)
			largest = max(largest, math.Abs(v))
		}
		if largest > 0 && largest < smallestNumber { // their squares would underflow
			errs[s] = inputErrorf("%s: the largest number is %g; it must be at least %g: divide the numbers by a "+
				"unit of their size", nameOf(f.sets[s].Name, s), largest, smallestNumber)
			return
		}
		f.numbers[s] = family.transformed(x)
		f.infos[s] = fitInfo{N: float64(len(x)), Base: base, Limit: family.limit(momentsOf(x, family.logs))}
	})
	return errors.Join(slices.DeleteFunc(errs, func(e error) bool { return e == nil })...)
}

// start is a fit to run: a data set and the number of the start.
type start struct{ set, number int }

// run runs fits of m components. It returns the best one of each data set.
func (f *fitting) run(
	ctx context.Context, m int, jobs []start, first func(j start, m int) []Component,
) (map[int]*Fit, error) {
	jobs = f.beginRound(jobs)
	if f.devices[0].Joint() {
		if err := f.runOnRanks(ctx, m, jobs, first); err != nil {
			return nil, err
		}
	} else if err := f.runJobs(ctx, m, jobs, first); err != nil {
		return nil, err
	}
	return f.endRound(), nil
}

// runJobs runs fits in batches, on all devices at the same time.
func (f *fitting) runJobs(
	ctx context.Context, m int, jobs []start, first func(j start, m int) []Component,
) error {
	batches := f.cut(jobs)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var wait sync.WaitGroup
	workers := f.workers()
	errs := make([]error, len(workers))
	for i, d := range workers {
		wait.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(batches) || ctx.Err() != nil {
					return
				}
				switch err := f.runBatch(ctx, d, m, batches[n], first); {
				case errors.Is(err, errPaused):
					return
				case err != nil:
					errs[i] = err
					cancel()
					return
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return cmp.Or(errors.Join(errs...), ctx.Err())
}

// workers returns the device of each goroutine that runs batches. A GPU has two, so that one
// can pack a batch while the other waits for the device.
func (f *fitting) workers() (workers []*devices.Device) {
	for _, d := range f.devices {
		workers = append(workers, d)
		if f.o.lanes > 0 || d.Info().Kind != devices.CPU {
			workers = append(workers, d)
		}
	}
	return workers
}

// cut divides fits into batches of about as many lanes as a device computes well.
func (f *fitting) cut(jobs []start) (batches [][]start) {
	most, lanes, from := f.o.batchLanes(f.devices[0]), 0, 0
	for i, j := range jobs {
		n := strips(len(f.numbers[j.set]))
		if lanes > 0 && lanes+n > most {
			batches, lanes, from = append(batches, jobs[from:i]), 0, i
		}
		lanes += n
	}
	return append(batches, jobs[from:])
}

func strips(n int) int { return (n + stripLength - 1) / stripLength }

// lanes calls f for the lanes of a data set of n values, with the first strip of each and the number
// of its strips. They depend on n alone, and so do the results.
func lanes(n int, f func(first, strips int)) {
	total := strips(n)
	if total <= mostStrips*stripGroup { // there may be few fits
		for s := range total {
			f(s, 1)
		}
		return
	}
	for block := 0; block < total; block += mostStrips * stripGroup {
		for s := block; s < min(block+stripGroup, total); s++ {
			f(s, min(mostStrips, (total-s-1)/stripGroup+1))
		}
	}
}

// runBatch runs the fits of one batch.
func (f *fitting) runBatch(
	ctx context.Context, d *devices.Device, m int, jobs []start, first func(j start, m int) []Component,
) error {
	if len(jobs) == 0 {
		return nil
	}
	b := f.pack(d, m, jobs)
	inParallel(len(jobs), func(i int) { copy(b.components[i*m:], first(jobs[i], m)) })
	begin := slices.Clone(b.components)
	f.beginBatch(b)
	b.ended = func(fits int) {
		if done := f.store.done.Add(int64(fits)); f.o.Progress != nil {
			f.o.Progress(int(done))
		}
	}
	b.pause = func(s session) error { return f.pause(b, s) }
	if err := f.o.Family.engine.fit(ctx, b); err != nil {
		return fmt.Errorf("mixtures: %w", err)
	}
	fits := make([]*Fit, len(jobs))
	inParallel(len(jobs), func(i int) {
		from, to := i*m, (i+1)*m
		fits[i] = f.result(jobs[i], b.kept[from:to], b.progress[from:to], begin[from:to])
	})
	f.endBatch(b, fits)
	return nil
}

// pack arranges the data sets of a batch in strips.
func (f *fitting) pack(d *devices.Device, m int, jobs []start) *batch {
	b := &batch{
		jobs: jobs, where: vector.Single(d), layout: layout{stripGroup}, m: m, oldMean: f.o.OldMean,
		stop:       stopRule{f.o.Tolerance, f.o.Epsilon, int32(f.o.MaxIter)},
		fits:       make([]fitInfo, len(jobs)),
		components: make([]Component, len(jobs)*m),
	}
	if d.Info().Kind == devices.CPU && !f.o.likeGPU {
		b.layout.Group, b.blocks = 1, true
	}
	var sets, from []int // the different sets, and their first strips
	total := 0
	for i, j := range jobs {
		n := strips(len(f.numbers[j.set]))
		if i == 0 || j.set != jobs[i-1].set {
			sets, from, total = append(sets, j.set), append(from, total), total+n
		}
		b.fits[i] = f.infos[j.set]
		b.fits[i].First = int32(len(b.lanes))
		values := len(f.numbers[j.set])
		lanes(values, func(first, strips int) {
			b.lanes = append(b.lanes, lane{
				Fit: int32(i), Strip: int32(from[len(from)-1] + first), Strips: int32(strips),
				Count: int32(values - first*stripLength),
			})
		})
		b.fits[i].Lanes = int32(len(b.lanes)) - b.fits[i].First
	}
	group := int(b.layout.Group)
	b.numbers = make([]float64, (total+group-1)/group*group*stripLength)
	for i := range b.numbers {
		b.numbers[i] = 1 // where there is no value
	}
	inParallel(len(sets), func(i int) {
		for at, x := range f.numbers[sets[i]] {
			b.numbers[b.layout.at(from[i]+at/stripLength, at%stripLength)] = x
		}
	})
	return b
}

// result returns the result of a fit.
func (f *fitting) result(j start, components []Component, p []progress, first []Component) *Fit {
	family, info := f.o.Family, f.infos[j.set]
	x := &Fit{
		LogLik: p[0].LogLik, Iterations: int(p[0].Iterations),
		Start: j.number, Converged: p[0].Status == converged,
	}
	if p[0].Status == failed {
		x.LogLik = math.Inf(-1)
	}
	order := upTo(len(components))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(family.Mean(components[a]), family.Mean(components[b]))
	})
	for _, k := range order {
		x.Components, x.First = append(x.Components, components[k]), append(x.First, first[k])
	}
	entropy := x.LogLik - info.Base
	for _, p := range p {
		entropy -= p.Complete
	}
	for i, c := range x.Components {
		if family.bound(c.P, c.Q, info.Limit) || c.Weight == 0 {
			x.Degenerate = append(x.Degenerate, i)
		}
	}
	free := float64(len(components)*(1+len(family.Parameters)) - 1)
	x.AIC = 2*free - 2*x.LogLik
	x.BIC = free*math.Log(info.N) - 2*x.LogLik
	x.ICL = x.BIC + 2*max(0, entropy)
	return x
}

// inParallel calls f for 0 to n-1, on all cores.
func inParallel(n int, f func(i int)) {
	const piece = 16
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+piece-1)/piece) {
		wait.Go(func() {
			for {
				from := int(next.Add(piece)) - piece
				if from >= n {
					return
				}
				for i := from; i < min(n, from+piece); i++ {
					f(i)
				}
			}
		})
	}
	wait.Wait()
}
