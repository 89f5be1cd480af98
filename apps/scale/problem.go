package scale

import (
	"math"
	"slices"
)

// problem is a training set, for which weights are searched: the whole data, a part of them for
// cross-validation, or a bootstrap sample. All problems are searched at once.
type problem struct {
	Times []int32 // how often each object is in the set; nil means once
	Order []int   // the groups in ascending order; nil means 0, 1, ...
	// Number tells the random numbers of a problem from those of others.
	Number int
}

// group returns the number of the group in place s of the order.
func (p *problem) group(s int) int {
	if p.Order == nil {
		return s
	}
	return p.Order[s]
}

// coding has the costs of objects in the states of a scale. The objects of a problem that have the
// same costs have the same code. Objects of code 0 are not in the problem.
type coding struct {
	Rule  rule
	Width int         // the length of a row of costs
	Unit  float64     // of Costs
	Whole bool        // the costs are whole numbers of units, so that sums of them are exact
	Costs [][]float64 // a row for each code
	Codes [][]int32   // of the objects, for each problem
}

// widths are the possible lengths of rows of costs: those for which there are skeletons.
var widths = []int{2, 3, 4, 5, 8, 16}

// newCoding returns the codes for some problems.
func newCoding(d *Data, c *Costs, empty bool, problems []problem) *coding {
	k := len(d.Groups)
	states := k
	if c.Zones {
		states = 2*k - 1
	}
	width := states
	for _, w := range widths {
		if width = w; w >= states {
			break
		}
	}
	e := &coding{
		Rule: rule{Unused: width - states, Zones: c.Zones, Empty: empty}, Width: width,
		Costs: [][]float64{make([]float64, width)},
	}
	e.Unit, e.Whole = unitOf(d, c)
	type class struct {
		problem, group int // problem is 0 unless orders differ
		weight         float64
	}
	codeOf := map[class]int32{}
	for number, p := range problems {
		codes := make([]int32, d.N())
		for i := range codes {
			w := d.weight(i)
			if p.Times != nil {
				w *= float64(p.Times[i])
			}
			if w == 0 {
				continue
			}
			at := class{0, d.Group[i], w}
			if p.Order != nil {
				at.problem = number
			}
			code, known := codeOf[at]
			if !known {
				code = int32(len(e.Costs))
				codeOf[at] = code
				e.Costs = append(e.Costs, e.costs(c, &p, d.Group[i], w))
			}
			codes[i] = code
		}
		e.Codes = append(e.Codes, codes)
	}
	return e
}

// costs returns the costs of an object in each state.
func (e *coding) costs(c *Costs, p *problem, group int, weight float64) []float64 {
	row := make([]float64, e.Width)
	for k := e.Rule.Unused; k < e.Width; k++ {
		s := k - e.Rule.Unused
		switch {
		case !e.Rule.group(k):
			row[k] = c.Uncertain
		case e.Rule.Zones:
			row[k] = c.of(group, p.group(s/2))
		default:
			row[k] = c.of(group, p.group(s))
		}
		if row[k] *= weight / e.Unit; e.Whole {
			row[k] = math.Round(row[k])
		}
	}
	return row
}

// unitOf returns the largest power of 10 of which all costs are multiples, or 1 and false if there is none
// between 1 and 1e-6.
func unitOf(d *Data, c *Costs) (unit float64, whole bool) {
	costs := []float64{c.Uncertain}
	for t := range d.Groups {
		for a := range d.Groups {
			costs = append(costs, c.of(t, a))
		}
	}
	places, found := decimals(costs)
	more, foundToo := decimals(d.Weights)
	if !found || !foundToo || places+more > maxDecimals {
		return 1, false
	}
	return math.Pow(10, -float64(places+more)), true
}

const maxDecimals = 6

// decimals returns how many decimal digits numbers have after the point, if they are at most maxDecimals.
func decimals(list []float64) (int, bool) {
	for places := range maxDecimals + 1 {
		scale := math.Pow(10, float64(places))
		if !slices.ContainsFunc(list, func(v float64) bool {
			return math.Abs(v*scale-math.Round(v*scale)) > 1e-9*max(1, math.Abs(v*scale))
		}) {
			return places, true
		}
	}
	return 0, false
}

// placement is the best boundaries for weights.
type placement struct {
	Cost float64
	Cuts []float64 // the value of F between each two states; a state that is left out has equal cuts
}

// place returns the best boundaries for values of F, on the host. It does what least does on the
// device, and also finds where the boundaries are: in the middle between neighbouring values. Of
// boundaries that are equally good it returns the lowest ones.
func (e *coding) place(f []float64, largest float64, codes []int32) *placement {
	order := orderOf(f, largest, codes)
	best := make([]float64, e.Width)
	for k := range best {
		best[k] = math.Inf(1)
		if k == e.Rule.Unused || k > e.Rule.Unused && e.Rule.Empty {
			best[k] = 0
		}
	}
	from := make([][]int8, len(order))
	for at, o := range order {
		from[at] = make([]int8, e.Width)
		cut := at > 0 && o.value-order[at-1].value > 1
		last := append([]float64(nil), best...)
		for k := range best {
			from[at][k] = int8(k)
			for d := k - 1; cut && d >= e.Rule.Unused; d-- {
				if e.Rule.follows(d, k) && last[d] < last[from[at][k]] {
					from[at][k] = int8(d)
				}
			}
			best[k] = last[from[at][k]] + e.Costs[codes[o.object]][k]
		}
	}
	end := e.Width - 1
	for k := range best {
		if e.Rule.Empty && best[k] < best[end] {
			end = k
		}
	}
	p := &placement{Cost: best[end], Cuts: make([]float64, e.Width-e.Rule.Unused-1)}
	if math.IsInf(p.Cost, 1) {
		return p
	}
	p.trace(e, f, order, from, end)
	return p
}

// trace follows the states from the last object to the first.
func (p *placement) trace(e *coding, f []float64, order []ranked, from [][]int8, end int) {
	margin := (f[order[len(order)-1].object]-f[order[0].object])/2 + 1
	fill := func(lo, hi int, v float64) { // the cuts between states lo and hi
		for k := lo; k < hi; k++ {
			p.Cuts[k-e.Rule.Unused] = v
		}
	}
	fill(end, e.Width-1, f[order[len(order)-1].object]+margin)
	state := end
	for at := len(order) - 1; at >= 0; at-- {
		if previous := int(from[at][state]); previous != state {
			fill(previous, state, middle(f[order[at-1].object], f[order[at].object]))
			state = previous
		}
	}
	fill(e.Rule.Unused, state, f[order[0].object]-margin)
}

// follows reports whether state k may follow the earlier state d.
func (r rule) follows(d, k int) bool {
	return r.Empty || d == k-1 || d == k-2 && r.Zones && r.group(k)
}
