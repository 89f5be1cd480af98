package scale

import (
	"cmp"
	"math"
	"slices"
)

// rare computes the least costs of all intervals of a line on the host, for a problem with two groups of
// which one has few objects. There the costs of neighbouring intervals say little about those between
// them, because no boundary costs much more than assigning all of the few objects wrongly. But the best
// boundary is next to one of these objects, so the least cost follows from the costs of the others above
// each of them, of which a crossing changes one.
//
// The costs are lower bounds: an evaluation also joins values that differ by rounding only. Apart from
// that they are equal.
type rare struct {
	few, many    []int     // the objects of the rare group, and of the other one
	lost         []float64 // what it costs more to assign each of the few to the other group
	added        []float64 // what it costs more to assign each of the many to the rare group
	base         float64   // what all objects cost if none is assigned wrongly
	upper        bool      // the rare group is the upper one
	most, lowest float64   // the sum and the least of added
}

// A group is rare if it has at most maxFew objects and at most 1/fewOf of all.
const (
	maxFew = 64
	fewOf  = 8
)

// newRare returns nil if the problem has other groups than a rare and a frequent one.
func newRare(e *evaluator, problem int) *rare {
	if len(e.data.Groups) != 2 || e.Rule.Zones || e.Rule.Empty || !e.Whole {
		return nil
	}
	var lower, upper rare // with the objects of each group as the few
	base := 0.0
	for i, code := range e.Codes[problem] {
		if code == 0 {
			continue
		}
		costs := e.Costs[code]
		base += min(costs[0], costs[1])
		switch more := costs[1] - costs[0]; {
		case more > 0:
			lower.few, lower.lost = append(lower.few, i), append(lower.lost, more)
		case more < 0:
			upper.few, upper.lost = append(upper.few, i), append(upper.lost, -more)
		default:
			return nil // an object that costs the same in both groups can keep one from being empty
		}
	}
	lower.many, lower.added = upper.few, upper.lost
	upper.many, upper.added, upper.upper = lower.few, lower.lost, true
	r := &lower
	if len(upper.few) < len(lower.few) {
		r = &upper
	}
	if n := len(r.few); n == 0 || n > maxFew || n*fewOf > n+len(r.many) {
		return nil
	}
	r.base, r.lowest = base, slices.Min(r.added)
	for _, v := range r.added {
		r.most += v
	}
	return r
}

// passing is the crossing of one of the few and one of the many objects.
type passing struct {
	at    float64 // the weight
	few   int
	added float64 // to the costs above the former
}

// costs returns the least cost of each interval of the line through weights along a feature.
func (r *rare) costs(e *evaluator, weights []float64, feature int, b Bound, gaps []gap) []float64 {
	above, crossings := r.start(e, weights, feature, b)
	slices.SortFunc(crossings, func(a, b passing) int { return cmp.Compare(a.at, b.at) })
	order := make([]int, len(r.few))
	for k := range order {
		order[k] = k
	}
	list, next := make([]float64, len(gaps)), 0
	for i, g := range gaps {
		before := next
		for ; next < len(crossings) && crossings[next].at <= g.low; next++ {
			above[crossings[next].few] += crossings[next].added
		}
		if i > 0 && next == before {
			list[i] = list[i-1]
			continue
		}
		list[i] = r.cost(above, order)
	}
	return list
}

// start returns, for each of the few, the costs of the many that are above it or equal at the lower end
// of a line, and the crossings in any order. If the rare group is the lower one, above means below.
func (r *rare) start(e *evaluator, weights []float64, feature int, b Bound) ([]float64, []passing) {
	w := slices.Clone(weights)
	w[feature] = 0
	rests, largest := e.data.values(w, e.most)
	equal := 0.25 / perUnit(largest) // such a difference is rounded off
	sign := 1.0
	if !r.upper {
		sign = -1
	}
	above := make([]float64, len(r.few))
	var crossings []passing
	for k, p := range r.few {
		for m, q := range r.many {
			slope, rest := e.data.row(q)[feature]-e.data.row(p)[feature], rests[p]-rests[q]
			at := rest / slope
			rises := sign*slope > 0 // q is above p from the crossing on, and else up to it
			switch {
			case slope == 0:
				if sign*rest < equal {
					above[k] += r.added[m]
				}
				continue
			case rises == (at <= b.Low):
				above[k] += r.added[m]
			}
			if at > b.Low && at < b.High {
				change := r.added[m]
				if !rises {
					change = -change
				}
				crossings = append(crossings, passing{at, k, change})
			}
		}
	}
	return above, crossings
}

// cost returns the least cost of a boundary. It sorts order, the few from the uppermost one.
func (r *rare) cost(above []float64, order []int) float64 {
	left := 0.0 // of the few that are below the boundary
	for i, k := range order {
		left += r.lost[k]
		for ; i > 0 && above[order[i-1]] > above[k]; i-- {
			order[i], order[i-1] = order[i-1], k
		}
	}
	least := left + r.lowest // only one of the many is above the boundary
	for i, k := range order {
		if i == len(order)-1 && above[k] == r.most {
			break // no object is below
		}
		left -= r.lost[k]
		least = min(least, above[k]+left)
	}
	return r.base + least
}

// guess fills in the costs of the gaps of a list from the bounds.
func (l *line) guess(list []int) {
	for _, g := range list {
		l.costs[g] = l.bounds[g]
	}
}

// guessed reports whether the cost of a gap is a bound, and was not evaluated.
func (l *line) guessed(g int) bool { return l.bounds != nil && !math.IsNaN(l.bounds[g]) }
