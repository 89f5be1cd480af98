package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
)

// elementwise returns the rows of Map and Zip.
func elementwise(s *benchmark.Suite) []*benchmark.Row {
	n := s.Size(1 << 28)
	return []*benchmark.Row{
		mapRow(s, "float32", 4, n, 2, float32s.random, float32s.square, squarePlus1[float32]),
		mapRow(s, "float64", 8, n, 2, float64s.random, float64s.square, squarePlus1[float64]),
		mapRow(s, "int32", 4, n, 2, int32s.random, int32s.square, squarePlus1[int32]),
		mapRow(s, "pair", 8, n, 4, pairs, squarePairs, squarePair),
		mapRow(s, "uint8", 1, s.Size(1<<30), 2, octets, squareOctet, squarePlus1[uint8]),
		zipRow(s, "float32", 4, n, 1, float32s.random, float32s.times, mul[float32]),
		zipRow(s, "float64", 8, n, 1, float64s.random, float64s.times, mul[float64]),
		zipRow(s, "int32", 4, n, 1, int32s.random, int32s.times, mul[int32]),
		zipRow(s, "pair", 8, n, 2, pairs, timesPairs, mulPairs),
	}
}

// mapRow returns the row of Map of f, with size bytes and ops operations per element.
func mapRow[T comparable](
	s *benchmark.Suite, name string, size int64, n int, ops float64, in benchmark.Source[T],
	m *skel.Map[T, T], f func(T) T,
) *benchmark.Row {
	r := &benchmark.Row{
		Name:  fmt.Sprintf("Map/type=%s/n=%d", name, n),
		Bytes: 2 * size * int64(n), Ops: ops * float64(n), Memory: 2 * size * int64(n),
	}
	goal := 0.98
	if size < 4 {
		goal = 0.9
	}
	r.Goals = goals(s, goal, "copy", r.Name, n)
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, err := in.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		out := m.Apply(x)
		b := &benchmark.Case{
			Free:  benchmark.Containers(x, out),
			Call:  func() error { return m.ApplyTo(out, x) },
			Check: func() error { return benchmark.CompareElements(out, func(i int) T { return f(in.At(i, 0)) }) },
		}
		return withHand(s, b, "Map", x, nil, out.Wait())
	}
	return r
}

// zipRow returns the row of Zip with f.
func zipRow[T comparable](
	s *benchmark.Suite, name string, size int64, n int, ops float64, in benchmark.Source[T],
	z *skel.Zip[T, T, T], f func(T, T) T,
) *benchmark.Row {
	r := &benchmark.Row{
		Name:  fmt.Sprintf("Zip/type=%s/n=%d", name, n),
		Bytes: 3 * size * int64(n), Ops: ops * float64(n), Memory: 3 * size * int64(n),
	}
	r.Goals = goals(s, 0.98, "copy", r.Name, n)
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, y, err := benchmark.Inputs(s, in, n)
		if err != nil {
			return nil, err
		}
		out := z.Apply(x, y)
		b := &benchmark.Case{
			Free: benchmark.Containers(x, y, out),
			Call: func() error { return z.ApplyTo(out, x, y) },
			Check: func() error {
				return benchmark.CompareElements(out,
					func(i int) T { return f(in.At(i, 0), in.At(i, benchmark.SecondInput)) })
			},
		}
		return withHand(s, b, "Zip", x, y, out.Wait())
	}
	return r
}

// goals returns the goals of a row of n elements: on a GPU a share of a yardstick's speed;
// elsewhere, if n is large, a share of the speed of the hand-written version.
func goals(s *benchmark.Suite, ratio float64, yardstick, row string, n int) []benchmark.Goal {
	if s.GPU() {
		return []benchmark.Goal{{Yardstick: yardstick, Ratio: ratio}}
	}
	if taskOf(row) == "" || n < s.Size(1<<28) {
		return nil
	}
	if !s.Device.Native() && (taskOf(row) == "Map" || taskOf(row) == "Zip" || taskOf(row) == "Dot") {
		return []benchmark.Goal{{Yardstick: "hand", Ratio: 0.95}}
	}
	return []benchmark.Goal{{Yardstick: "hand", Ratio: 0.9}}
}
