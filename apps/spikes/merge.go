package spikes

import (
	"cmp"
	"context"
	"slices"

	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/matrix"
)

// The units that merge tries to merge.
const (
	mergeOverlap = 0.02 // the least part of a unit's spikes that might be of the other unit
	mergeTries   = 6    // pairs that are tried for each number of units
	modeOverlap  = 0.1  // the same part for units that are merged if they have one mode
)

// merge merges units as long as that improves the criterion, or two that overlap have one mode. The
// removal of components, which finds their number, always removes the smallest one, so it never
// merges the halves of a large unit that two components share. And if the spikes of a unit are not
// quite t distributed, because their peaks are not quite aligned, say, the criterion prefers two
// components, the more the more spikes there are.
func merge[T float32 | float64](ctx context.Context, r *Result, x *matrix.Matrix[T], o tmixture.Options) error {
	for r.Model.Components() > max(1, o.MinComponents) {
		better, err := mergeOnce(ctx, r, x, o)
		if better == nil || err != nil {
			return err
		}
		better.Path = append(slices.Clone(r.Model.Path), better.Path...)
		r.Model = better
	}
	return nil
}

// mergeOnce returns a model in which two units that overlap are one, or nil if no two should be.
func mergeOnce[T float32 | float64](
	ctx context.Context, r *Result, x *matrix.Matrix[T], o tmixture.Options,
) (*tmixture.Model, error) {
	a, err := tmixture.Assign(r.Model, x)
	if err != nil {
		return nil, err
	}
	defer a.Free()
	pairs, err := overlaps(a)
	if err != nil {
		return nil, err
	}
	labels, err := a.Labels.Host()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		o.Labels = merged(labels, p)
		o.MaxComponents = int(slices.Max(o.Labels)) + 1
		o.MinComponents = o.MaxComponents
		m, err := tmixture.Fit(ctx, x, o)
		if err != nil {
			return nil, err
		}
		if one := p.overlap > modeOverlap && oneMode(r.Model, int(p.first), int(p.second)); one ||
			m.Criterion > r.Model.Criterion {
			return m, nil
		}
	}
	return nil, nil
}

// pair is two units, of which the first has the lower number, and their overlap: the
// expected number of spikes that are given to one and belong to the other, over the
// size of the smaller one.
type pair struct {
	first, second int32
	overlap       float64
}

// overlaps returns the pairs of units that overlap most.
func overlaps(a *tmixture.Assignment) (pairs []pair, err error) {
	products := gram.Apply(a.Posteriors, a.Posteriors)
	defer products.Free()
	sizes := add.Cols(a.Posteriors)
	defer sizes.Free()
	z, err := products.Host()
	if err != nil {
		return nil, err
	}
	n, err := sizes.Host()
	if err != nil {
		return nil, err
	}
	for j := range n {
		for k := range j {
			p := pair{int32(k), int32(j), z[j*len(n)+k] / min(n[j], n[k])}
			if p.overlap > mergeOverlap {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.overlap, a.overlap) })
	return pairs[:min(len(pairs), mergeTries)], nil
}

// merged returns labels in which the two units of a pair are one, without gaps.
func merged(labels []int32, p pair) []int32 {
	all := slices.Clone(labels)
	for i, l := range all {
		if l == p.second {
			all[i] = p.first
		}
	}
	used := slices.Clone(all)
	slices.Sort(used)
	used = slices.Compact(used)
	for i, l := range all {
		at, _ := slices.BinarySearch(used, l)
		all[i] = int32(at)
	}
	return all
}
