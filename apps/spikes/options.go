package spikes

import (
	"cmp"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/tmixture"
)

// Align is the extreme at which waveforms are aligned.
type Align string

// The extremes. With several channels, they are those of the channel where they are largest.
const (
	NoAlign Align = "none"
	Minimum Align = "min"
	Maximum Align = "max"
	Extreme Align = "extreme" // of the magnitude
)

// Options are the options of Sort. The zero value is that of the command: the principal
// components of waveforms that are not aligned, and as many units as the data support.
type Options struct {
	Samples, Channels int // of a waveform; 0 channels mean 1, and 0 samples as many as there are

	Align    Align // "" means NoAlign
	MaxShift int   // samples by which waveforms are moved at most; 0 means an eighth of the waveform

	PCA     pca.Options      // by default, DefaultComponents by the covariance method, or fewer if there are few spikes
	Mixture tmixture.Options // by default, MaxComponents is DefaultUnits, or fewer if there are few spikes

	// FitTo is the number of spikes to which the mixture is fitted, if there are more; 0 means
	// DefaultFit, and less than 0 all. All spikes are assigned to units.
	FitTo int

	// Single fits the mixture to scores of float32 and computes posteriors and distances from
	// these, as package tmixture does for float32. Components and measures stay in float64.
	Single bool

	// OutlierLevel is the part of a unit's spikes that are expected to be outliers: those
	// at distances that are less probable. 0 means 0.001.
	OutlierLevel float64

	// Times are the times of the spikes in samples, in ascending order; nil if they are
	// unknown. Spikes of a unit that are closer than Refractory seconds violate its refractory
	// period; 0 means 0.0015.
	Times      []int64
	Rate       float64 // samples per second; 0 means DefaultRate
	Refractory float64

	// Phase, if set, is called at the beginning of each phase.
	Phase func(name string)
}

// The defaults.
const (
	DefaultComponents = 5
	DefaultUnits      = 10
	DefaultFit        = 50_000
	DefaultRate       = 30000.0
)

func inputErrorf(format string, args ...any) error {
	return app.InputErrorf("spikes: "+format, args...)
}

// check sets the defaults and reports options that are wrong for n waveforms of cols numbers.
func (o *Options) check(n, cols int) error {
	o.Align, o.Channels = cmp.Or(o.Align, NoAlign), cmp.Or(o.Channels, 1)
	o.OutlierLevel, o.Rate = cmp.Or(o.OutlierLevel, 1e-3), cmp.Or(o.Rate, DefaultRate)
	o.FitTo = cmp.Or(o.FitTo, DefaultFit)
	o.Refractory = cmp.Or(o.Refractory, 1.5e-3)
	if o.Channels > 0 && o.Samples == 0 {
		o.Samples = cols / o.Channels
	}
	o.MaxShift = cmp.Or(o.MaxShift, max(1, o.Samples/8))
	switch {
	case n == 0 || cols == 0:
		return inputErrorf("there are no waveforms: %s of %s", app.Count(n, "waveform"), app.Count(cols, "number"))
	case o.Channels < 1 || o.Samples < 1 || o.Samples*o.Channels != cols:
		return inputErrorf("waveforms of %s are not %s of %s", app.Count(cols, "number"),
			app.Count(o.Samples, "sample"), app.Count(o.Channels, "channel"))
	case !slices.Contains([]Align{NoAlign, Minimum, Maximum, Extreme}, o.Align):
		return inputErrorf("unknown alignment %q", o.Align)
	case o.MaxShift < 0:
		return inputErrorf("the largest shift is %d; it cannot be negative", o.MaxShift)
	case !(o.OutlierLevel > 0 && o.OutlierLevel < 1):
		return inputErrorf("the level of outliers is %v; it must be between 0 and 1", o.OutlierLevel)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 0):
		return inputErrorf("the rate is %v; it must be positive", o.Rate)
	case !(o.Refractory > 0) || math.IsInf(o.Refractory, 0):
		return inputErrorf("the refractory period is %v; it must be positive", o.Refractory)
	case o.Times != nil && len(o.Times) != n:
		return inputErrorf("there are %s for %s", app.Count(len(o.Times), "time"), app.Count(n, "spike"))
	}
	for i := 1; i < len(o.Times); i++ {
		if o.Times[i] < o.Times[i-1] {
			return inputErrorf("spike %d (from 0) is at sample %d, after one at %d; sort the spikes by time",
				i, o.Times[i], o.Times[i-1])
		}
	}
	o.setComponents(n, cols)
	return nil
}

// setComponents sets the default numbers of principal components.
func (o *Options) setComponents(n, cols int) {
	o.PCA.Method = cmp.Or(o.PCA.Method, pca.Covariance)
	if o.PCA.Components == 0 && o.PCA.Fraction == 0 {
		o.PCA.Components = max(1, min(DefaultComponents, n/20, cols))
	}
}

// mixture returns the options of the mixture of n spikes with p components.
func (o *Options) mixture(n, p int) tmixture.Options {
	m := o.Mixture
	if m.Components == 0 && m.MaxComponents == 0 && m.Labels == nil {
		// Each component needs more than half as many spikes as it has parameters.
		size := p + p*(p+1)/2
		m.MaxComponents = max(1, min(DefaultUnits, (2*n-1)/(size+1)))
		m.MinComponents = min(m.MinComponents, m.MaxComponents)
	}
	return m
}
