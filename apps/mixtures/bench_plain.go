package mixtures

import (
	"math"
	"slices"
	"time"
)

// plainEM is EM for mixtures of inverse Gaussian distributions as one writes it in Go: loops
// over the values, one fit after the other on each core.
type plainEM struct {
	sets       [][]float64
	m          int
	jobs       []start
	components []Component
	logLik     []float64 // of each fit, without the terms that are the same for all components
}

func newPlainEM(f *fitting, m int, jobs []start, components []Component) *plainEM {
	return &plainEM{f.numbers, m, jobs, slices.Clone(components), make([]float64, len(jobs))}
}

// sample measures the iterations of all fits.
func (p *plainEM) sample() (time.Duration, error) {
	begin := time.Now()
	inParallel(len(p.jobs), func(i int) {
		p.fit(i, slices.Clone(p.components[i*p.m:(i+1)*p.m]), benchIterations)
	})
	return time.Since(begin), nil
}

// fit iterates, and sets the log-likelihood before the last step.
func (p *plainEM) fit(i int, c []Component, iterations int) {
	x := p.sets[p.jobs[i].set]
	logs, constants := make([]float64, p.m), make([]float64, p.m)
	all := make([]sums, p.m)
	for range iterations {
		for k := range c {
			constants[k] = math.Log(c[k].Weight) + math.Log(c[k].Q)/2
			all[k] = sums{}
		}
		logLik := 0.0
		for _, x := range x {
			top := math.Inf(-1)
			for k, c := range c {
				d := x - c.P
				logs[k] = constants[k] - c.Q*d*d/(2*c.P*c.P*x)
				top = max(top, logs[k])
			}
			total := 0.0
			for k := range logs {
				logs[k] = math.Exp(logs[k] - top)
				total += logs[k]
			}
			logLik += top + math.Log(total)
			for k := range all {
				w := logs[k] / total
				all[k].W += w
				all[k].A += w * x
				all[k].B += w / x
			}
		}
		for k, s := range all {
			mu := s.A / s.W
			c[k] = Component{s.W / float64(len(x)), mu, 1 / (s.B/s.W - 1/mu)}
		}
		p.logLik[i] = logLik
	}
}
