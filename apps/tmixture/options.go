package tmixture

import (
	"cmp"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
)

// number is a type of the data.
type number interface{ float32 | float64 }

// Covariance is a form of the covariance matrices.
type Covariance string

// The forms of covariance matrices.
const (
	Full      Covariance = "full"      // any matrix for each component
	Diagonal  Covariance = "diagonal"  // a variance for each component and column
	Spherical Covariance = "spherical" // a variance for each component
	Tied      Covariance = "tied"      // one matrix for all components
)

// Init is a method of choosing the first components.
type Init string

// The methods of choosing the first components. All of them assign rows to centres; the
// components start with the means and covariances of their rows.
const (
	PlusPlus Init = "kmeans++" // rows far from each other as centres, moved once
	KMeans   Init = "kmeans"   // the centres of k-means
	Random   Init = "random"   // random rows as centres, moved once
)

// DF says which degrees of freedom are estimated.
type DF string

// The degrees of freedom that are estimated.
const (
	Shared DF = "shared" // one number for all components
	Each   DF = "each"   // one for each component
	Fixed  DF = "fixed"  // none
)

// Penalty is a form of the message-length criterion.
type Penalty string

// The forms of the criterion, which differ in one term.
const (
	Message Penalty = "message" // g/2 log(n/12), of Figueiredo and Jain
	Thesis  Penalty = "thesis"  // g/2 log(n/2), which penalizes each component by 0.9 more
)

// Options are the options of Fit. Components or MaxComponents is required.
type Options struct {
	Components    int // fit this number of components by maximum likelihood
	MaxComponents int // or start with this number, and remove components while that improves the criterion
	MinComponents int // the number at which this ends; 0 means 1
	// FirstWorse ends the removal as soon as the criterion becomes worse. Otherwise it goes
	// on to MinComponents, and the best number is kept.
	FirstWorse bool
	Penalty    Penalty // "" means Message
	// NoPrior leaves out the weak prior of covariances while components are removed, which
	// keeps these from fitting a few rows that are almost in a plane.
	NoPrior bool

	Covariance Covariance // "" means Full
	Reg        float64    // is added to the variances
	// DivideByZ divides the weighted sums of squares by the sum of z instead of zu. The
	// result is the same, but it takes more iterations.
	DivideByZ bool

	DF      DF      // "" means Shared
	FixedDF float64 // the degrees of freedom, if DF is Fixed

	Init   Init    // "" means PlusPlus
	Labels []int32 // the component of each row, from 0; if set, Init is ignored
	NInit  int     // the number of starts, of which the best is kept; 0 means 1
	Seed   uint64  // of the random choices; start s uses Seed + s

	// The iterations end when the log-likelihood is estimated to be less than Tolerance
	// below its limit, or after MaxIter iterations. 0 means 1e-8 and 5000. While
	// components are removed, the tolerance is at least 0.01.
	Tolerance float64
	MaxIter   int

	// Progress, if set, is called after every iteration.
	Progress func(start, iteration, components int, logLik float64)

	checkpoint *checkpoint.File
}

func inputErrorf(format string, args ...any) error {
	return app.InputErrorf("t-mixture: "+format, args...)
}

// check sets the defaults and reports options that are wrong for n rows of p columns.
func (o *Options) check(n, p int) error {
	o.Covariance, o.Init, o.DF = cmp.Or(o.Covariance, Full), cmp.Or(o.Init, PlusPlus), cmp.Or(o.DF, Shared)
	o.Penalty, o.NInit = cmp.Or(o.Penalty, Message), cmp.Or(o.NInit, 1)
	o.Tolerance, o.MaxIter = cmp.Or(o.Tolerance, 1e-8), cmp.Or(o.MaxIter, 5000)
	o.MinComponents = cmp.Or(o.MinComponents, 1)
	if o.Labels != nil {
		if err := o.checkLabels(n); err != nil {
			return err
		}
	}
	g := cmp.Or(o.Components, o.MaxComponents)
	switch {
	case n == 0 || p == 0:
		return inputErrorf("there are no data: %s of %s", app.Count(n, "row"), app.Count(p, "column"))
	case n == 1:
		return inputErrorf("there is only one row, which has no variance; at least 2 are needed")
	case o.Components != 0 && o.MaxComponents != 0:
		return inputErrorf("both a number of components, %d, and a maximum, %d, are set",
			o.Components, o.MaxComponents)
	case g < 1:
		return inputErrorf("the number of components is %d; it must be at least 1", g)
	case g > n:
		return inputErrorf("%s are too many for %s", app.Count(g, "component"), app.Count(n, "row"))
	case o.MinComponents < 1 || o.MaxComponents != 0 && o.MinComponents > o.MaxComponents:
		return inputErrorf("the minimum of %s is not between 1 and the maximum",
			app.Count(o.MinComponents, "component"))
	case o.DF != Shared && o.DF != Each && o.DF != Fixed:
		return inputErrorf("unknown way to estimate the degrees of freedom %q", o.DF)
	case o.DF == Fixed && !(o.FixedDF > 0 && o.FixedDF <= maxFixedDF):
		return inputErrorf("the degrees of freedom are %v; they must be positive and at most %g", o.FixedDF, maxFixedDF)
	case o.Init != PlusPlus && o.Init != KMeans && o.Init != Random:
		return inputErrorf("unknown start %q", o.Init)
	case o.Penalty != Message && o.Penalty != Thesis:
		return inputErrorf("unknown penalty %q", o.Penalty)
	case !(o.Reg >= 0) || math.IsInf(o.Reg, 0):
		return inputErrorf("the number that is added to variances is %v; it must be finite and not negative", o.Reg)
	case !(o.Tolerance >= 0):
		return inputErrorf("the tolerance is %v; it cannot be negative", o.Tolerance)
	case o.MaxIter < 1 || o.NInit < 1:
		return inputErrorf("%d iterations of %d starts; there must be at least 1", o.MaxIter, o.NInit)
	}
	return o.checkShape(n, p)
}

// checkShape reports covariances for which there are too few rows.
func (o *Options) checkShape(n, p int) error {
	switch o.Covariance {
	case Full, Tied:
		if p >= n && o.Reg == 0 {
			return inputErrorf("%s of %s have a singular covariance matrix: reduce the columns (skelgo pca), "+
				"use diagonal or spherical covariances, or add a number to the variances (--reg)",
				app.Count(n, "row"), app.Count(p, "column"))
		}
	case Diagonal, Spherical:
	default:
		return inputErrorf("unknown form of covariances %q", o.Covariance)
	}
	if size := o.size(p); o.MaxComponents != 0 && float64(n) <= float64(o.MaxComponents)*size/2 {
		fits := int(math.Ceil(2*float64(n)/size)) - 1
		if fits < 1 {
			return inputErrorf("%s are too few to choose the number of components: one component of %s has %g "+
				"parameters, and more than half as many rows are needed; set the number of components, or use "+
				"fewer columns or simpler covariances", app.Count(n, "row"), app.Count(p, "column"), size)
		}
		return inputErrorf("%s are too few to start with %s of %g parameters each, which need more than %g; "+
			"start with at most %d", app.Count(n, "row"), app.Count(o.MaxComponents, "component"), size,
			float64(o.MaxComponents)*size/2, fits)
	}
	return nil
}

// checkLabels sets the number of components to that of the labels.
func (o *Options) checkLabels(n int) error {
	if len(o.Labels) != n {
		return inputErrorf("there are %s for %s", app.Count(len(o.Labels), "label"), app.Count(n, "row"))
	}
	g := 0
	for i, l := range o.Labels {
		if l < 0 || int(l) >= n {
			return inputErrorf("label %d (from 0) is %d; labels count from 0, and are less than the number of rows",
				i, l)
		}
		g = max(g, int(l)+1)
	}
	sizes := make([]int, g)
	for _, l := range o.Labels {
		sizes[l]++
	}
	for j, size := range sizes {
		if size == 0 {
			return inputErrorf("no row has label %d, and label %d is used; number the labels without gaps", j, g-1)
		}
	}
	switch {
	case o.Components == 0 && o.MaxComponents == 0:
		o.Components = g
	case o.Components != 0 && o.Components != g, o.MaxComponents != 0 && o.MaxComponents != g:
		return inputErrorf("there are %d different labels for %s", g,
			app.Count(cmp.Or(o.Components, o.MaxComponents), "component"))
	}
	o.NInit = 1 // all starts are the same
	return nil
}

// size returns N, the number of parameters of a component.
func (o *Options) size(p int) float64 {
	size := p // the mean
	switch o.Covariance {
	case Full:
		size += p * (p + 1) / 2
	case Diagonal:
		size += p
	case Spherical:
		size++
	case Tied: // belongs to no component
	}
	if o.DF == Each {
		size++
	}
	return float64(size)
}

// parameters returns the number of parameters of g components.
func (o *Options) parameters(g, p int) float64 {
	k := float64(g)*o.size(p) + float64(g-1)
	if o.Covariance == Tied {
		k += float64(p*(p+1)) / 2
	}
	if o.DF == Shared {
		k++
	}
	return k
}
