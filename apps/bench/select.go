package bench

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func positive(x float32) bool      { return x > 0 }
func sameSign(a, b float32) bool   { return (a > 0) == (b > 0) }
func sameNumber(a, b float32) bool { return a == b }

var (
	positives = skel.NewFilter(positive)
	signs     = skel.NewUnique(sameSign)
	numbers   = skel.NewUnique(sameNumber)
)

// selections returns the rows of Filter, Partition, Unique and Runs.
func selections(s *benchmark.Suite) (rows []*benchmark.Row) {
	for _, n := range lengths(s) {
		rows = append(rows,
			selectRow(s, "Filter", "select-if", n, 6, func(x *vector.Vector[float32]) []*vector.Vector[float32] {
				return []*vector.Vector[float32]{positives.Apply(x)}
			}, func(x []float32) [][]float32 { return [][]float32{handKeep(x)} }),
			selectRow(s, "Partition", "partition-if", n, 8, func(x *vector.Vector[float32]) []*vector.Vector[float32] {
				kept, rest := positives.Partition(x)
				return []*vector.Vector[float32]{kept, rest}
			}, func(x []float32) [][]float32 {
				return [][]float32{handKeep(x), slices.DeleteFunc(slices.Clone(x), positive)}
			}),
			selectRow(s, "Unique", "unique", n, 8, func(x *vector.Vector[float32]) []*vector.Vector[float32] {
				return []*vector.Vector[float32]{numbers.Apply(x)}
			}, func(x []float32) [][]float32 { return [][]float32{slices.CompactFunc(slices.Clone(x), sameNumber)} }),
			runsRow(s, n))
	}
	return rows
}

// handKeep keeps the positive elements.
func handKeep(x []float32) []float32 {
	return slices.DeleteFunc(slices.Clone(x), func(v float32) bool { return !positive(v) })
}

// selectRow returns the row of a selection from n elements, which moves perElement bytes
// for each of them.
func selectRow(
	s *benchmark.Suite, name, request string, n int, perElement int64,
	call func(x *vector.Vector[float32]) []*vector.Vector[float32], want func(x []float32) [][]float32,
) *benchmark.Row {
	r := &benchmark.Row{
		Name:  fmt.Sprintf("%s/type=float32/n=%d", name, n),
		Bytes: perElement * int64(n), Ops: float64(n), Memory: 12 * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("%s float32 %d", request, n)}},
	}
	r.Goals = goals(s, 0.95, "cub", r.Name, n)
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, err := float32s.random.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		b := &benchmark.Case{
			Free: benchmark.Containers(x),
			Call: func() (err error) {
				for _, out := range call(x) {
					if e := out.Err(); err == nil {
						err = e
					}
					out.Free()
				}
				return err
			},
			Check: func() error {
				in, err := x.Host()
				if err != nil {
					return err
				}
				for k, out := range call(x) {
					got, err := out.Host()
					if err == nil && !slices.Equal(got, want(in)[k]) {
						err = fmt.Errorf("%s: result %d has %d elements and differs from plain Go", r.Name, k, len(got))
					}
					if err != nil {
						return err
					}
				}
				return nil
			},
		}
		return withHand(s, b, name, x, nil, nil)
	}
	return r
}

// runsRow returns the row of Runs of elements with the same sign, two of them on average.
func runsRow(s *benchmark.Suite, n int) *benchmark.Row {
	r := &benchmark.Row{
		Name:  fmt.Sprintf("Runs/type=float32/n=%d", n),
		Bytes: 10 * int64(n), Ops: float64(n), Memory: 16 * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("runs float32 %d", n)}},
	}
	r.Goals = goals(s, 0.8, "cub", r.Name, n)
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, err := float32s.random.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		return &benchmark.Case{
			Free: benchmark.Containers(x),
			Call: func() error {
				values, counts := signs.Runs(x)
				err := values.Err()
				values.Free()
				counts.Free()
				return err
			},
			Check: func() error {
				values, counts := signs.Runs(x)
				got, err := counts.Host()
				if err != nil {
					return err
				}
				sum := 0
				for _, c := range got {
					sum += c
				}
				firsts, err := values.Host()
				differ := slices.CompactFunc(slices.Clone(firsts), sameSign)
				if err == nil && (sum != n || len(firsts) != len(got) || len(differ) != len(got)) {
					err = fmt.Errorf("%s: %d runs of %d elements in all", r.Name, len(got), sum)
				}
				return err
			},
		}, nil
	}
	return r
}
