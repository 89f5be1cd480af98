package spikes

import (
	"cmp"
	"context"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Result is what Sort has found. Its containers are on the devices of the waveforms, with an
// element or a row for each spike. Units are in the order of descending weight.
type Result struct {
	Samples, Channels int
	Waveforms         *matrix.Matrix[float32] // aligned, or those that Sort was called with
	Components        *pca.Model
	Scores            *matrix.Matrix[float64] // the principal components of the waveforms
	Model             *tmixture.Model         // a component for each unit
	*tmixture.Assignment
	Amplitudes *vector.Vector[float64] // factors by which the unit's template fits the waveforms best
	// Features are the parts that channels contribute to scores: component k of channel c is
	// in column k*Channels + c. There are as many components as FeatureComponents says.
	Features *matrix.Matrix[float32]
	Units    []Unit

	aligned bool // Waveforms is a copy
}

// Free frees the result's containers, but not the waveforms that Sort was called with.
func (r *Result) Free() {
	if r.aligned {
		r.Waveforms.Free()
	}
	for _, m := range []*matrix.Matrix[float64]{r.Scores} {
		if m != nil {
			m.Free()
		}
	}
	if r.Assignment != nil {
		r.Assignment.Free()
	}
	if r.Amplitudes != nil {
		r.Amplitudes.Free()
	}
	if r.Features != nil {
		r.Features.Free()
	}
}

// Sort divides waveforms into units. A row of x has the samples of a waveform, one after the
// other; a sample has a number for each channel. Errors in the data or the options are input
// errors (app.IsInputError).
func Sort(ctx context.Context, x *matrix.Matrix[float32], o Options) (*Result, error) {
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	r := &Result{Samples: o.Samples, Channels: o.Channels, Waveforms: x}
	if err := r.sort(ctx, &o); err != nil {
		r.Free()
		return nil, err
	}
	return r, nil
}

func (r *Result) sort(ctx context.Context, o *Options) (err error) {
	phase := func(name string) error {
		if o.Phase != nil {
			o.Phase(name)
		}
		return ctx.Err()
	}
	if o.Align != NoAlign {
		if err := phase("align"); err != nil {
			return err
		}
		x, err := align(r.Waveforms, o)
		if err != nil {
			return err
		}
		r.Waveforms, r.aligned = x, true
	}
	if err := phase("components"); err != nil {
		return err
	}
	if r.Components, err = pca.Fit(ctx, r.Waveforms, o.PCA); err != nil {
		return err
	}
	if err := varying(r.Components); err != nil {
		return err
	}
	if err := r.score(); err != nil {
		return err
	}
	if err := r.divide(ctx, o, phase); err != nil {
		return err
	}
	if err := r.describe(); err != nil {
		return err
	}
	if err := phase("quality"); err != nil {
		return err
	}
	return r.assess(ctx, o)
}

// score computes the scores. They are much smaller than waveforms on pages, so that fewer pages or none are enough.
func (r *Result) score() error {
	scores, err := pca.Scores(r.Components, r.Waveforms)
	if err != nil {
		return err
	}
	r.Scores = scores
	d := scores.Vector().Distribution()
	bases := app.Bases(d)
	if len(bases) == len(d.Devices()) {
		return nil
	}
	r.Scores = scores.To(app.Distribute(bases, 8*int64(scores.Rows())*int64(scores.Cols())))
	if r.Scores != scores {
		defer scores.Free()
	}
	return r.Scores.Wait()
}

func narrow(x float64) float32 { return float32(x) }

var narrowed = skel.NewMap(narrow)

// divide fits the mixture, to some of the spikes if there are many, and assigns all of them, in the
// precision that the options ask for.
func (r *Result) divide(ctx context.Context, o *Options, phase func(name string) error) error {
	picked, copied, err := r.sampled(o.FitTo, o.Mixture.Seed)
	if err != nil {
		return err
	}
	if copied {
		defer picked.Free()
	}
	if !o.Single {
		return fitAndAssign(ctx, r, picked, r.Scores, o, phase)
	}
	all := narrowed.ApplyMatrix(r.Scores)
	defer all.Free()
	some := all
	if copied {
		some = narrowed.ApplyMatrix(picked)
		defer some.Free()
	}
	return fitAndAssign(ctx, r, some, all, o, phase)
}

// fitAndAssign fits the mixture to some of the scores, and assigns all.
func fitAndAssign[T float32 | float64](
	ctx context.Context, r *Result, some, all *matrix.Matrix[T], o *Options, phase func(name string) error,
) (err error) {
	if err := phase("fit"); err != nil {
		return err
	}
	m := o.mixture(some.Rows(), some.Cols())
	if r.Model, err = tmixture.Fit(ctx, some, m); err != nil {
		return err
	}
	if m.MaxComponents > 0 {
		if err := merge(ctx, r, some, m); err != nil {
			return err
		}
	}
	byWeight(r.Model)
	if err := phase("assign"); err != nil {
		return err
	}
	r.Assignment, err = tmixture.Assign(r.Model, all)
	return err
}

// varying removes components that have no variance but for rounding.
func varying(m *pca.Model) error {
	const rounding = 1e-12
	keep := 0
	for keep < len(m.Variances) && m.Variances[keep] > rounding*m.Total {
		keep++
	}
	if keep == 0 {
		return inputErrorf("all waveforms are the same")
	}
	m.Variances, m.Ratios, m.Loadings = m.Variances[:keep], m.Ratios[:keep], m.Loadings[:keep]
	return nil
}

// byWeight sorts the components of a mixture by descending weight.
func byWeight(m *tmixture.Model) {
	order := make([]int, m.Components())
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Weights[b], m.Weights[a]) })
	m.Weights, m.DF = permuted(m.Weights, order), permuted(m.DF, order)
	m.Means, m.Covariances = permuted(m.Means, order), permuted(m.Covariances, order)
}

func permuted[T any](x []T, order []int) []T {
	y := make([]T, len(x))
	for j, k := range order {
		y[j] = x[k]
	}
	return y
}

func sum(a, b float64) float64 { return a + b }

var add = skel.NewReduce(sum, 0)
