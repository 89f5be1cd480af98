package mixtures

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/devices"
)

// Options are the options of [FitSets]. The zero value fits one inverse Gaussian
// distribution.
type Options struct {
	Family        *Family     // nil means InverseGaussian
	MinComponents int         // 0 means MaxComponents
	MaxComponents int         // 0 means the number of Given, or MinComponents, or 1
	Starts        int         // for each number of components; 0 means 10, or 1 with Given
	Init          Init        // "" means RandomValues
	Given         []Component // replace Init; their weights are divided by their sum
	Seed          uint64
	// Tolerance stops a fit when the log-likelihood rises by less than this part of it; 0 means
	// 1e-10, or none with Epsilon.
	Tolerance float64
	Epsilon   float64 // stop when the log-likelihood rises by less
	MaxIter   int     // 0 means 1000
	OldMean   bool    // compute lambda or sigma, if there is one, around the mean of the iteration before
	Bootstrap int     // number of samples for standard errors
	Devices   []*devices.Device
	// Progress is called with the number of fits that have ended, from several goroutines. It may
	// be nil.
	Progress func(fits int)

	lanes      int // of a batch, for tests
	values     int // of a group of samples of the bootstrap, for tests
	checkpoint *checkpoint.File
	restored   func(fits int) // is called with the number of fits that a checkpoint has; may be nil
	// likeGPU stores and computes values as on a GPU, for tests.
	likeGPU bool
}

// The limits of the options.
const maxStarts, maxIterations = 1 << 20, 1 << 30

// Defaults of the options.
const (
	DefaultStarts    = 10
	DefaultTolerance = 1e-10
	DefaultMaxIter   = 1000
)

// check fills in defaults and reports options that are wrong.
func (o *Options) check() error {
	if o.Family == nil {
		o.Family = InverseGaussian
	}
	if o.MaxComponents == 0 {
		if o.MaxComponents = max(1, o.MinComponents); o.Given != nil {
			o.MaxComponents = len(o.Given)
		}
	}
	if o.MinComponents == 0 {
		o.MinComponents = o.MaxComponents
	}
	if o.Starts == 0 {
		o.Starts = DefaultStarts
		if o.Given != nil {
			o.Starts = 1
		}
	}
	if o.Init == "" {
		o.Init = RandomValues
	}
	if o.Tolerance == 0 && o.Epsilon == 0 {
		o.Tolerance = DefaultTolerance
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	switch {
	case o.MinComponents < 1 || o.MaxComponents > maxComponents || o.MinComponents > o.MaxComponents:
		return inputErrorf("%d to %d components: the numbers must be from 1 to %d", o.MinComponents, o.MaxComponents,
			maxComponents)
	case o.Given != nil && (o.MinComponents != len(o.Given) || o.MaxComponents != len(o.Given)):
		return inputErrorf("%d components are given, but %d to %d are to be fitted", len(o.Given), o.MinComponents,
			o.MaxComponents)
	case o.Starts < 1 || o.Starts > maxStarts:
		return inputErrorf("%d starts: there must be at least 1, and at most %d", o.Starts, maxStarts)
	case o.MaxIter < 1 || o.MaxIter > maxIterations:
		return inputErrorf("%d iterations: the limit must be from 1 to %d", o.MaxIter, maxIterations)
	case !slices.Contains([]Init{RandomValues, Quantiles, KMeans}, o.Init):
		return inputErrorf("init %q: it must be %s, %s or %s", o.Init, RandomValues, Quantiles, KMeans)
	case !(o.Tolerance >= 0) || !(o.Epsilon >= 0):
		return inputErrorf("tolerance %v, epsilon %v: neither can be negative", o.Tolerance, o.Epsilon)
	case o.Bootstrap < 0 || o.Bootstrap == 1:
		return inputErrorf("%s of the bootstrap: there must be at least 2", app.Count(o.Bootstrap, "sample"))
	}
	for i, c := range o.Given {
		if !finite(c) || c.Weight <= 0 || o.Family.invalid(c) {
			return inputErrorf("given component %d, with weight %v and parameters %v and %v, is not valid: %s must be "+
				"positive", i+1, c.Weight, c.P, c.Q, o.Family.positiveNames())
		}
	}
	o.Given = normalized(o.Given)
	return nil
}

// normalized returns components whose weights are divided by their sum. EM keeps the components with the
// greatest likelihood, so weights with another sum could win although they are no mixture.
func normalized(components []Component) []Component {
	total := 0.0
	for _, c := range components {
		total += c.Weight
	}
	components = slices.Clone(components)
	for k := range components {
		components[k].Weight /= total
	}
	return components
}

// batchLanes returns the number of lanes of a batch, which keeps a device busy and whose
// sums fit its memory.
func (o *Options) batchLanes(d *devices.Device) int {
	switch {
	case o.lanes > 0:
		return o.lanes
	case d.Info().Kind == devices.CPU:
		return 1 << 14
	}
	return 1 << 20
}

// ErrInput is in the chain of errors that the data or the options cause.
var ErrInput = errors.New("wrong input")

type inputError struct{ text string }

func (e *inputError) Error() string        { return "mixtures: " + e.text }
func (e *inputError) Is(target error) bool { return target == ErrInput }

func inputErrorf(format string, args ...any) error { return &inputError{fmt.Sprintf(format, args...)} }

// nameOf returns the name of a data set in messages.
func nameOf(name string, set int) string {
	if name == "" {
		return fmt.Sprintf("data set %d", set+1)
	}
	return name
}

// ValueError reports a value that the family does not have.
type ValueError struct {
	Set    int // the number of the set, from 0
	Name   string
	Index  int // of the value in the set, from 0
	Value  float64
	Reason string
	Family *Family
}

// Error implements error.
func (e *ValueError) Error() string {
	return fmt.Sprintf("mixtures: %s: value %d is %v; for %s distributions %s", nameOf(e.Name, e.Set), e.Index+1,
		e.Value, e.Family.Title, e.Reason)
}

// Is implements errors.Is.
func (e *ValueError) Is(target error) bool { return target == ErrInput }
