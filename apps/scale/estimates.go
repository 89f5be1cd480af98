package scale

import (
	"math"
	"slices"
)

// Estimate is what a measure is estimated to be among other objects than those that a scale was found
// for.
type Estimate struct {
	Value float64 `json:"value"`
	Interval
	// Outside is, of a bootstrap, the mean among the objects that are not in a sample.
	Outside *float64 `json:"outside,omitempty"`
}

// GroupEstimate is estimates of the measures of one group against all others. An estimate is nil if the
// measure is not defined, such as the PPV where no object is assigned to the group.
type GroupEstimate struct {
	Group       string    `json:"group"`
	Sensitivity *Estimate `json:"sensitivity"`
	Specificity *Estimate `json:"specificity"`
	PPV         *Estimate `json:"ppv"`
	NPV         *Estimate `json:"npv"`
	AUC         *Estimate `json:"auc"`
}

// rates are the measures of a group in the order of GroupEstimate. One that is not defined is NaN.
type rates [5]float64

func defined(v float64) bool { return !math.IsNaN(v) }

// estimates returns the estimates of all groups and measures.
func estimates(names []string, of func(g, measure int) *Estimate) (list []GroupEstimate) {
	for g, name := range names {
		list = append(list, GroupEstimate{name, of(g, 0), of(g, 1), of(g, 2), of(g, 3), of(g, 4)})
	}
	return list
}

// outcome is how a scale assigns objects.
type outcome struct {
	group    []int // of all objects
	assigned []int
	objects  []int // that count
	// likely has, for each group, these objects by how much their scores are like those of the group, the
	// likeliest first.
	likely [][]ranked
}

// outcome assigns the objects of some data, of which those that are chosen count; nil means all. The groups
// of the model are those of the data.
func (m *Model) outcome(d *Data, chosen func(i int) bool) *outcome {
	o := &outcome{group: d.Group, assigned: make([]int, d.N())}
	var scores []float64
	for i := range d.N() {
		f := m.Score(d.row(i))
		o.assigned[i] = m.Assign(f)
		if chosen == nil || chosen(i) {
			o.objects, scores = append(o.objects, i), append(scores, f)
		}
	}
	unit := m.perUnit(d.X)
	for g := range d.Groups {
		order := rank(m.likeness(scores, g), unit)
		slices.Reverse(order)
		for i := range order {
			order[i].object = o.objects[order[i].object]
		}
		o.likely = append(o.likely, order)
	}
	return o
}

// crossTable counts how scales assign objects. An object may count several times, as in a bootstrap sample.
type crossTable struct {
	confusion    [][]float64 // a row for each group; a column for each assigned one, and one for uncertain
	areas        []float64   // sums of areas under the ROC curves of groups
	areasDefined []float64   // their numbers
}

func newCrossTable(groups int) *crossTable {
	t := &crossTable{areas: make([]float64, groups), areasDefined: make([]float64, groups)}
	for range groups {
		t.confusion = append(t.confusion, make([]float64, groups+1))
	}
	return t
}

// add adds the objects of an outcome. Times is how often each counts; nil means once.
func (t *crossTable) add(o *outcome, times []int32) {
	count := func(i int) float64 {
		if times == nil {
			return 1
		}
		return float64(times[i])
	}
	for _, i := range o.objects {
		a := o.assigned[i]
		if a == Undecided {
			a = len(t.confusion)
		}
		t.confusion[o.group[i]][a] += count(i)
	}
	for g := range t.confusion {
		if area := o.area(g, count); defined(area) {
			t.areas[g] += area
			t.areasDefined[g]++
		}
	}
}

// area returns the area under the ROC curve of group g: the share of the couples of an object of the
// group and another one in which the first is likelier to be of the group. Equal ones count half.
func (o *outcome) area(g int, count func(i int) float64) float64 {
	var above, all, right float64 // objects of the group so far, others so far
	order := o.likely[g]
	for from := 0; from < len(order); {
		var own, others float64
		to := from
		for ; to < len(order) && (to == from || order[to-1].value-order[to].value <= 1); to++ {
			if i := order[to].object; o.group[i] == g {
				own += count(i)
			} else {
				others += count(i)
			}
		}
		right += others * (above + own/2)
		above += own
		all += others
		from = to
	}
	return right / (above * all)
}

// errors returns the share of the objects that are in a wrong group.
func (t *crossTable) errors() float64 {
	var wrong, all float64
	for g, row := range t.confusion {
		for a, n := range row {
			all += n
			if a != g && a < len(t.confusion) {
				wrong += n
			}
		}
	}
	return wrong / all
}

// rates returns the measures of each group.
func (t *crossTable) rates() (list []rates) {
	for g := range t.confusion {
		var own, others, right, rightNot, assigned, notAssigned float64
		for truth, row := range t.confusion {
			for a, n := range row {
				isOwn, is, isNot := truth == g, a == g, a != g && a < len(t.confusion)
				own += when(isOwn, n)
				others += when(!isOwn, n)
				assigned += when(is, n)
				notAssigned += when(isNot, n)
				right += when(isOwn && is, n)
				rightNot += when(!isOwn && isNot, n)
			}
		}
		list = append(list, rates{
			right / own, rightNot / others, right / assigned, rightNot / notAssigned, t.areas[g] / t.areasDefined[g],
		})
	}
	return list
}

// when returns n if the condition is true, and otherwise 0.
func when(condition bool, n float64) float64 {
	if condition {
		return n
	}
	return 0
}

func clamp(v float64) float64 { return max(0, min(1, v)) }

// mean returns the mean of numbers.
func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// middleShare returns the quantiles of 2.5% and 97.5%.
func middleShare(list []float64) Interval {
	sorted := slices.Sorted(slices.Values(list))
	at := func(q float64) float64 {
		p := q * float64(len(sorted)-1)
		i := min(int(p), max(0, len(sorted)-2))
		j := min(i+1, len(sorted)-1)
		return sorted[i] + (p-float64(i))*(sorted[j]-sorted[i])
	}
	return Interval{at(0.025), at(0.975)}
}
