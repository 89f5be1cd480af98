package scale

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Result is what Find returns.
type Result struct {
	Model     *Model
	Cost      float64 // of the boundaries; the number of errors unless costs or weights are set
	Evaluated int64   // the number of candidates that were evaluated
	Path      []Step  // of the search that found the weights
	Start     int     // the start that found the weights, from 0
	Finished  bool    // all searches ended before Options.TimeLimit; if not, there may be a better scale
	Device    string
}

// Find searches the weights a and the boundaries for which F = Σ aᵢxᵢ assigns the objects to groups
// at the least cost. After Options.TimeLimit it returns the best scale so far. If ctx ends, it returns the
// error of ctx, and the best scale so far is the one that Options.Found was called with last.
func Find(ctx context.Context, d *Data, o Options, devs ...*devices.Device) (*Result, error) {
	results, err := findAll(ctx, d, &o, []problem{{}}, devs)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// Evaluate returns the best boundaries for given weights.
func Evaluate(
	ctx context.Context, d *Data, weights []float64, o Options, devs ...*devices.Device,
) (*Result, error) {
	o = o.fixed(weights)
	if len(weights) != len(d.Features) {
		return nil, inputErrorf("%s for %s; there must be one for each", app.Count(len(weights), "weight"),
			app.Count(len(d.Features), "feature"))
	}
	e, states, err := begin(d, &o, []problem{{}}, devs)
	if err != nil {
		return nil, err
	}
	defer e.free()
	if err := e.first(ctx, states); err != nil {
		return nil, err
	}
	return e.result(states[0])
}

// searchMemory is about how many bytes the candidates of the searches that advance together may take on the
// host. The searches do not depend on each other, so it changes no result.
const searchMemory = 1 << 29

// findAll searches for several problems at once and returns a result for each.
func findAll(ctx context.Context, d *Data, o *Options, p []problem, devs []*devices.Device) ([]*Result, error) {
	e, states, err := begin(d, o, p, devs)
	if err != nil {
		return nil, err
	}
	defer e.free()
	if states, err = e.searchAll(ctx, o, states); err != nil {
		return nil, err
	}
	best := make([]*state, len(p))
	for _, s := range states {
		if b := &best[s.problem]; *b == nil || compareStates(s, *b) < 0 {
			*b = s
		}
	}
	if !e.unfinished {
		o.checkpoint.end(e, &progress{states: best}, nil) // the others are not needed any more
	}
	var results []*Result
	for _, s := range best {
		r, err := e.result(s)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// searchAll runs searches until they end or the time limit is reached, but always evaluates the first start of
// each problem. It returns the searches that have a scale, which are others after a beam search.
func (e *evaluator) searchAll(ctx context.Context, o *Options, states []*state) ([]*state, error) {
	timed, stop := o.limit(ctx)
	defer stop()
	p := &progress{states: states, beaming: o.Beam > 0}
	err := e.advance(ctx, timed, o, p)
	if errors.Is(err, context.DeadlineExceeded) {
		o.checkpoint.save()
	}
	if e.unfinished = outOfTime(ctx, err); e.unfinished {
		err = nil
	}
	return p.states, err
}

// advance runs searches until they end, or one of the contexts does. After the end of timed, there are scales.
func (e *evaluator) advance(ctx, timed context.Context, o *Options, p *progress) error {
	m, err := e.method(o)
	if err != nil {
		return err
	}
	if o.checkpoint.restore(e, p) {
		e.report(o, p.states, len(p.states))
	} else if err := e.start(ctx, timed, o, p); err != nil {
		return err
	}
	if p.beaming {
		if err := e.beam(timed, o, p); err != nil {
			return err
		}
		for _, s := range p.states {
			s.weights = slices.Clone(s.weights) // the searches change them
		}
		if err := e.first(ctx, p.states); err != nil {
			return err
		}
		p.beaming = false
		o.checkpoint.end(e, p, nil)
	}
	for part := range slices.Chunk(p.states, max(1, cmp.Or(o.memory, searchMemory)/m.memory())) {
		if err := e.search(timed, o, m, p, part); err != nil {
			return err
		}
	}
	return nil
}

// start evaluates the starts. If timed ends, only the first ones are left.
func (e *evaluator) start(ctx, timed context.Context, o *Options, p *progress) error {
	all := p.states
	var others []*state
	p.states = nil
	for _, s := range all {
		if s.start == 0 {
			p.states = append(p.states, s)
		} else {
			others = append(others, s)
		}
	}
	if err := e.first(ctx, p.states); err != nil {
		return err
	}
	e.report(o, p.states, len(all))
	if err := e.first(timed, others); err != nil {
		return err
	}
	p.states = all
	e.report(o, p.states, len(all))
	o.checkpoint.end(e, p, nil)
	return nil
}

// begin checks the options, copies the data to the devices and returns the starts.
func begin(d *Data, o *Options, p []problem, devs []*devices.Device) (*evaluator, []*state, error) {
	if err := d.check(); err != nil {
		return nil, nil, err
	}
	if err := o.check(d); err != nil {
		return nil, nil, err
	}
	if len(devs) == 0 {
		var err error
		if devs, err = devices.Defaults(); err != nil {
			return nil, nil, err
		}
	}
	var states []*state
	for number := range p {
		states = append(states, o.starts(number, p[number].Number, len(d.Features))...)
	}
	c := newCoding(d, &o.Costs, o.Empty, p)
	if len(c.Costs) > 1<<codeBits {
		return nil, nil, inputErrorf("the weights of the objects, --weights, have %d different values in their "+
			"groups; at most %d are possible; round them", len(c.Costs)-1, 1<<codeBits-1)
	}
	for _, codes := range c.Codes {
		if slices.Max(codes) == 0 {
			return nil, nil, inputErrorf("a fold or a sample leaves no object of positive weight to find a scale for")
		}
	}
	e := newEvaluator(d, c, p, devs)
	e.counts = newCounting(d, e.coding, o, vector.Copy(devs...))
	return e, states, nil
}

// method returns the method of search that the options name.
func (e *evaluator) method(o *Options) (method, error) {
	switch {
	case o.Search == Descent:
		return &descent{o, e.data.Features}, nil
	case o.Integer:
		return newGridSearch(o, len(e.data.Features)), nil
	}
	return newExact(o, e)
}

// result returns the result of a search.
func (e *evaluator) result(best *state) (*Result, error) {
	if math.IsInf(best.bestCost, 1) {
		return nil, inputErrorf("F takes fewer values than there are groups, so that some group has no object; " +
			"--allow-empty accepts that")
	}
	f, largest := e.data.values(best.best, e.most)
	p := e.place(f, largest, e.Codes[best.problem])
	path := slices.Clone(best.path)
	for i := range path {
		path[i].Cost = e.cost(path[i].Cost)
	}
	return &Result{
		Model: e.model(best.best, p, &e.problems[best.problem]), Cost: e.cost(p.Cost), Evaluated: e.evaluated,
		Path: path, Start: best.start, Device: e.used, Finished: !e.unfinished,
	}, nil
}

// size returns the number of weights that are not 0, and the sum of their magnitudes.
func size(weights []float64) (used int, sum float64) {
	for _, w := range weights {
		if w != 0 {
			used++
		}
		sum += math.Abs(w)
	}
	return used, sum
}

// cost returns a cost that is counted in units.
func (c *coding) cost(units float64) float64 {
	if c.Whole {
		return units / math.Round(1/c.Unit) // rounds once: 3 tenths are 0.3
	}
	return units
}
