package grid

import (
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MaxTop is the largest number of nodes that Options.Top can ask for.
const MaxTop = 10_000

// A pass over the grid finds the least value of each piece of pieceLen nodes. The k nodes with the
// least values are in the k pieces with the least ones, which are then evaluated again.
const (
	pieceLen = 1024
	topBlock = 1 << 24
)

// top returns the k nodes with the least values, or all whose values are finite.
func (s *search) top(k int) ([]Node, error) {
	pieces, err := s.topPieces(k)
	if err != nil {
		return nil, err
	}
	var positions []int
	for _, p := range pieces {
		first := p.Position / pieceLen * pieceLen
		for i := first; i < min(first+pieceLen, s.nodes); i++ {
			positions = append(positions, i)
		}
	}
	return s.leastOf(positions, k)
}

// topPieces returns the best nodes of the k pieces with the least values, and a node of the last piece if
// that is not complete.
func (s *search) topPieces(k int) ([]spot, error) {
	p := &s.state.Top
	full := s.nodes / pieceLen * pieceLen
	err := each(s, p, "top", topBlock, func(at, n int) func() ([]best, error) {
		n = min(n, full-at) / pieceLen * pieceLen
		if n <= 0 {
			return func() ([]best, error) { return nil, nil }
		}
		v, run := s.bests(at, n)
		least := minimum.Rows(matrix.Of(v, n/pieceLen, pieceLen/run))
		return func() ([]best, error) {
			defer least.Free()
			return least.Host()
		}
	}, func(at, _ int, found []best) error {
		for _, b := range found {
			if b.Lost < pieceLen {
				p.Found = append(p.Found, spot{at + int(b.Node), exact{b.Value}})
			}
		}
		slices.SortFunc(p.Found, compareSpots)
		p.Found = p.Found[:min(k, len(p.Found))]
		return nil
	})
	all := p.Found
	if full < s.nodes {
		all = append(all, spot{Position: full})
	}
	return all, err
}

// leastOf returns those of some nodes that have the k least values.
func (s *search) leastOf(positions []int, k int) ([]Node, error) {
	var least []spot
	const batch = 1 << 20
	for lo := 0; lo < len(positions); lo += batch {
		some := positions[lo:min(lo+batch, len(positions))]
		values, err := s.valuesAt(some)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if v-v == 0 {
				least = append(least, spot{some[i], exact{v}})
			}
		}
		slices.SortFunc(least, compareSpots)
		least = least[:min(k, len(least))]
	}
	return s.axes.nodes(least), nil
}

// valuesAt returns the values at some nodes.
func (s *search) valuesAt(positions []int) ([]float64, error) {
	if len(positions) == 0 {
		return nil, nil
	}
	at := vector.From(positions, vector.Single(s.where.Device()))
	defer at.Free()
	values := s.evaluate(s.from(0), at)
	defer values.Free()
	return values.Host()
}
