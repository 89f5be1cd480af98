package spikes

import (
	"context"
	"math"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/tmixture"
)

// SortCommand is skelgo spikes run, which is also skelgo spikes.
type SortCommand struct {
	File       string  `arg:"" optional:"" name:"waveforms" help:"Waveforms, n x samples [x channels], as .npy."`
	Output     string  `short:"o" required:"" placeholder:"DIR" help:"Write the results into this directory."`
	Times      string  `placeholder:"FILE" help:"Time of each waveform in samples, ascending, as text or .npy."`
	Rate       float64 `placeholder:"HZ" help:"Samples per second; without --times, the default is 30000."`
	InSeconds  bool    `help:"The times are in seconds, not in samples."`
	Refractory float64 `default:"1.5" placeholder:"MS" help:"Refractory period in milliseconds; default ${default}."`
	Positions  string  `placeholder:"FILE" help:"Positions x, y of the channels in micrometres, a row per channel."`
	Align      string  `enum:"none,min,max,extreme" default:"none" help:"Move waveforms to align an extreme: ${enum}."`
	MaxShift   int     `placeholder:"N" help:"Align: move by at most N samples; the default is an eighth of all."`
	rawOptions
	sortOptions
}

// sortOptions are the options that the demo has, too.
type sortOptions struct {
	PCA           string  `name:"pca" placeholder:"N" help:"Number of components (default 5), or a share such as 0.95."`
	Fit           int     `default:"50000" placeholder:"N" help:"Fit the mixture to N of the spikes; 0 means all."`
	Components    int     `placeholder:"N" help:"Number of units; without it, the number is found."`
	MaxComponents int     `placeholder:"N" help:"Start with N units and find the best number; the default is 10."`
	MinComponents int     `default:"1" placeholder:"N" help:"Try no fewer units; the default is ${default}."`
	Covariance    string  `enum:"full,diagonal,spherical,tied" default:"full" help:"Form of covariances: ${enum}."`
	Reg           float64 `default:"0" placeholder:"X" help:"Add X to the variances of components."`
	DF            string  `name:"df" default:"shared" placeholder:"NU" help:"Degrees of freedom: shared, each, or NU."`
	Init          string  `enum:"kmeans++,kmeans,random" default:"kmeans++" help:"How first units are found: ${enum}."`
	NInit         int     `name:"n-init" default:"1" help:"Number of starts, of which the best is kept."`
	Seed          uint64  `default:"1" help:"Seed of the random choices."`
	Tol           float64 `default:"0.1" help:"Stop this much below the limit of the log-likelihood."`
	MaxIter       int     `default:"5000" help:"Maximum number of iterations."`
	Precision     string  `enum:"64,32" default:"64" help:"Bits of the scores to which the mixture is fitted: ${enum}."`
	OutlierLevel  float64 `default:"0.001" placeholder:"P" help:"Expected share of outliers; default ${default}."`
	Plots         string  `enum:"png,svg,none" default:"png" help:"Format of the plots: ${enum}."`
	NoKlusta      bool    `help:"Do not write the files of KlustaKwik."`
	app.Flags
}

// Help returns what skelgo spikes run --help shows besides the flags.
func (*SortCommand) Help() string {
	return `Waveforms of float32, float64 or int16 are aligned if --align says so, reduced to principal components, and
divided into units by a mixture of t distributions. Unit 0 is the largest.

Units that overlap are merged if the criterion or a single mode of both says so, unless --components is given.

--precision 32 fits the mixture and assigns spikes in float32, which takes less time on GPUs that are slow in 64 bits.
Fits end a little earlier, so that degrees of freedom and distances of spikes differ where they hardly matter.

DIR gets the files of Phy (phy template-gui DIR/params.py), which SpikeInterface reads too, and also:

   posterior.npy              the probability of each unit, for each spike
   spike_distances.npy        squared Mahalanobis distances from the unit
   spike_weights.npy          weights u in the fit, near 0 for outliers
   model.json                 the components and the mixture, and measures of the units
   waveforms.fet.1, .clu.1    for KlustaKwik and Klusters; outliers are in cluster 1
   clusters.png               the first components, with the units' ellipses and outliers
   waveforms.png              waveforms and templates of the units
   criterion.png              the criterion for each number of units
   qq.png                     distances of spikes, and what they should be

Waveforms in C order are read while devices compute, several times if they take more than a quarter of the device's
memory. What --align moves is kept in host memory, and so are the results.

` + rawHelp + `

Files of these names are replaced, or removed if they are not written again. Without --times, the waveforms are taken
to follow each other without gaps, and violations of refractory periods are unknown. --align does not change times.

JSON: name, n, samples, channels, units (their number), sizes (spikes of each), components (principal), variance (their
share), df (a number, or with --df each a list), ks (for each unit, the largest distance between the distributions of
distances found and expected), outliers, false_positives and false_negatives (expected shares of wrong and missing
spikes), l_ratio, isolation, snr, amplitude, violations (-1 if unknown), contamination, good (a suggestion), fitted
(spikes), loglik, criterion, path, iterations, converged, seed, output, device, precision, seconds (to compute the
results) and total_seconds.`
}

// Run sorts waveforms.
func (c *SortCommand) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{sortOptions: &c.sortOptions, source: c, output: c.Output})
}

// check returns the options of Sort, or an error if the command's are wrong.
func (c *sortOptions) check() (o Options, err error) {
	m := &o.Mixture
	*m = tmixture.Options{
		Components: c.Components, MaxComponents: c.MaxComponents, MinComponents: c.MinComponents,
		Covariance: tmixture.Covariance(c.Covariance), Reg: c.Reg, DF: tmixture.DF(c.DF), Init: tmixture.Init(c.Init),
		NInit: c.NInit, Seed: c.Seed, Tolerance: c.Tol, MaxIter: c.MaxIter,
	}
	o.OutlierLevel, o.FitTo, o.Single = c.OutlierLevel, c.Fit, c.Precision == "32"
	if c.Fit == 0 {
		o.FitTo = -1
	}
	switch {
	case c.Components < 0 || c.MaxComponents < 0:
		return o, app.InputErrorf("--components and --max-components must be at least 1")
	case c.Components != 0 && (c.MaxComponents != 0 || c.MinComponents != 1):
		return o, app.InputErrorf("--components cannot be combined with --max-components and --min-components")
	case c.MinComponents < 1 || c.MaxComponents != 0 && c.MinComponents > c.MaxComponents:
		return o, app.InputErrorf("--min-components %d: it must be from 1 to --max-components", c.MinComponents)
	case c.MaxComponents == 0 && c.MinComponents > DefaultUnits:
		return o, app.InputErrorf("--min-components %d: it needs --max-components", c.MinComponents)
	case c.Fit < 0:
		return o, app.InputErrorf("--fit %d: it cannot be negative", c.Fit)
	case !(c.Reg >= 0):
		return o, app.InputErrorf("--reg %v: it cannot be negative", c.Reg)
	case !(c.Tol > 0):
		return o, app.InputErrorf("--tol %v: it must be positive", c.Tol)
	case c.MaxIter < 1:
		return o, app.InputErrorf("--max-iter %d: it must be at least 1", c.MaxIter)
	case c.NInit < 1:
		return o, app.InputErrorf("--n-init %d: it must be at least 1", c.NInit)
	case !(c.OutlierLevel > 0 && c.OutlierLevel < 1):
		return o, app.InputErrorf("--outlier-level %v: it must be between 0 and 1", c.OutlierLevel)
	}
	if m.DF != tmixture.Shared && m.DF != tmixture.Each {
		df, err := strconv.ParseFloat(c.DF, 64)
		if err != nil || !(df > 0) || math.IsInf(df, 0) {
			return o, app.InputErrorf("--df %s: it must be shared, each, or a positive number", c.DF)
		}
		m.DF, m.FixedDF = tmixture.Fixed, df
	}
	return o, c.checkPCA(&o)
}

// checkPCA reads --pca.
func (c *sortOptions) checkPCA(o *Options) error {
	if c.PCA == "" {
		return nil
	}
	if n, err := strconv.Atoi(c.PCA); err == nil {
		if n < 1 {
			return app.InputErrorf("--pca %s: it must be at least 1, or a share of the variance such as 0.95", c.PCA)
		}
		o.PCA.Components = n
		return nil
	}
	share, err := strconv.ParseFloat(c.PCA, 64)
	if err != nil || !(share > 0 && share < 1) {
		return app.InputErrorf("--pca %s: it must be a whole number, or a share of the variance between 0 and 1, "+
			"such as 0.95", c.PCA)
	}
	o.PCA.Fraction = share
	return nil
}
