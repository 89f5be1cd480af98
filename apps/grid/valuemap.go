package grid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/vector"
)

// maxMap is the largest number of values that are stored: 2 GiB of float64.
const maxMap = 1 << 28

// maxSaved is the largest number of values of a map in a state. The values of a larger map are computed again.
const maxSaved = 1 << 24

// Values returns the values of a function at all nodes of a grid, in order of position. It stores
// them, so it returns an error if there are more than 2^28. The zero Distribution means the default.
func Values(ctx context.Context, f *Function, axes Axes, where vector.Distribution) ([]float64, error) {
	return valuesOf(ctx, f, axes, &Options{Where: where}, &pass[[]float64]{})
}

// valuesOf is Values with a pass of the state of the options.
func valuesOf(ctx context.Context, f *Function, axes Axes, o *Options, p *pass[[]float64]) ([]float64, error) {
	s, err := newSearch(ctx, f, axes, o)
	if err != nil {
		return nil, err
	}
	defer s.free()
	if s.nodes > maxMap {
		return nil, fmt.Errorf("%d values are too many to be stored", s.nodes)
	}
	if s.nodes > maxSaved {
		s.state, p = &state{}, &pass[[]float64]{}
	}
	p.Found = slices.Grow(p.Found, s.nodes-len(p.Found))
	err = each(s, p, "values", localBlock, func(at, n int) func() ([]float64, error) {
		v := s.values(at, n)
		return func() ([]float64, error) {
			defer v.Free()
			return v.Host()
		}
	}, func(_, _ int, v []float64) error {
		p.Found = append(p.Found, v...)
		return nil
	})
	return p.Found, err
}

// mapOf returns the grid of some axes, counted from 1, through a point.
func mapOf(axes Axes, chosen []int, x []float64) Axes {
	m := slices.Clone(axes)
	for k := range m {
		if !slices.Contains(chosen, k+1) {
			m[k] = Axis{Begin: x[k], Step: 1, Count: 1}
		}
	}
	return m
}

// thinned returns an axis of at most most nodes over the same range.
func (a Axis) thinned(most int) Axis {
	if a.Count <= most {
		return a
	}
	by := float64(a.Count-1) / float64(most-1)
	t := Axis{a.Begin, a.Step * by, most, a.Geometric}
	if a.Geometric {
		t.Step = math.Pow(a.Step, by)
	}
	return t
}
