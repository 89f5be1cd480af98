package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// elementwise are the rows of Map and Zip.
func elementwise(s *session) []*Row {
	n := s.size(1 << 28)
	return []*Row{
		mapRow(s, "float32", 4, n, 2, float32s.random, float32s.square, squarePlus1[float32]),
		mapRow(s, "float64", 8, n, 2, float64s.random, float64s.square, squarePlus1[float64]),
		mapRow(s, "int32", 4, n, 2, int32s.random, int32s.square, squarePlus1[int32]),
		mapRow(s, "pair", 8, n, 4, pairs, squarePairs, squarePair),
		mapRow(s, "uint8", 1, s.size(1<<30), 2, octets, squareOctet, squarePlus1[uint8]),
		zipRow(s, "float32", 4, n, 1, float32s.random, float32s.times, mul[float32]),
		zipRow(s, "float64", 8, n, 1, float64s.random, float64s.times, mul[float64]),
		zipRow(s, "int32", 4, n, 1, int32s.random, int32s.times, mul[int32]),
		zipRow(s, "pair", 8, n, 2, pairs, timesPairs, mulPairs),
	}
}

// mapRow is Map of f, in size bytes and ops operations an element.
func mapRow[T comparable](s *session, name string, size int64, n int, ops float64, in source[T], m *skel.Map[T, T], f func(T) T) *Row {
	r := &Row{
		Name:  fmt.Sprintf("Map/type=%s/n=%d", name, n),
		Bytes: 2 * size * int64(n), Ops: ops * float64(n), Memory: 2 * size * int64(n),
	}
	goal := 0.98
	if size < 4 {
		goal = 0.9
	}
	r.Goals = s.goals(goal, "copy", r.Name, n)
	r.open = func(s *session) (*bout, error) {
		x, err := in.fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		out := m.Apply(x)
		b := &bout{
			free:  freeing(x, out),
			call:  func() error { return m.ApplyTo(out, x) },
			check: func() error { return compareElements(out, func(i int) T { return f(in.at(i, 0)) }) },
		}
		return s.withHand(b, "Map", x, nil, out.Wait())
	}
	return r
}

// zipRow is Zip with f.
func zipRow[T comparable](s *session, name string, size int64, n int, ops float64, in source[T], z *skel.Zip[T, T, T], f func(T, T) T) *Row {
	r := &Row{
		Name:  fmt.Sprintf("Zip/type=%s/n=%d", name, n),
		Bytes: 3 * size * int64(n), Ops: ops * float64(n), Memory: 3 * size * int64(n),
	}
	r.Goals = s.goals(0.98, "copy", r.Name, n)
	r.open = func(s *session) (*bout, error) {
		x, y, err := inputs(s, in, n)
		if err != nil {
			return nil, err
		}
		out := z.Apply(x, y)
		b := &bout{
			free:  freeing(x, y, out),
			call:  func() error { return z.ApplyTo(out, x, y) },
			check: func() error { return compareElements(out, func(i int) T { return f(in.at(i, 0), in.at(i, second)) }) },
		}
		return s.withHand(b, "Zip", x, y, out.Wait())
	}
	return r
}

// inputs are the two of a Zip.
func inputs[T any](s *session, in source[T], n int) (x, y *vector.Vector[T], err error) {
	if x, err = in.fill(s, n, 0); err != nil {
		return nil, nil, err
	}
	if y, err = in.fill(s, n, second); err != nil {
		x.Free()
		return nil, nil, err
	}
	return x, y, nil
}

// freeing lists what a bout frees.
func freeing(containers ...interface{ Free() }) []interface{ Free() } { return containers }

// goals are those of a row of n elements: on a GPU a share of a yardstick's
// speed, elsewhere, where n is large, of what is written by hand.
func (s *session) goals(ratio float64, yardstick, row string, n int) []Goal {
	if s.gpu() {
		return []Goal{{yardstick, ratio}}
	}
	if taskOf(row) == "" || n < s.size(1<<28) {
		return nil
	}
	if !s.device.Native() && (taskOf(row) == "Map" || taskOf(row) == "Zip" || taskOf(row) == "Dot") {
		return []Goal{{"hand", 0.95}}
	}
	return []Goal{{"hand", 0.9}}
}
