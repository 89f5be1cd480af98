package grid

import (
	"cmp"
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

// piece is the least value of a piece.
type piece struct {
	first int // position of the piece
	Node
}

// compareNodes compares nodes by value, and nodes of the same value by position.
func compareNodes(a, b Node) int {
	return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Position, b.Position))
}

// top returns the k nodes with the least values, or all whose values are finite.
func (s *search) top(k int) ([]Node, error) {
	pieces, err := s.topPieces(k)
	if err != nil {
		return nil, err
	}
	var positions []int
	for _, p := range pieces {
		for i := p.first; i < min(p.first+pieceLen, s.nodes); i++ {
			positions = append(positions, i)
		}
	}
	return s.leastOf(positions, k)
}

// topPieces returns the k pieces with the least values, and the last nodes of the grid if they are
// no complete piece.
func (s *search) topPieces(k int) ([]piece, error) {
	var all []piece
	full := s.nodes / pieceLen * pieceLen
	err := each(s, "top", topBlock, func(at, n int) func() ([]best, error) {
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
		for i, b := range found {
			if b.Lost < pieceLen {
				first := at + i*pieceLen
				all = append(all, piece{first, Node{Position: at + int(b.Node), Value: b.Value}})
			}
		}
		slices.SortFunc(all, func(a, b piece) int { return compareNodes(a.Node, b.Node) })
		all = all[:min(k, len(all))]
		return nil
	})
	if full < s.nodes {
		all = append(all, piece{first: full})
	}
	return all, err
}

// leastOf returns those of some nodes that have the k least values.
func (s *search) leastOf(positions []int, k int) (nodes []Node, err error) {
	const batch = 1 << 20
	for lo := 0; lo < len(positions); lo += batch {
		some := positions[lo:min(lo+batch, len(positions))]
		values, err := s.valuesAt(some)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if v-v == 0 {
				nodes = append(nodes, Node{Position: some[i], Value: v})
			}
		}
		slices.SortFunc(nodes, compareNodes)
		nodes = nodes[:min(k, len(nodes))]
	}
	for i := range nodes {
		nodes[i].Argument = s.axes.Argument(nodes[i].Position)
	}
	return nodes, nil
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
