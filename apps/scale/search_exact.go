package scale

import (
	"context"
	"math"
	"slices"

	"github.com/skelgo/skelgo/vector"
)

// exact searches along one weight after the other for the least cost of all intervals between
// crossings, until no weight lowers it. One crossing changes the least cost by no more than a bound, so
// that most intervals of a line need not be evaluated: those between two of known cost that could not
// be better than the best one.
type exact struct {
	o       *Options
	e       *evaluator
	couples *vector.Vector[couple]
	change  float64 // the largest change of the cost by a crossing
	least   float64 // costs that differ do so by at least this much
	group   float64 // the least cost of assigning all objects of some group wrongly
	rare    []*rare // of the problems; nil for those without a rare group
}

// line is the search along one weight.
type line struct {
	gaps   []gap
	costs  []float64 // of the gaps; NaN if unknown
	bounds []float64 // lower bounds of costs, NaN for gaps that were evaluated; nil without a rare group
	asked  []int     // the gaps that are the candidates of this round
}

// everyGap is the number of gaps up to which all of a line are evaluated at once.
const everyGap = 48

func newExact(o *Options, e *evaluator) (*exact, error) {
	if n := countCouples(e.data); n > maxCouples {
		return nil, inputErrorf("an exact search sorts the crossings of all couples of objects of different groups or "+
			"weights, and %d have %d; at most %d are possible; use --search descent or --integer", e.data.N(), n,
			maxCouples)
	}
	x := &exact{o: o, e: e, change: o.Costs.most(len(e.data.Groups)) / e.Unit}
	heaviest := 1.0
	if e.Whole {
		x.least = 1
	}
	for _, w := range e.data.Weights {
		heaviest = max(heaviest, w)
	}
	most := 1.0
	for _, p := range e.problems {
		for _, times := range p.Times {
			most = max(most, float64(times))
		}
	}
	x.change *= heaviest * most
	x.group = x.leastGroup()
	x.rare = make([]*rare, len(e.problems))
	for p := range x.rare {
		if !o.plain {
			x.rare[p] = newRare(e, p)
		}
	}
	x.couples = vector.From(couplesOf(e.data), vector.Copy(e.devices...))
	e.release = x.couples.Free
	return x, nil
}

// memory implements method. A gap, its cost and its bound have 40 bytes.
func (x *exact) memory() int { return 40 * (1 + x.couples.Len()) }

// prepare implements preparer. It finds the gaps of the lines that begin in this round.
func (x *exact) prepare(ctx context.Context, active []*state) error {
	var begin []*state
	var weights [][]float64
	var axes []axis
	for _, s := range active {
		if s.line != nil {
			continue
		}
		x.skip(s)
		b := x.o.Bounds[s.feature]
		begin, weights = append(begin, s), append(weights, s.weights)
		axes = append(axes, axis{int32(s.feature), int32(s.problem), b.Low, b.High})
	}
	lists, err := x.e.gaps(ctx, x.couples, weights, axes)
	for i, list := range lists {
		l := &line{gaps: list, costs: make([]float64, len(list))}
		for g := range l.costs {
			l.costs[g] = math.NaN()
		}
		s := begin[i]
		if r := x.rare[s.problem]; r != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.bounds = r.costs(x.e, s.weights, s.feature, x.o.Bounds[s.feature], list)
		}
		l.learn(s.learned)
		s.line, s.learned = l, nil
	}
	return err
}

// skip goes on to the next feature whose weight may change.
func (x *exact) skip(s *state) {
	used, _ := size(s.weights)
	for range s.weights {
		if s.weights[s.feature] != 0 || used < x.o.MaxFeatures {
			return
		}
		s.feature = (s.feature + 1) % len(s.weights)
		s.idle++
	}
}

// moves implements method.
func (x *exact) moves(list []candidate, s *state) []candidate {
	l := s.line
	if l.asked = l.ask(s.cost, x); len(l.asked) == 0 && !x.next(s) {
		return list
	}
	if s.line == nil { // another line begins in the next round
		return append(list, candidate{I: -1, J: -1})
	}
	for _, g := range l.asked {
		list = append(list, candidate{I: int32(s.feature), J: -1, A: l.gaps[g].roundest()})
	}
	return list
}

// choose implements method.
func (x *exact) choose(s *state, _ []candidate, costs []float64) {
	if s.line == nil {
		return
	}
	for i, g := range s.line.asked {
		s.line.know(g, costs[i])
	}
}

// know sets the cost of a gap that was evaluated.
func (l *line) know(g int, cost float64) {
	l.costs[g] = cost
	if l.bounds != nil {
		l.bounds[g] = math.NaN()
	}
}

// best returns the gap of the least known cost, of equal ones the widest, and its cost. If none costs
// less than a limit, it returns -1 and the limit.
func (l *line) best(limit float64) (best int, least float64) {
	best, least = -1, limit
	width := 0.0
	for g, c := range l.costs {
		w := l.gaps[g].high - l.gaps[g].low
		if c < least || c == least && best >= 0 && w > width {
			best, width, least = g, w, c
		}
	}
	return best, least
}

// next ends a line: it sets the weight to the best value, in the widest of the intervals that are
// equally good, and goes on to the next feature. It reports false if the search has ended.
func (x *exact) next(s *state) bool {
	best, least := s.line.best(s.cost)
	s.idle++
	if best >= 0 {
		v := s.line.gaps[best].roundest()
		s.set(candidate{I: int32(s.feature), J: -1, A: v}, least)
		s.path = append(s.path, Step{x.e.data.Features[s.feature], v, least})
		s.idle = 0
	}
	s.line = nil
	s.feature = (s.feature + 1) % len(s.weights)
	return s.idle < len(s.weights)
}

// ask returns the gaps to evaluate next, in ascending order. It is empty if no other gap can have a
// lower cost than the best known one. Where there are bounds, they take the place of the costs, and only
// the gap that is the best then is evaluated: if it costs more, ask goes on.
func (l *line) ask(best float64, x *exact) []int {
	for {
		list := l.unknown(best, x)
		if l.bounds == nil {
			return list
		}
		if len(list) == 0 {
			if g, _ := l.best(best); g >= 0 && l.guessed(g) {
				return []int{g}
			}
			return nil
		}
		l.guess(list)
	}
}

// unknown returns the gaps whose costs are needed next.
func (l *line) unknown(best float64, x *exact) (list []int) {
	n := len(l.gaps)
	if n == 0 {
		return nil
	}
	if math.IsNaN(l.costs[0]) {
		step := max(1, (n-1)/everyGap)
		for g := 0; g < n-1; g += step {
			list = append(list, g)
		}
		return append(list, n-1)
	}
	for _, c := range l.costs {
		if c < best {
			best = c
		}
	}
	from := 0
	for to := 1; to < n; to++ {
		if math.IsNaN(l.costs[to]) {
			continue
		}
		list = l.between(list, from, to, best, x)
		from = to
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// between adds the gaps to evaluate between two of known cost.
func (l *line) between(list []int, from, to int, best float64, x *exact) []int {
	if to-from < 2 || math.IsInf(l.costs[from], 1) || math.IsInf(l.costs[to], 1) {
		return list
	}
	// A gap whose cost is best-least or less is at least so many crossings away.
	first := l.gaps[from].after + x.crossings(l.costs[from], best)
	last := l.gaps[to].after - x.crossings(l.costs[to], best)
	lo, hi := from+1, to-1
	for lo <= hi && l.gaps[lo].after < first {
		lo++
	}
	for lo <= hi && l.gaps[hi].after > last {
		hi--
	}
	if lo > hi {
		return list
	}
	if hi-lo < 4 {
		for g := lo; g <= hi; g++ {
			list = append(list, g)
		}
		return list
	}
	return append(list, lo+(hi-lo)/4, lo+(hi-lo)/2, lo+3*(hi-lo)/4)
}

// crossings returns how many crossings there are at least between a gap of known cost and one whose
// cost is less than best.
//
// If groups may be left out, two objects that change places change the least cost by x.change at most:
// both can go to one of their two groups. If they may not, such a group may have no other object. But
// a scale whose cost is less than that of assigning a group wrongly does not leave it out, so up to
// this cost there is no difference, and beyond it the least cost with groups left out is not less.
func (x *exact) crossings(cost, best float64) int {
	if !x.o.Empty && best <= x.group {
		cost = min(cost, x.group)
	}
	return int(math.Ceil((cost-best+x.least)/x.change - 1e-9))
}

// leastGroup returns the least cost of assigning all objects of some group of a problem wrongly.
func (x *exact) leastGroup() float64 {
	d, least := x.e.data, math.Inf(1)
	for _, codes := range x.e.Codes {
		sums := make([]float64, len(d.Groups))
		for i, t := range d.Group {
			sums[t] += x.wrong(codes[i])
		}
		least = min(least, slices.Min(sums))
	}
	return least
}

// wrong returns the least cost of an object in a state that is not its cheapest one.
func (x *exact) wrong(code int32) float64 {
	if code == 0 {
		return 0
	}
	costs := slices.Sorted(slices.Values(x.e.Costs[code][x.e.Rule.Unused:]))
	return costs[1]
}
