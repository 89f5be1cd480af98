package mixtures

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
)

// sampleValues is how many values of samples are in memory at a time, unless one sample has more.
const sampleValues = 1 << 26

// replica is sample b of the best mixture of a data set.
type replica struct{ set, b int }

// bootstrap estimates standard errors: it draws samples from the best mixture of each data
// set, fits mixtures to them that start with that mixture, and takes the standard deviation
// of their parameters. Components are matched by the order of their means.
func (f *fitting) bootstrap(ctx context.Context, r *Result) error {
	most := cmp.Or(f.o.values, sampleValues)
	for m := f.o.MinComponents; m <= f.o.MaxComponents; m++ {
		all := map[*Fit][]deviations{}
		var group []replica
		values := 0
		for s, fits := range r.Sets {
			best := fits.Best()
			if best == nil || len(best.Components) != m || !best.finite() {
				continue
			}
			all[best] = make([]deviations, m)
			for b := range f.o.Bootstrap {
				n := len(f.sets[s].Values)
				if len(group) > 0 && n > most-values {
					if err := f.replicate(ctx, m, r, group, all); err != nil {
						return err
					}
					group, values = group[:0], 0
				}
				group, values = append(group, replica{s, b}), values+n
			}
		}
		if err := f.replicate(ctx, m, r, group, all); err != nil {
			return err
		}
		n := float64(f.o.Bootstrap)
		for best, s := range all {
			best.Errors = make([]Component, m)
			for k, s := range s {
				var e [3]float64
				for i := range e {
					e[i] = math.Sqrt(max(0, (s.square[i]-s.mean[i]*s.mean[i]/n)/(n-1)))
				}
				best.Errors[k] = Component{e[0], e[1], e[2]}
			}
		}
	}
	return nil
}

// deviations are sums over samples of the differences from the parameters of a component.
type deviations struct{ mean, square [3]float64 }

// replicate draws a group of samples, fits them and adds the deviations of their parameters.
func (f *fitting) replicate(ctx context.Context, m int, r *Result, group []replica, all map[*Fit][]deviations) error {
	if err := ctx.Err(); err != nil || len(group) == 0 {
		return err
	}
	sets, of, jobs := make([]Set, len(group)), make([]*Fit, len(group)), make([]start, len(group))
	for i, g := range group {
		of[i], jobs[i].set = r.Sets[g.set].Best(), i
	}
	inParallel(len(group), func(i int) {
		s, b := group[i].set, group[i].b
		if ctx.Err() == nil {
			seed := rand.NewPCG(f.o.Seed^0x9e3779b97f4a7c15, uint64(s)<<24|uint64(b))
			sets[i] = Set{f.sets[s].Name, f.sample(rand.New(seed), of[i], len(f.sets[s].Values))}
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	o := *f.o
	o.Starts = 1
	g := &fitting{o: &o, sets: sets, devices: f.devices}
	g.done.Store(f.done.Load())
	if err := g.prepare(); err != nil {
		return err
	}
	first := func(j start, _ int) []Component { return of[j.set].Components }
	err := g.run(ctx, m, jobs, first, func(j start, x *Fit) {
		best := of[j.set]
		for k, c := range x.Components {
			b, s := best.Components[k], &all[best][k]
			for i, d := range [3]float64{c.Weight - b.Weight, c.P - b.P, c.Q - b.Q} {
				s.mean[i] += d
				s.square[i] += float64(d * d)
			}
		}
	})
	f.done.Store(g.done.Load())
	return err
}

// sample draws n numbers from a mixture.
func (f *fitting) sample(r *rand.Rand, x *Fit, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = f.o.Family.Draw(r, choose(r, x.Components))
	}
	return values
}

// choose returns a component with the probability of its weight.
func choose(r *rand.Rand, components []Component) Component {
	u := r.Float64()
	for _, c := range components {
		if u -= c.Weight; u < 0 {
			return c
		}
	}
	return components[len(components)-1]
}

// Sample draws n numbers from a mixture of a family.
func Sample(family *Family, components []Component, n int, seed uint64) []float64 {
	f := &fitting{o: &Options{Family: cmp.Or(family, InverseGaussian)}}
	return f.sample(rand.New(rand.NewPCG(seed, 0)), &Fit{Components: components}, n)
}
