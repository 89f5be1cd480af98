package mixtures

import (
	"math"

	"github.com/skelgo/skelgo/math64"
)

// Posteriors returns, for each value, the probability that it belongs to each component. The values
// must be in the domain of the family: see [Family.Check].
func Posteriors(f *Family, components []Component, values []float64) [][]float64 {
	logs := make([]func(float64) float64, len(components))
	for k, c := range components {
		logs[k] = f.engine.log(c)
	}
	all := make([][]float64, len(values))
	inParallel(len(values), func(i int) {
		x := values[i]
		if f.transform != nil {
			x = f.transform(x)
		}
		p, top := make([]float64, len(components)), math.Inf(-1)
		for k, log := range logs {
			p[k] = log(x)
			top = max(top, p[k])
		}
		total := 0.0
		for k := range p {
			p[k] = math64.Exp(p[k] - top)
			total += p[k]
		}
		for k := range p {
			p[k] /= total
		}
		all[i] = p
	})
	return all
}
