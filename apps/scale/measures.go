package scale

import (
	"cmp"
	"math"
	"slices"
)

// Interval is an interval of confidence, at 95%.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Share is a part of a number of objects, and the interval of Wilson for its probability. It is nil in
// JSON if there are no objects.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Value float64 `json:"value"`
	Interval
}

// newShare returns a share of count objects of n.
func newShare(count, n int) *Share {
	if n == 0 {
		return nil
	}
	return &Share{count, n, float64(count) / float64(n), wilson(float64(count), float64(n))}
}

// normalQuantile is the normal distribution's quantile of 97.5%.
const normalQuantile = 1.959963984540054

// wilson returns the interval of E. B. Wilson (Probable inference, the law of succession, and
// statistical inference, JASA 1927) for the probability of an event that occurred count times of n.
func wilson(count, n float64) Interval {
	const z = normalQuantile
	p := count / n
	center := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	switch count { // not a little more or less by rounding
	case 0:
		return Interval{0, center + half}
	case n:
		return Interval{center - half, 1}
	}
	return Interval{max(0, center-half), min(1, center+half)}
}

// Measures describes how well a model assigns objects whose groups are known.
type Measures struct {
	Errors    int     `json:"errors"`    // objects in a wrong group
	Uncertain int     `json:"uncertain"` // objects in an uncertain zone
	Confusion [][]int `json:"confusion"` // a row for each group, a column for each assigned one
	// Undecided are the uncertain objects of each group.
	Undecided []int          `json:"undecided"`
	Groups    []GroupMeasure `json:"measures"`
}

// GroupMeasure is the measures of one group against all others.
type GroupMeasure struct {
	Group       string `json:"group"`
	Sensitivity *Share `json:"sensitivity"` // of the objects of the group, those assigned to it
	Specificity *Share `json:"specificity"` // of the others, those assigned to another group
	PPV         *Share `json:"ppv"`         // of those assigned to the group, those of the group
	NPV         *Share `json:"npv"`         // of those assigned to another group, those of another group
	// AUC is the area under the curve for this group against all others. The lowest group has low
	// scores, and one in the middle scores near the middle of its range. AUCUpper is that of the score
	// for this group and those above it against those below it.
	AUC         float64   `json:"auc"`
	AUCInterval *Interval `json:"auc_interval"` // of R. G. Newcombe
	AUCUpper    *float64  `json:"auc_upper"`
}

// perUnit returns the reciprocal of the unit in which scores of some objects are compared. X has their
// features.
func (m *Model) perUnit(x []float64) float64 {
	d := &Data{Features: m.Features, X: x, Group: make([]int, len(x)/len(m.Features))}
	_, largest := d.values(m.Weights, d.largestOf())
	return perUnit(largest)
}

// measure returns the measures of a model for objects whose groups are indices of m.Groups. PerUnit is that
// of their scores.
func (m *Model) measure(scores []float64, group []int, perUnit float64) *Measures {
	k := len(m.Groups)
	r := &Measures{Confusion: make([][]int, k), Undecided: make([]int, k)}
	for g := range k {
		r.Confusion[g] = make([]int, k)
	}
	for i, f := range scores {
		switch a := m.Assign(f); a {
		case Undecided:
			r.Uncertain++
			r.Undecided[group[i]]++
		default:
			r.Confusion[group[i]][a]++
			if a != group[i] {
				r.Errors++
			}
		}
	}
	for g := range k {
		r.Groups = append(r.Groups, r.ofGroup(m.Groups[g], g))
		of := &r.Groups[g]
		of.AUC = auc(m.likeness(scores, g), perUnit, func(i int) bool { return group[i] == g })
		of.AUCInterval = newcombe(of.AUC, of.Sensitivity, of.Specificity)
		if g > 0 {
			v := auc(scores, perUnit, func(i int) bool { return group[i] >= g })
			of.AUCUpper = &v
		}
	}
	return r
}

// likeness returns how much scores are like those of group g. It is the score itself for the highest
// group.
func (m *Model) likeness(scores []float64, g int) []float64 {
	thresholds := m.Thresholds()
	list := make([]float64, len(scores))
	for i, f := range scores {
		switch g {
		case 0:
			list[i] = -f
		case len(thresholds):
			list[i] = f
		default:
			list[i] = -math.Abs(f - (thresholds[g-1]+thresholds[g])/2)
		}
	}
	return list
}

// ofGroup returns the counts of a group against all others.
func (r *Measures) ofGroup(name string, g int) GroupMeasure {
	var own, assigned, right, all, notAssigned, rightNot int
	for t, row := range r.Confusion {
		for a, n := range row {
			all += n
			if a == g {
				assigned += n
			} else {
				notAssigned += n
			}
			switch {
			case t == g && a == g:
				right += n
			case t != g && a != g:
				rightNot += n
			}
			if t == g {
				own += n
			}
		}
	}
	undecided := 0
	for _, n := range r.Undecided {
		undecided += n
	}
	own += r.Undecided[g]
	return GroupMeasure{
		Group: name, Sensitivity: newShare(right, own), Specificity: newShare(rightNot, all+undecided-own),
		PPV: newShare(right, assigned), NPV: newShare(rightNot, notAssigned),
	}
}

// rank returns the objects in ascending order of their scores in fixed point.
func rank(scores []float64, perUnit float64) []ranked {
	order := make([]ranked, len(scores))
	for i, f := range scores {
		order[i] = ranked{i, int64(f * perUnit)}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return cmp.Compare(a.value, b.value) })
	return order
}

// newcombe returns the interval of R. G. Newcombe (Confidence intervals for an effect size measure based
// on the Mann-Whitney statistic, part 2, method 5, Statistics in Medicine 25, 2006) for an area. It is to
// the variance of J. A. Hanley and B. J. McNeil what the interval of Wilson is to that of a share, and
// does not shrink to a point if the area is 1. The shares are those of the group and of the others.
func newcombe(area float64, own, others *Share) *Interval {
	if own == nil || others == nil {
		return nil
	}
	m, n := float64(own.Of), float64(others.Of)
	half := (m + n) / 2
	excess := func(a float64) float64 { // of the distance from a over what chance allows
		variance := a * (1 - a) * (2*half - 1 - 3*(half-1)/((2-a)*(1+a))) / (m * n)
		return math.Abs(a-area) - normalQuantile*math.Sqrt(variance)
	}
	bound := func(a float64) float64 { // between the area and 0 or 1, beyond which there is none
		within, beyond := area, a
		for range 60 {
			if middle := (within + beyond) / 2; excess(middle) < 0 {
				within = middle
			} else {
				beyond = middle
			}
		}
		return beyond
	}
	return &Interval{bound(0), bound(1)}
}

// Risk is how often the groups occur among the objects whose scores are in a range.
type Risk struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"`
	Group  string  `json:"group"`  // that is assigned in the range
	Counts []int   `json:"counts"` // of the groups
}

// riskRanges is about how many ranges a group is divided into.
const riskRanges = 4

// risks returns the ranges of the score, none of which contains a boundary, and how often groups occur
// in them.
func (m *Model) risks(scores []float64, group []int, perUnit float64) []Risk {
	order := rank(scores, perUnit)
	sizes := map[int]int{}
	for _, f := range scores {
		sizes[m.state(f)]++
	}
	var list []Risk
	last := -1
	for at, o := range order {
		i := o.object
		state, f := m.state(scores[i]), scores[i]
		enough := len(list) > 0 && list[len(list)-1].N >= (sizes[state]+riskRanges-1)/riskRanges
		if state != last || enough && o.value-order[at-1].value > 1 {
			name := "uncertain"
			if a := m.Assign(f); a != Undecided {
				name = m.Groups[a]
			}
			list = append(list, Risk{Low: f, High: f, Group: name, Counts: make([]int, len(m.Groups))})
		}
		last = state
		r := &list[len(list)-1]
		r.Low, r.High = min(r.Low, f), max(r.High, f)
		r.N++
		r.Counts[group[i]]++
	}
	return list
}
