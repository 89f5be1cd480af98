package scale

import (
	"context"
	"math/rand/v2"
	"slices"
)

// state is one search: one start for one problem. All searches advance together: in each round every
// search names candidates, the candidates of all searches are evaluated in one batch, and every
// search chooses among its own.
type state struct {
	problem int
	start   int
	weights []float64
	cost    float64
	done    bool
	path    []Step

	line     *line // of the exact search
	random   *rand.PCG
	feature  int  // the one that is searched along
	idle     int  // the number of features in a row without progress
	pairs    bool // on a grid: the neighbours are those that differ in two weights
	kicks    int  // that are left
	best     []float64
	bestCost float64

	learned *learned // of a line whose gaps are not yet found again
	before  *saved   // the search before a round that has not ended, for a checkpoint
}

// progress is how far all searches of a call of findAll have come.
type progress struct {
	states  []*state
	beaming bool // they are those of a beam
	idle    int  // the number of rounds in a row in which the beam found nothing better
}

// Step is a step of the search along one weight.
type Step struct {
	Feature string  `json:"feature"`
	Weight  float64 `json:"weight"`
	Cost    float64 `json:"cost"` // after the step
}

// method is a way of searching.
type method interface {
	// moves appends the candidates of a search for this round to list. If there are none, it has ended.
	moves(list []candidate, s *state) []candidate
	// choose changes the state according to the costs of the candidates.
	choose(s *state, moves []candidate, costs []float64)
	// memory returns about how many bytes one search takes on the host at most.
	memory() int
}

// search runs some of the searches to their ends. The starts must be evaluated.
func (e *evaluator) search(ctx context.Context, o *Options, m method, p *progress, states []*state) error {
	var all []candidate // reused in each round, like costs, because they take many MB
	var costs []float64
	for {
		var active []*state
		var weights [][]float64
		var problems []int32
		for _, s := range states {
			if !s.done {
				active = append(active, s)
				weights, problems = append(weights, s.weights), append(problems, int32(s.problem))
			}
		}
		if len(active) == 0 {
			return nil
		}
		o.checkpoint.begin(active)
		if x, ok := m.(preparer); ok {
			if err := x.prepare(ctx, active); err != nil {
				return err
			}
		}
		all = all[:0]
		ends := make([]int, len(active))
		for i, s := range active {
			all = appendMoves(all, m, s, i)
			ends[i] = len(all)
		}
		var err error
		if costs, err = e.evaluate(ctx, costs[:0], weights, problems, all); err != nil {
			return err
		}
		from := 0
		for i, s := range active {
			if ends[i] == from {
				s.done = true
				continue
			}
			m.choose(s, all[from:ends[i]], costs[from:ends[i]])
			from = ends[i]
		}
		e.report(o, states, len(active))
		o.checkpoint.end(e, p, active)
	}
}

// appendMoves appends the candidates of search i.
func appendMoves(list []candidate, m method, s *state, i int) []candidate {
	before := len(list)
	list = m.moves(list, s)
	for k := before; k < len(list); k++ {
		list[k].State = int32(i)
	}
	return list
}

// candidateMemory is the memory of a candidate and of its cost on the host, twice because lists grow.
const candidateMemory = 2 * (32 + 8)

// preparer is a method that computes something for all searches before they name candidates.
type preparer interface {
	prepare(ctx context.Context, active []*state) error
}

// evaluate appends the costs of candidates to costs.
func (e *evaluator) evaluate(
	ctx context.Context, costs []float64, weights [][]float64, problems []int32, list []candidate,
) ([]float64, error) {
	if len(list) == 0 {
		return costs, nil
	}
	set := e.upload(weights, problems)
	defer set.free()
	return e.run(ctx, costs, set, list)
}

// first evaluates the starts.
func (e *evaluator) first(ctx context.Context, states []*state) error {
	var weights [][]float64
	var problems []int32
	var list []candidate
	for i, s := range states {
		weights, problems = append(weights, s.weights), append(problems, int32(s.problem))
		list = append(list, candidate{State: int32(i), I: -1, J: -1})
	}
	costs, err := e.evaluate(ctx, nil, weights, problems, list)
	for i, c := range costs {
		states[i].cost, states[i].bestCost = c, c
		states[i].best = slices.Clone(states[i].weights)
	}
	return err
}

// report calls the functions of the options that watch searches.
func (e *evaluator) report(o *Options, states []*state, active int) {
	best := slices.MinFunc(states, compareStates)
	if o.Progress != nil {
		o.Progress(e.evaluated, active, e.cost(best.bestCost))
	}
	if o.Found != nil && best.bestCost < e.found {
		e.found = best.bestCost
		if r, err := e.result(best); err == nil {
			o.Found(r)
		}
	}
}

// set changes the weights and the cost of a search.
func (s *state) set(c candidate, cost float64) {
	if c.I >= 0 {
		s.weights[c.I] = c.A
	}
	if c.J >= 0 {
		s.weights[c.J] = c.B
	}
	s.cost = cost
	if cost < s.bestCost {
		s.bestCost, s.best = cost, slices.Clone(s.weights)
	}
}

// used returns the number of weights that are not 0, if those of c are replaced.
func (s *state) used(c candidate) int {
	n := 0
	for j, w := range s.weights {
		switch int32(j) {
		case c.I:
			w = c.A
		case c.J:
			w = c.B
		}
		if w != 0 {
			n++
		}
	}
	return n
}

// starts returns the first states of the searches for a problem. Its random numbers follow from its number.
func (o *Options) starts(problem, number, features int) []*state {
	var list []*state
	for start := range o.Starts {
		s := &state{
			problem: problem, start: start, kicks: o.Kicks,
			random: rand.NewPCG(o.Seed, uint64(number)<<32|uint64(start)),
		}
		if start == 0 {
			s.weights = o.firstStart(features)
		} else {
			s.weights = o.randomStart(rand.New(s.random), features)
		}
		list = append(list, s)
	}
	return list
}

// firstStart returns the weights of the first start.
func (o *Options) firstStart(features int) []float64 {
	w := make([]float64, features)
	left := o.MaxFeatures
	for j := range w {
		switch {
		case o.Start != nil:
			w[j] = o.Start[j]
		case left > 0:
			w[j] = min(max(1, o.Bounds[j].Low), o.Bounds[j].High)
		}
		if w[j] != 0 {
			left--
		}
	}
	return w
}

// randomStart returns random weights on the grid.
func (o *Options) randomStart(r *rand.Rand, features int) []float64 {
	w := make([]float64, features)
	for _, j := range r.Perm(features)[:o.MaxFeatures] {
		values := o.grid(j)
		w[j] = values[r.IntN(len(values))]
	}
	return w
}
