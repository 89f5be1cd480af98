package scale

import (
	"math"
	"math/rand/v2"
)

// gridSearch searches weights on a grid: all values of one weight and, where none is better, all
// values of two weights at a time. A search that is stuck changes some weights at random and goes on,
// as often as Options.Kicks says.
type gridSearch struct {
	o      *Options
	values [][]float64 // of each weight
}

// maxPairMoves is the maximum number of candidates that differ in two weights in a round of a search.
// Of more pairs, random ones are tried.
const maxPairMoves = 1 << 13

func newGridSearch(o *Options, features int) *gridSearch {
	g := &gridSearch{o: o}
	for j := range features {
		g.values = append(g.values, o.grid(j))
	}
	return g
}

// moves implements method.
func (g *gridSearch) moves(list []candidate, s *state) []candidate {
	before := len(list)
	add := func(c candidate) {
		if s.used(c) <= g.o.MaxFeatures {
			list = append(list, c)
		}
	}
	if !s.pairs {
		for j, values := range g.values {
			for _, v := range values {
				if v != s.weights[j] {
					add(candidate{I: int32(j), J: -1, A: v})
				}
			}
		}
		return list
	}
	var pairs [][2]int
	for j := range g.values {
		for l := range j {
			pairs = append(pairs, [2]int{l, j})
		}
	}
	rand.New(s.random).Shuffle(len(pairs), func(a, b int) { pairs[a], pairs[b] = pairs[b], pairs[a] })
	for _, p := range pairs {
		if len(list)-before >= maxPairMoves {
			break
		}
		for _, a := range g.values[p[0]] {
			for _, b := range g.values[p[1]] {
				if a != s.weights[p[0]] && b != s.weights[p[1]] {
					add(candidate{I: int32(p[0]), J: int32(p[1]), A: a, B: b})
				}
			}
		}
	}
	if len(list) == before { // there is only one feature
		list = append(list, candidate{I: -1, J: -1})
	}
	return list
}

// choose implements method.
func (g *gridSearch) choose(s *state, moves []candidate, costs []float64) {
	least, at := s.cost, -1
	for i, c := range costs {
		if c < least {
			least, at = c, i
		}
	}
	switch {
	case at >= 0:
		s.set(moves[at], least)
		s.pairs = false
	case !s.pairs && math.Inf(1) != s.cost:
		s.pairs = true
	case s.kicks > 0:
		g.kick(s)
	default:
		s.done = true
	}
}

// kick goes back to the best weights of the search and changes some of them at random.
func (g *gridSearch) kick(s *state) {
	s.kicks--
	s.pairs = false
	copy(s.weights, s.best)
	r := rand.New(s.random)
	for range 1 + min(3, len(s.weights)/3) {
		j := r.IntN(len(s.weights))
		v := g.values[j][r.IntN(len(g.values[j]))]
		if c := (candidate{I: int32(j), J: -1, A: v}); s.used(c) <= g.o.MaxFeatures {
			s.weights[j] = v
		}
	}
	s.cost = math.Inf(1) // it is found in the next round
}

// memory implements method.
func (g *gridSearch) memory() int {
	sum, most, second := 0, 0, 0
	for _, values := range g.values {
		n := len(values)
		sum += n
		most, second = max(most, n), max(second, min(most, n))
	}
	return max(sum, min(sum*sum, maxPairMoves+most*second)) * candidateMemory
}
