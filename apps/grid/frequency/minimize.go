package frequency

import (
	"cmp"
	"context"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/vector"
)

// Method is how the sums over the samples are computed.
type Method string

// The methods. They agree up to rounding.
const (
	Auto   Method = ""       // Series if the nodes are close to each other, otherwise Direct
	Series Method = "series" // Taylor series for blocks of nodes
	Direct Method = "direct" // for each node by itself
)

// Options are the options of Minimize.
type Options struct {
	From, Step float64 // of the axis, in Hz
	Count      int     // the number of nodes
	Method     Method
	// Float32 evaluates the functional in float32. The sums over the samples are in float64.
	Float32 bool
	// Level is the probability with which the interval contains the frequency; 0 means 0.95.
	Level float64
	// Where says on which devices to run; the zero value means the default ones.
	Where vector.Distribution
	// Progress, if set, is called with the number of nodes that are done.
	Progress func(nodes int)

	batch int // the number of nodes between calls of Progress; 0 means what is best
}

// Result is the node with the lowest value.
type Result struct {
	Method     Method // that was used
	Nodes      int
	Position   int     // of the lowest value; the first one, if there are several, and -1 if no value is finite
	Argument   float64 // its frequency in Hz; NaN if there is none
	Value      float64
	NaNs       int // nodes whose value is NaN: those where the equations are singular
	Infinities int
	// ErrorBound is a bound of the errors of all values in float32, or 0. It is infinite if
	// the equations of some node are too close to singular ones.
	ErrorBound float64
	Estimate   Estimate
}

// The largest axis, and how much one launch computes. The limits keep positions exact in
// float64, and launches so short that progress is seen.
const (
	largestCount  = 1 << 50
	batchNodes    = 1 << 26
	batchBlocks   = 1 << 16
	batchTerms    = 1 << 31
	largestBlock  = 1 << 20
	smallestBlock = 8 // with fewer nodes, a series takes longer than the nodes
)

// The pivots that count as 0, for each sample.
const (
	singular64 = 1e-12
	singular32 = 1e-5
)

// Minimize finds the node of the axis where F is lowest. Errors in the signal or the options are
// input errors (app.IsInputError).
func Minimize(ctx context.Context, s *Signal, o Options) (*Result, error) {
	g, err := newSearch(s, &o)
	if err != nil {
		return nil, err
	}
	defer g.free()
	found, err := g.run(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Method: o.Method, Nodes: o.Count, Position: found.Position, Argument: o.frequency(found.Position),
		Value: found.Value, NaNs: found.NaNs, Infinities: found.Infinities,
	}
	if found.Position < 0 {
		nan := math.NaN()
		r.Argument, r.Value, r.Estimate = nan, nan, nothing(o.Level)
		return r, nil
	}
	if o.Float32 {
		r.ErrorBound = g.float32Bound(found.Determinant)
	}
	r.Estimate = g.estimate(&o, r.Argument)
	return r, nil
}

func (o *Options) check() error {
	o.Level = cmp.Or(o.Level, 0.95)
	last := o.frequency(o.Count - 1)
	switch {
	case o.From-o.From != 0:
		return app.InputErrorf("the axis begins at %v Hz; it must be a number", o.From)
	case !(o.Step > 0):
		return app.InputErrorf("the step is %v Hz; it must be positive", o.Step)
	case o.Count < 1 || o.Count > largestCount:
		return app.InputErrorf("the axis has %d nodes; it must have from 1 to %d", o.Count, largestCount)
	case last-last != 0 || o.Count > 1 && last == o.frequency(o.Count-2):
		return app.InputErrorf("the step of %v Hz is lost in rounding at %v Hz", o.Step, last)
	case o.Method != Auto && o.Method != Series && o.Method != Direct:
		return app.InputErrorf("unknown method %q", o.Method)
	case !(o.Level > 0 && o.Level < 1):
		return app.InputErrorf("the level of the interval is %v; it must be between 0 and 1", o.Level)
	}
	return nil
}

// frequency returns the frequency of a node.
func (o *Options) frequency(position int) float64 { return math.FMA(o.Step, float64(position), o.From) }

// block returns how many nodes can share a series.
func (o *Options) block(p *projected) int {
	distance := p.turn * p.half * o.Step
	return int(min(2*widest/distance+1, largestBlock, float64(o.Count)))
}

// checkSteps chooses the method, and reports angles that are too large.
func (o *Options) checkSteps(p *projected) error {
	if angle := p.turn * p.half * max(math.Abs(o.From), math.Abs(o.frequency(o.Count-1))); !(angle < 1<<50) {
		return app.InputErrorf("the phase of the last sample is %v radians; it must be less than 2^50", angle)
	}
	if o.Method == Auto {
		o.Method = Direct
		if o.block(p) >= smallestBlock {
			o.Method = Series
		}
	}
	return nil
}

// search is a search whose samples are on the devices.
type search struct {
	*Options
	*projected
	pairs *vector.Vector[pair]
	wave  wave
}

// newSearch checks the options, removes the images from the samples, and copies them to the devices.
func newSearch(s *Signal, o *Options) (*search, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := s.project()
	if err != nil {
		return nil, err
	}
	if err := o.checkSteps(p); err != nil {
		return nil, err
	}
	pairs := vector.From(p.pairs, o.everywhere())
	return &search{o, p, pairs, wave{pairs.View(), p.first}}, nil
}

func (g *search) free() { g.pairs.Free() }

// everywhere returns the distribution of what all devices need.
func (o *Options) everywhere() vector.Distribution {
	if o.Where.Kind() == vector.Blocks {
		return vector.Copy(o.Where.Devices()...)
	}
	return o.Where
}

// run searches the axis batch by batch.
func (g *search) run(ctx context.Context) (lowest, error) {
	if g.Float32 {
		if g.energy > math.MaxFloat32 {
			return none, app.InputErrorf("the squares of the samples do not fit float32: use float64 or a larger unit")
		}
		return batches(ctx, g, float32s, singular32)
	}
	return batches(ctx, g, float64s, singular64)
}

// batches finds the lowest node. The functional is evaluated in type T.
func batches[T number](ctx context.Context, g *search, kernels skeletons[T], singular float64) (lowest, error) {
	m := normal[T]{N: T(g.n), Energy: T(g.energy), Singular: T(singular * float64(g.n))}
	batch := cmp.Or(g.Options.batch, batchNodes)
	block := 1
	most := batchTerms / len(g.projected.pairs) // sums over the samples
	if g.Method == Series {
		block = g.block(g.projected)
		batch = block * max(1, min(most, batchBlocks, batch/block))
	} else {
		batch = max(1, min(most, batch))
	}
	all := none
	for base := 0; base < g.Count; base += batch {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		count := min(batch, g.Count-base)
		var part lowest
		var err error
		if g.Method == Series {
			part, err = seriesBatch(g, kernels, m, base, count, block)
		} else {
			d := direct[T]{g.wave, m, g.From, g.Step, g.turn, base}
			part, err = best.Apply(kernels.nodes.With(d).Apply(vector.Indices(count, g.Where))).Value()
		}
		if err != nil {
			return all, err
		}
		all = lower(all, part)
		if g.Progress != nil {
			g.Progress(base + count)
		}
	}
	return all, nil
}

// seriesBatch finds the lowest of count nodes from position base on, in blocks.
func seriesBatch[T number](g *search, kernels skeletons[T], m normal[T], base, count, block int) (lowest, error) {
	number := (count + block - 1) / block
	b := blocks{
		Wave: g.wave, Unit: 1 / g.half, From: g.From, Step: g.Step, Turn: g.turn, Base: base, Nodes: block,
	}
	z := expanded.With(b).Apply(vector.Indices(number, g.Where))
	defer z.Free()
	n := nodes[T]{
		Series: z.View(), Normal: m, Block: block, Runs: (block + run - 1) / run, Base: base, Count: base + count,
		Distance: T(g.turn * g.half * g.Step),
	}
	return best.Apply(kernels.runs.With(n).Apply(vector.Indices(number*n.Runs, g.Where))).Value()
}

// Curve returns F at the nodes of an axis. It stores them, so it is for axes of few nodes.
func Curve(s *Signal, o Options) ([]float64, error) {
	g, err := newSearch(s, &o)
	if err != nil {
		return nil, err
	}
	defer g.free()
	d := direct[float64]{g.wave, g.normal(), o.From, o.Step, g.turn, 0}
	curve := values.With(d).Apply(vector.Indices(o.Count, o.Where))
	defer curve.Free()
	return curve.Host()
}

// normal returns what the functional needs in float64.
func (p *projected) normal() normal[float64] {
	return normal[float64]{float64(p.n), p.energy, singular64 * float64(p.n)}
}
