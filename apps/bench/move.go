package bench

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// place returns element i of a random permutation of n numbers; n is a power of 2. Each step
// maps the numbers below n to each other one to one. The yardstick program has the same function.
func place(i, n int) int {
	mask := uint64(n - 1)
	x := (uint64(i)*0x9e3779b97f4a7c15 + 0x7f4a7c15) & mask
	x = (x ^ x>>13) * 0xbf58476d1ce4e5b9 & mask
	x = (x ^ x>>9) * 0x94d049bb133111eb & mask
	return int(x ^ x>>13)
}

var places = benchmark.NewSource(skel.NewMapWith(place), place)

func same(x float32) float32 { return x }

// copies computes pending elements.
var copies = skel.NewMap(same)

// mover moves the elements of x by the indices in at.
type mover func(out *vector.Vector[float32], at *vector.Vector[int], x *vector.Vector[float32]) error

func gather(out *vector.Vector[float32], at *vector.Vector[int], x *vector.Vector[float32]) error {
	return copies.ApplyTo(out, skel.Gather(x, at))
}

func permute(out *vector.Vector[float32], at *vector.Vector[int], x *vector.Vector[float32]) error {
	return skel.Permute(out, at, x)
}

func scatter(out *vector.Vector[float32], at *vector.Vector[int], x *vector.Vector[float32]) error {
	return skel.Scatter(out, at, x)
}

// moves returns the rows of Transpose, Gather, Permute, Scatter and Top. Scatter has no goal: it
// takes another pass to find the winners among equal indices.
func moves(s *benchmark.Suite) []*benchmark.Row {
	return []*benchmark.Row{
		transposeRow(s),
		moveRow(s, "Gather", "gather", s.GPUGoals("hand", 0.95), gather),
		moveRow(s, "Permute", "permute", s.GPUGoals("hand", 0.95), permute),
		moveRow(s, "Scatter", "permute", nil, scatter),
		topRow(s),
	}
}

// transposeRow returns the row that transposes a square matrix of 2^28 elements.
func transposeRow(s *benchmark.Suite) *benchmark.Row {
	n, side := s.Size(1<<28), 1
	for side*side < n {
		side *= 2
	}
	rows := n / side
	return &benchmark.Row{
		Name:  fmt.Sprintf("Transpose/type=float32/rows=%d/cols=%d", rows, side),
		Bytes: 8 * int64(n), Ops: float64(n), Memory: 8 * int64(n),
		Goals: s.GPUGoals("copy", 0.95),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := float32s.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			m := matrix.Of(x, rows, side)
			return &benchmark.Case{
				Free: benchmark.Containers(x),
				Call: func() error {
					out := skel.Transpose(m)
					defer out.Free()
					return out.Err()
				},
				Check: func() error {
					out := skel.Transpose(m)
					defer out.Free()
					return benchmark.CompareElements(out.Vector(), func(i int) float32 {
						return float32s.random.At(i%rows*side+i/rows, 0)
					})
				},
			}, nil
		},
	}
}

// moveRow returns the row that moves 2^26 elements by a random permutation.
func moveRow(s *benchmark.Suite, name, request string, goals []benchmark.Goal, move mover) *benchmark.Row {
	n := s.Size(1 << 26)
	return &benchmark.Row{
		Name:  fmt.Sprintf("%s/type=float32/n=%d", name, n),
		Bytes: 16 * int64(n), Ops: float64(n), Memory: 20 * int64(n),
		Goals:    goals,
		Requests: []benchmark.Request{{Yardstick: "hand", Text: fmt.Sprintf("%s float32 %d", request, n)}},
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := float32s.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			at, err := places.Fill(s, n, n)
			if err != nil {
				x.Free()
				return nil, err
			}
			out := copies.Apply(x)
			return &benchmark.Case{
				Free:  benchmark.Containers(x, at, out),
				Call:  func() error { return move(out, at, x) },
				Check: func() error { return cmp.Or(move(out, at, x), checkMoved(name, out, n)) },
			}, out.Wait()
		},
	}
}

// checkMoved compares the result of a row of moveRow with the host's.
func checkMoved(name string, out *vector.Vector[float32], n int) error {
	if name == "Gather" {
		return benchmark.CompareElements(out, func(i int) float32 { return float32s.random.At(place(i, n), 0) })
	}
	from := make([]int, n)
	for i := range n {
		from[place(i, n)] = i
	}
	return benchmark.CompareElements(out, func(i int) float32 { return float32s.random.At(from[i], 0) })
}

// topRow returns the row that finds the first 100 of 2^28 elements, in one pass over them.
func topRow(s *benchmark.Suite) *benchmark.Row {
	n := s.Size(1 << 28)
	k := min(100, n)
	return &benchmark.Row{
		Name:  fmt.Sprintf("Top/k=%d/type=float32/n=%d", k, n),
		Bytes: 4 * int64(n), Ops: float64(n), Memory: 4 * int64(n),
		Goals:    s.GPUGoals("cub", 0.9),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("reduce-sum float32 %d", n)}},
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := float32s.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			first := func() *vector.Vector[int] { return skel.Ascending[float32]().OrderTop(x, k) }
			return &benchmark.Case{
				Free: benchmark.Containers(x),
				Call: func() error {
					out := first()
					defer out.Free()
					return out.Err()
				},
				Check: func() error { return checkTop(first(), n, k) },
			}, nil
		},
	}
}

// checkTop selects again on the host, and frees got.
func checkTop(got *vector.Vector[int], n, k int) error {
	defer got.Free()
	at, err := got.Host()
	if err != nil {
		return err
	}
	order := func(i, j int) int {
		return cmp.Or(cmp.Compare(float32s.random.At(i, 0), float32s.random.At(j, 0)), i-j)
	}
	const parts = 64
	firsts := make([][]int, parts)
	benchmark.Concurrently(parts, func(p int) {
		var best []int
		full := false // best[k-1] is the last of k elements in order
		for i := n * p / parts; i < n*(p+1)/parts; i++ {
			if full && order(i, best[k-1]) > 0 {
				continue
			}
			if best = append(best, i); len(best) == 2*k {
				slices.SortFunc(best, order)
				best, full = best[:k], true
			}
		}
		firsts[p] = best
	})
	want := slices.Concat(firsts...)
	slices.SortFunc(want, order)
	if want = want[:k]; !slices.Equal(at, want) {
		return fmt.Errorf("the first %d elements are %v, not %v", k, at, want)
	}
	return nil
}
