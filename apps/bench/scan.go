package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// scans returns the rows of Scan.
func scans(s *benchmark.Suite) (rows []*benchmark.Row) {
	for _, n := range lengths(s) {
		rows = append(rows, scanRows(s, float32s, n)...)
	}
	for _, n := range lengths(s) {
		rows = append(rows, scanRows(s, float64s, n)...)
	}
	for _, n := range lengths(s) {
		rows = append(rows, scanRows(s, int32s, n)...)
	}
	return append(rows, scanPairs(s, "float32", 8, compose8, 0x1p-23), scanPairs(s, "float64", 16, compose16, 0x1p-52))
}

// scanRows returns the rows that scan n elements of one type.
func scanRows[T number](s *benchmark.Suite, k *kind[T], n int) (rows []*benchmark.Row) {
	ops := []struct {
		name string
		scan *skel.Scan[T]
		m    monoid[int64]
		same func(got T, want int64, i int) bool
	}{
		{"sum", k.sums, addition, k.sameSum},
		{"max", k.largests, maximum, func(got T, want int64, _ int) bool { return k.sameValue(got, want) }},
	}
	for _, op := range ops {
		for _, exclusive := range []bool{false, true} {
			r := &benchmark.Row{
				Name:  fmt.Sprintf("Scan/op=%s/form=%s/type=%s/n=%d", op.name, form(exclusive), k.name, n),
				Bytes: 2 * k.size * int64(n), Ops: float64(n), Memory: 2 * k.size * int64(n),
				Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("scan-%s-%s %s %d", op.name,
					form(exclusive), k.name, n)}},
				Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
					b, x, out, err := scanCase(s, k.random, op.scan, exclusive, n)
					if err != nil {
						return nil, err
					}
					b.Check = func() error { return checkScan(out, exclusive, op.m, k.ticks, op.same) }
					if op.name == "sum" && !exclusive {
						return withHand(s, b, "Scan", x, nil, nil)
					}
					return b, nil
				},
			}
			r.Goals = goals(s, 1, "cub", r.Name, n)
			rows = append(rows, r)
		}
	}
	return rows
}

func form(exclusive bool) string {
	if exclusive {
		return "exclusive"
	}
	return "inclusive"
}

// scanCase returns a case that scans n random elements, with the input and the output.
func scanCase[T any](
	s *benchmark.Suite, in benchmark.Source[T], scan *skel.Scan[T], exclusive bool, n int,
) (*benchmark.Case, *vector.Vector[T], *vector.Vector[T], error) {
	x, err := in.Fill(s, n, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	first, again := scan.Inclusive, scan.InclusiveTo
	if exclusive {
		first, again = scan.Exclusive, scan.ExclusiveTo
	}
	out := first(x)
	b := &benchmark.Case{Call: func() error { return again(out, x) }, Free: benchmark.Containers(x, out)}
	return b, x, out, out.Wait()
}

// scanPairs returns a row that scans by an operator that is not commutative.
func scanPairs[T float32 | float64](
	s *benchmark.Suite, name string, size int64, c *composition[T], epsilon float64,
) *benchmark.Row {
	n := s.Size(1 << 28)
	return &benchmark.Row{
		Name:  fmt.Sprintf("Scan/op=compose/form=inclusive/type=2x%s/n=%d", name, n),
		Bytes: 2 * size * int64(n), Ops: 3 * float64(n), Memory: 2 * size * int64(n),
		Goals: s.GPUGoals("copy", 0.85),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			b, _, out, err := scanCase(s, c.random, c.prefixes, false, n)
			if err != nil {
				return nil, err
			}
			b.Check = func() error { return checkScan(out, false, composition64, affineAt, sameAffine[T](epsilon)) }
			return b, nil
		},
	}
}
