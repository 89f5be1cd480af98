package scale

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

// Search is a method of searching for weights.
type Search string

// The methods.
const (
	Exact   Search = "exact"   // exact minimum along one weight at a time; on a grid also over pairs of weights
	Descent Search = "descent" // steps along one weight at a time, as in Poluyanov's paper
)

// Bound limits a weight.
type Bound struct{ Low, High float64 }

// Options are options of Find. The zero value searches exactly, with weights between -1 and 1.
type Options struct {
	Search      Search  // "" means Exact
	Bounds      []Bound // of each weight; nil means -1 to 1
	Integer     bool    // weights are whole numbers
	Step        float64 // of Descent, and of the grid of random starts; 0 means 0.1, or 1 for whole numbers
	MaxFeatures int     // the maximum number of weights that are not 0; 0 means no maximum
	Beam        int     // if it is not 0, the number of weights that are kept in each round of a beam search

	Start  []float64 // the weights of the first start; nil means that all are 1
	Starts int       // their number; those after the first are random; 0 means 1
	Seed   uint64    // of random starts
	Kicks  int       // on a grid, how often a start that is stuck changes some weights at random and goes on

	Costs Costs
	// Unordered makes CrossValidate and Bootstrap try all orders of the groups for each training set.
	Unordered bool
	Empty     bool // groups may be left out: all objects may lie in other ones

	// Progress, if it is set, is called after each round with the number of candidates so far, of the
	// searches that have not ended, and with the least cost.
	Progress func(evaluated int64, active int, least float64)

	// Found, if it is set, is called by Find and FindOrder with the best scale so far, whenever there is one
	// of less cost. A caller whose context has ended still has it.
	Found func(r *Result)

	// TimeLimit, if it is not 0, ends the searches after this time. Find and FindOrder then return the best
	// scale so far, which is not Finished; there is always one, of the first start. CrossValidate and
	// Bootstrap return ErrTimeLimit, because they would describe other scales than those of whole searches.
	TimeLimit time.Duration

	checkpoint *journal

	memory int  // of the searches that advance together; 0 means searchMemory
	plain  bool // the exact search evaluates every gap that it asks for, for tests
}

// ErrTimeLimit is the error of CrossValidate and Bootstrap if Options.TimeLimit ends their searches.
var ErrTimeLimit = errors.New("scale: the searches did not end within the time limit; set a longer one, or " +
	"fewer starts, folds, repeats or samples")

// limit returns a context that ends after the time limit.
func (o *Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.TimeLimit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.TimeLimit)
}

// outOfTime reports whether err says that the time limit was reached, and not that ctx, the context of the
// caller, has ended.
func outOfTime(ctx context.Context, err error) bool {
	return ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded)
}

// check sets the defaults and reports options that are wrong.
func (o *Options) check(d *Data) error {
	if o.TimeLimit != 0 && devices.Launched() {
		return errors.New("a time limit cannot be used under mpirun, because ranks would stop at different times")
	}
	p := len(d.Features)
	if o.Search == "" {
		o.Search = Exact
	}
	o.Starts = max(o.Starts, 1)
	if o.Step == 0 {
		o.Step = 0.1
		if o.Integer {
			o.Step = 1
		}
	}
	if o.Bounds == nil {
		o.Bounds = make([]Bound, p)
		for j := range o.Bounds {
			o.Bounds[j] = Bound{-1, 1}
		}
	}
	if o.MaxFeatures == 0 || o.MaxFeatures > p {
		o.MaxFeatures = p
	}
	switch {
	case o.Search != Exact && o.Search != Descent:
		return inputErrorf("unknown search %q", o.Search)
	case len(o.Bounds) != p:
		return inputErrorf("%s for %s", app.Count(len(o.Bounds), "bound"), app.Count(p, "feature"))
	case !(o.Step > 0) || math.IsInf(o.Step, 1):
		return inputErrorf("the step is %v; it must be positive", o.Step)
	case o.Integer && o.Step != math.Trunc(o.Step):
		return inputErrorf("the step is %v; steps between whole numbers are whole", o.Step)
	case o.MaxFeatures < 1:
		return inputErrorf("at most %d features; it must be at least 1", o.MaxFeatures)
	case o.Beam < 0 || o.Kicks < 0:
		return inputErrorf("the beam is %d and the number of kicks %d; they cannot be negative", o.Beam, o.Kicks)
	case o.TimeLimit < 0:
		return inputErrorf("the time limit is %v; it must be positive", o.TimeLimit)
	case o.Start != nil && len(o.Start) != p:
		return inputErrorf("%s for %s", app.Count(len(o.Start), "first weight"), app.Count(p, "feature"))
	}
	for j, b := range o.Bounds {
		name := d.Features[j]
		switch {
		case !(b.Low <= b.High) || math.IsInf(b.Low, 0) || math.IsInf(b.High, 0):
			return inputErrorf("the bounds of the weight of %s are %v and %v; they must be finite and ascend", name,
				b.Low, b.High)
		case o.Integer && (b.Low != math.Trunc(b.Low) || b.High != math.Trunc(b.High)):
			return inputErrorf("the bounds of the weight of %s are %v and %v; they must be whole numbers", name,
				b.Low, b.High)
		case (b.High-b.Low)/o.Step > maxGrid:
			return inputErrorf("the weight of %s has more than %d steps of %v between %v and %v", name, maxGrid, o.Step,
				b.Low, b.High)
		}
	}
	sum := 0.0
	for j, x := range d.largestOf() {
		sum += max(1, math.Abs(o.Bounds[j].Low), math.Abs(o.Bounds[j].High)) * x
		if !(sum < largestScore) {
			return inputErrorf("feature %s has values up to %v, and the score may overflow; divide them",
				d.Features[j], x)
		}
	}
	for j, w := range o.Start {
		b, name := o.Bounds[j], d.Features[j]
		switch {
		case !(w >= b.Low && w <= b.High):
			return inputErrorf("the first weight of %s is %v; it must be between %v and %v", name, w, b.Low, b.High)
		case o.Integer && w != math.Trunc(w):
			return inputErrorf("the first weight of %s is %v; it must be a whole number", name, w)
		}
	}
	if used, _ := size(o.Start); used > o.MaxFeatures {
		return inputErrorf("%d of the first weights are not 0; at most %s may be used", used,
			app.Count(o.MaxFeatures, "feature"))
	}
	return o.Costs.check(d.Groups)
}

// fixed returns options of a search that only finds the boundaries for weights.
func (o Options) fixed(weights []float64) Options {
	o.Bounds = make([]Bound, len(weights))
	for j, w := range weights {
		o.Bounds[j] = Bound{w, w}
	}
	o.Search, o.Integer, o.MaxFeatures, o.Beam = Descent, false, 0, 0
	o.Start, o.Starts, o.Kicks = weights, 1, 0
	return o
}

// largestScore leaves room for differences of scores and of features.
const largestScore = math.MaxFloat64 / 4

// maxGrid is the maximum number of steps between the bounds of a weight.
const maxGrid = 100_000

// grid returns the possible weights of feature j on the grid, in ascending order.
func (o *Options) grid(j int) []float64 {
	b := o.Bounds[j]
	var list []float64
	for k := 0; ; k++ {
		v := tidy(b.Low + float64(k)*o.Step)
		if v > b.High+1e-9*o.Step {
			return list
		}
		list = append(list, min(v, b.High))
	}
}

// tidy returns the decimal number of at most 12 digits after the point that is nearest to v, so that
// 3 steps of 0.1 are 0.3.
func tidy(v float64) float64 {
	if r := math.Round(v*1e12) / 1e12; math.Abs(v) < 1e3 {
		return r + 0 // and not -0
	}
	return v
}
