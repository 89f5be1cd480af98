package mixtures

import (
	"cmp"
	"context"
	"iter"
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
func (f *fitting) bootstrap(ctx context.Context) error {
	state, group := &f.store.state, 0
	for m, replicas := range f.groups() {
		if group++; group <= state.Groups {
			continue
		}
		if err := f.replicate(ctx, m, replicas); err != nil {
			return err
		}
		state.Groups++
	}
	n := float64(f.o.Bootstrap)
	for s, sums := range state.Sums {
		best := state.Sets[s].Best()
		best.Errors = make([]Component, len(sums))
		for k, s := range sums {
			var e [3]float64
			for i := range e {
				e[i] = math.Sqrt(max(0, (s.Squares[i]-s.Sum[i]*s.Sum[i]/n)/(n-1)))
			}
			best.Errors[k] = Component{e[0], e[1], e[2]}
		}
	}
	return nil
}

// groups returns all replicas in groups that fit the memory, each with its number of components.
func (f *fitting) groups() iter.Seq2[int, []replica] {
	most := cmp.Or(f.o.values, sampleValues)
	return func(yield func(int, []replica) bool) {
		for m := f.o.MinComponents; m <= f.o.MaxComponents; m++ {
			var group []replica
			values := 0
			for s, fits := range f.store.state.Sets {
				best := fits.Best()
				if best == nil || len(best.Components) != m || !best.finite() {
					continue
				}
				for b := range f.o.Bootstrap {
					n := len(f.sets[s].Values)
					if len(group) > 0 && n > most-values {
						if !yield(m, group) {
							return
						}
						group, values = group[:0], 0
					}
					group, values = append(group, replica{s, b}), values+n
				}
			}
			if len(group) > 0 && !yield(m, group) {
				return
			}
		}
	}
}

// deviations are sums over samples of the differences from the parameters of a component, and of
// their squares.
type deviations struct{ Sum, Squares [3]float64 }

// replicate draws a group of samples, fits them and adds the deviations of their parameters.
func (f *fitting) replicate(ctx context.Context, m int, group []replica) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	state := &f.store.state
	sets, of, jobs := make([]Set, len(group)), make([]*Fit, len(group)), make([]start, len(group))
	for i, g := range group {
		of[i], jobs[i].set = state.Sets[g.set].Best(), i
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
	g := &fitting{o: &o, sets: sets, devices: f.devices, store: f.store}
	if err := g.prepare(); err != nil {
		return err
	}
	fits, err := g.run(ctx, m, jobs, func(j start, _ int) []Component { return of[j.set].Components })
	if err != nil {
		return err
	}
	for i, g := range group {
		if state.Sums[g.set] == nil {
			state.Sums[g.set] = make([]deviations, m)
		}
		for k, c := range fits[i].Components {
			b, s := of[i].Components[k], &state.Sums[g.set][k]
			for p, d := range [3]float64{c.Weight - b.Weight, c.P - b.P, c.Q - b.Q} {
				s.Sum[p] += d
				s.Squares[p] += float64(d * d)
			}
		}
	}
	return nil
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
