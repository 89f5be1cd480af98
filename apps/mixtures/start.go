package mixtures

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Init is a way to choose the first components.
type Init string

// The ways to choose the first components.
const (
	// RandomValues estimates each component from a few random values, one more than it has
	// parameters, as the bulkem paper does.
	RandomValues Init = "random"
	// Quantiles estimates components from equally many neighbouring values. After the
	// first start, the numbers of values are random.
	Quantiles Init = "quantiles"
	// KMeans estimates components from the clusters of k-means: from quantiles in the first
	// start, and from random values in others.
	KMeans Init = "kmeans"
)

// first returns the components with which a fit begins. They depend only on the seed, the
// set, the number of the start, and m.
func (f *fitting) first(j start, m int) []Component {
	if f.o.Given != nil {
		return f.o.Given
	}
	r := rand.New(rand.NewPCG(f.o.Seed, uint64(j.set)<<24|uint64(j.number)<<4|uint64(m-1)))
	x := f.sets[j.set].Values
	if m == 1 {
		return f.group([][]float64{x}, j.set)
	}
	switch f.o.Init {
	case Quantiles, KMeans:
		sorted := slices.Sorted(slices.Values(x))
		var cuts []int
		switch {
		case j.number > 0:
			cuts = randomCuts(r, len(x), m)
		default:
			for k := range m - 1 {
				cuts = append(cuts, (k+1)*len(x)/m)
			}
		}
		if f.o.Init == KMeans {
			cuts = lloyd(sorted, cuts)
		}
		return f.group(parts(sorted, cuts), j.set)
	default:
		components := make([]Component, m)
		for k := range components {
			for range mostDraws {
				var g []float64
				for _, i := range distinct(r, len(x), len(f.o.Family.Parameters)+1) {
					g = append(g, x[i])
				}
				if components[k] = f.component(g, j.set, m); !slices.ContainsFunc(components[:k], components[k].like) {
					break
				}
			}
		}
		return components
	}
}

// mostDraws is how often random values are drawn for a component that is equal to another one.
// Components that begin equal stay equal, which is likely in sets of few different values.
const mostDraws = 20

// like reports whether two components are equal but for rounding.
func (c Component) like(d Component) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }
	return near(c.P, d.P) && near(c.Q, d.Q)
}

// group estimates a component from each group of values, with equal weights.
func (f *fitting) group(groups [][]float64, set int) []Component {
	components := make([]Component, len(groups))
	for k, g := range groups {
		components[k] = f.component(g, set, len(groups))
	}
	return components
}

// component estimates one of m components from values of a set.
func (f *fitting) component(values []float64, set, m int) Component {
	p, q := f.o.Family.estimate(values, f.infos[set].Limit)
	return Component{1 / float64(m), p, q}
}

// distinct returns k different numbers below n, or all if there are fewer.
func distinct(r *rand.Rand, n, k int) (chosen []int) {
	for len(chosen) < min(n, k) {
		if i := r.IntN(n); !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// randomCuts returns m-1 different places at which n values are cut, in order.
func randomCuts(r *rand.Rand, n, m int) []int {
	cuts := distinct(r, n-1, m-1)
	for i := range cuts {
		cuts[i]++
	}
	slices.Sort(cuts)
	return cuts
}

// parts cuts sorted values. No part is empty if the cuts are different.
func parts(sorted []float64, cuts []int) (groups [][]float64) {
	from := 0
	for _, c := range append(slices.Clone(cuts), len(sorted)) {
		groups, from = append(groups, sorted[from:c]), c
	}
	return groups
}

// lloyd moves cuts until they are in the middle between the means of the parts, which is
// k-means on the line.
func lloyd(sorted []float64, cuts []int) []int {
	const most = 100
	cumulative := make([]float64, len(sorted)+1)
	for i, x := range sorted {
		cumulative[i+1] = cumulative[i] + x
	}
	cuts = slices.Clone(cuts)
	for range most {
		before := slices.Clone(cuts)
		means := make([]float64, len(cuts)+1)
		from := 0
		for k := range means {
			to := len(sorted)
			if k < len(cuts) {
				to = cuts[k]
			}
			means[k] = (cumulative[to] - cumulative[from]) / float64(to-from)
			from = to
		}
		for k := range cuts {
			cut, _ := slices.BinarySearch(sorted, (means[k]+means[k+1])/2)
			// No part may become empty.
			low, high := 1, len(sorted)-(len(cuts)-k)
			if k > 0 {
				low = cuts[k-1] + 1
			}
			cuts[k] = max(low, min(cut, high))
		}
		if slices.Equal(cuts, before) {
			break
		}
	}
	return cuts
}

// finite reports whether all parameters are finite.
func finite(c Component) bool {
	s := c.Weight + c.P + c.Q
	return !math.IsNaN(s) && !math.IsInf(s, 0)
}
