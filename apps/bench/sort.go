package bench

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// sorts returns the rows of Sort. A sort by radix reads its keys once for each byte and once more.
func sorts(s *benchmark.Suite) (rows []*benchmark.Row) {
	for _, log2 := range []int{20, 24, 28} {
		n := s.Size(1 << log2)
		rows = append(rows, sortRow(s, int32s, n), sortPairsRow(s, n), sortRow(s, float64s, n))
	}
	return rows
}

// sortRow returns the row that sorts n numbers.
func sortRow[T number](s *benchmark.Suite, k *kind[T], n int) *benchmark.Row {
	return &benchmark.Row{
		Name:  fmt.Sprintf("Sort/type=%s/n=%d", k.name, n),
		Bytes: (2*k.size + 1) * k.size * int64(n), Ops: float64(n), Memory: 3 * k.size * int64(n),
		Goals:    sortGoals(s, n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("sort %s %d", k.name, n)}},
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := k.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			ascending := skel.Ascending[T]()
			out := ascending.Apply(x)
			return &benchmark.Case{
				Free:       benchmark.Containers(x, out),
				Call:       func() error { return ascending.ApplyTo(out, x) },
				Check:      func() error { return checkSorted(out, k.random) },
				Yardsticks: goSort(s, x),
			}, out.Wait()
		},
	}
}

// sortGoals returns the goals of a sort of n numbers by radix: on a GPU relative to CUB, and on a CPU, for
// many numbers, relative to goSort.
func sortGoals(s *benchmark.Suite, n int) []benchmark.Goal {
	if !s.GPU() && n >= 1<<24 {
		return []benchmark.Goal{{Yardstick: goSortName, Ratio: 6}}
	}
	return s.GPUGoals("cub", 0.9)
}

const goSortName = "slices.Sort"

// goSort returns the yardstick of a sort of x on a CPU: slices.Sort on one core, without the time to
// copy x.
func goSort[T number](s *benchmark.Suite, x *vector.Vector[T]) []benchmark.Yardstick {
	if s.GPU() {
		return nil
	}
	return []benchmark.Yardstick{{Name: goSortName, Sample: func() (time.Duration, error) {
		given, err := x.Host()
		if err != nil {
			return 0, err
		}
		numbers := slices.Clone(given) // on the CPU device, given is the memory of x
		start := time.Now()
		slices.Sort(numbers)
		return time.Since(start), nil
	}}}
}

// sortPairsRow returns the row that sorts n keys with values.
func sortPairsRow(s *benchmark.Suite, n int) *benchmark.Row {
	return &benchmark.Row{
		Name:  fmt.Sprintf("SortPairs/type=int32/n=%d", n),
		Bytes: (2*8*4 + 4) * int64(n), Ops: float64(n), Memory: 6 * 4 * int64(n),
		Goals:    s.GPUGoals("cub", 0.9),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("sort-pairs int32 %d", n)}},
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := int32s.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			y, err := int32s.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			call := func() (*vector.Vector[int32], *vector.Vector[int32]) {
				return skel.SortPairs(skel.Ascending[int32](), x, y)
			}
			return &benchmark.Case{
				Free: benchmark.Containers(x, y),
				Call: func() error {
					keys, values := call()
					defer keys.Free()
					defer values.Free()
					return keys.Err()
				},
				Check: func() error { // every value equals its key
					keys, values := call()
					defer keys.Free()
					defer values.Free()
					if err := checkSorted(keys, int32s.random); err != nil {
						return err
					}
					return checkSorted(values, int32s.random)
				},
			}, nil
		},
	}
}

// checkSorted checks that out is in order, and that some of its elements have the rank among the
// elements of in that their index says.
func checkSorted[T number](out *vector.Vector[T], in benchmark.Source[T]) error {
	n := out.Len()
	ranked := 0
	return benchmark.EachPiece(out, func(lo int, got []T) error {
		for i := 1; i < len(got); i++ {
			if got[i] < got[i-1] {
				return fmt.Errorf("element %d, %v, is less than the one before, %v", lo+i, got[i], got[i-1])
			}
		}
		if ranked++; ranked > 3 || len(got) == 0 {
			return nil
		}
		var less, equal atomic.Int64
		const parts = 64
		benchmark.Concurrently(parts, func(p int) {
			var l, e int64
			for i := n * p / parts; i < n*(p+1)/parts; i++ {
				switch x := in.At(i, 0); {
				case x < got[0]:
					l++
				case x == got[0]:
					e++
				}
			}
			less.Add(l)
			equal.Add(e)
		})
		if at := int64(lo); at < less.Load() || at >= less.Load()+equal.Load() {
			return fmt.Errorf("element %d is %v, of which the input has %d after %d lesser ones", lo, got[0],
				equal.Load(), less.Load())
		}
		return nil
	})
}
