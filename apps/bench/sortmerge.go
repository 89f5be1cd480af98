package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// ranked is an element that is sorted by a comparison. N is its index.
type ranked struct {
	Rank uint32
	N    int32
	X    float64
}

func randomRanked(i, first int) ranked {
	return ranked{uint32(benchmark.Random(first+i) >> 32), int32(i), float64(i)}
}

func lowerRank(a, b ranked) bool { return a.Rank < b.Rank }

func ordinal(i, first int) int32 { return int32(first + i) }

var (
	rankeds  = benchmark.NewSource(skel.NewMapWith(randomRanked), randomRanked)
	ordinals = benchmark.NewSource(skel.NewMapWith(ordinal), ordinal)
	byRank   = skel.NewSort(lowerRank)
)

// mergeSorts returns the rows that sort by merging: structs by a comparison, and the rows of a matrix.
func mergeSorts(s *benchmark.Suite) []*benchmark.Row {
	const cols = 683
	n, rows := s.Size(1<<24), max(1, s.Size(21000))
	return []*benchmark.Row{{
		Name:  fmt.Sprintf("Sort/by=less/type=16 bytes/n=%d", n),
		Bytes: 32 * int64(n), Ops: float64(n), Memory: 48 * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("sort-struct float32 %d", n)}},
		Goals:    s.GPUGoals("cub", 0.9),
		Open:     func(s *benchmark.Suite) (*benchmark.Case, error) { return openRanked(s, n) },
	}, {
		Name:  fmt.Sprintf("SortPairsRows/type=float32/rows=%d/cols=%d", rows, cols),
		Bytes: 16 * int64(rows) * cols, Ops: float64(rows) * cols, Memory: 16 * int64(rows) * cols,
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("sort-rows-%d float32 %d", cols,
			rows*cols)}},
		Goals: s.GPUGoals("cub", 1),
		Open:  func(s *benchmark.Suite) (*benchmark.Case, error) { return openSortedRows(s, rows, cols) },
	}}
}

// openRanked returns the case that sorts n structs by a comparison.
func openRanked(s *benchmark.Suite, n int) (*benchmark.Case, error) {
	x, err := rankeds.Fill(s, n, 0)
	if err != nil {
		return nil, err
	}
	out := byRank.Apply(x)
	c := &benchmark.Case{Call: func() error { return byRank.ApplyTo(out, x) }, Free: benchmark.Containers(x, out)}
	c.Check = func() error {
		return benchmark.EachPiece(out, func(lo int, got []ranked) error {
			for i, e := range got {
				if e != randomRanked(int(e.N), 0) {
					return fmt.Errorf("element %d, %v, is not in the input", lo+i, e)
				}
				if i > 0 && (e.Rank < got[i-1].Rank || e.Rank == got[i-1].Rank && e.N <= got[i-1].N) {
					return fmt.Errorf("elements %d and %d, %v and %v, are not in order", lo+i-1, lo+i, got[i-1], e)
				}
			}
			return nil
		})
	}
	return c, out.Wait()
}

// openSortedRows returns the case that sorts rows of numbers with their indices as values.
func openSortedRows(s *benchmark.Suite, rows, cols int) (*benchmark.Case, error) {
	x, err := benchmark.Float32s.Fill(s, rows*cols, 0)
	if err != nil {
		return nil, err
	}
	y, err := ordinals.Fill(s, rows*cols, 0)
	if err != nil {
		x.Free()
		return nil, err
	}
	in, numbers := matrix.Of(x, rows, cols), matrix.Of(y, rows, cols)
	var keys *matrix.Matrix[float32]
	var values *matrix.Matrix[int32]
	c := &benchmark.Case{Free: benchmark.Containers(x, y)}
	c.Call = func() error {
		if keys != nil {
			keys.Free()
			values.Free()
		}
		keys, values = skel.SortPairsRows(skel.Ascending[float32](), in, numbers)
		return keys.Err()
	}
	c.Check = func() error { return checkSortedRows(keys.Vector(), values.Vector(), cols) }
	return c, c.Call()
}

// checkSortedRows compares rows of keys and indices with their definition.
func checkSortedRows(keys *vector.Vector[float32], values *vector.Vector[int32], cols int) error {
	k, err := keys.Host()
	if err != nil {
		return err
	}
	v, err := values.Host()
	if err != nil {
		return err
	}
	for i, x := range k {
		at := int(v[i])
		if at < 0 || at/cols != i/cols || x != benchmark.Float32s.At(at, 0) {
			return fmt.Errorf("element %d, %v with index %d, is not in its row of the input", i, x, at)
		}
		if i%cols > 0 && (x < k[i-1] || x == k[i-1] && v[i] <= v[i-1]) {
			return fmt.Errorf("elements %d and %d, %v and %v, are not in order", i-1, i, k[i-1], x)
		}
	}
	return nil
}
