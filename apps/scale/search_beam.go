package scale

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// beam replaces the starts of each problem by Options.Beam searches. In each round it evaluates all
// weights on the grid that differ from those of a search in one place, and keeps the best different
// ones of all searches. It ends when some rounds in a row find nothing better.
func (e *evaluator) beam(ctx context.Context, o *Options, p *progress) error {
	g := newGridSearch(o, len(e.data.Features))
	pools := make([][]*state, len(e.problems))
	for _, s := range p.states {
		pools[s.problem] = append(pools[s.problem], s)
	}
	for p.idle < beamPatience {
		count, before := len(p.states), costsOf(pools)
		next, err := e.neighbours(ctx, g, p.states)
		if err != nil {
			return err
		}
		for i := range pools {
			pools[i] = keepBest(append(pools[i], next[i]...), o.Beam)
		}
		p.states = slices.Concat(pools...)
		e.report(o, p.states, count)
		if p.idle++; slices.Compare(costsOf(pools), before) != 0 {
			p.idle = 0
		}
		o.checkpoint.end(e, p, nil)
	}
	return nil
}

// beamPatience is the number of rounds without progress after which a beam search ends.
const beamPatience = 3

// costsOf returns the least cost of each problem.
func costsOf(pools [][]*state) (list []float64) {
	for _, pool := range pools {
		least := pool[0].cost
		for _, s := range pool {
			least = min(least, s.cost)
		}
		list = append(list, least)
	}
	return list
}

// neighbours returns, for each problem, the states that differ from those of a list in one weight.
func (e *evaluator) neighbours(ctx context.Context, g *gridSearch, list []*state) ([][]*state, error) {
	var weights [][]float64
	var problems []int32
	var moves []candidate
	for i, s := range list {
		weights, problems = append(weights, s.weights), append(problems, int32(s.problem))
		moves = appendMoves(moves, g, s, i)
	}
	costs, err := e.evaluate(ctx, nil, weights, problems, moves)
	next := make([][]*state, len(e.problems))
	for i, cost := range costs {
		from := list[moves[i].State]
		s := *from
		s.weights = slices.Clone(from.weights)
		s.set(moves[i], cost)
		s.best, s.bestCost = s.weights, cost
		next[s.problem] = append(next[s.problem], &s)
	}
	return next, err
}

// keepBest returns the n best different states: of equal costs those with the fewest features, then
// those with the smallest weights.
func keepBest(list []*state, n int) []*state {
	slices.SortStableFunc(list, compareStates)
	seen := map[string]bool{}
	var kept []*state
	for _, s := range list {
		if key := fmt.Sprint(s.best); !seen[key] && len(kept) < n {
			seen[key] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// compareStates compares searches by the best weights that they have found: of equal costs those of the
// fewest features come first, then the smallest.
func compareStates(a, b *state) int {
	usedA, sumA := size(a.best)
	usedB, sumB := size(b.best)
	return cmp.Or(cmp.Compare(a.bestCost, b.bestCost), cmp.Compare(usedA, usedB), cmp.Compare(sumA, sumB))
}
