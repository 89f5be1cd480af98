package nw

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
)

// benchRows returns the rows of complete alignments as skelgo nw computes them. The time of a
// call includes the transfers of letters and paths and the construction of the paths.
func benchRows(s *benchmark.Suite) (rows []*benchmark.Row) {
	add := func(what, gap string, open, extend, pairs, n int, path bool, goal float64) {
		cells := float64(pairs) * float64(n) * float64(n)
		name := fmt.Sprintf("Alignment/%s/gap=%s/n=%d", what, gap, n)
		if pairs > 1 {
			name = fmt.Sprintf("Alignment/%s/gap=%s/pairs=%d/n=%d", what, gap, pairs, n)
		}
		r := &benchmark.Row{
			Name: name, Ops: cells, Memory: 8 << 30,
			Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
				return benchCase(s, open, extend, pairs, n, path)
			},
		}
		if s.GPU() && goal > 0 {
			r.MaxTime = time.Duration(cells / goal)
		} else {
			r.Memory = 1 << 30
		}
		rows = append(rows, r)
	}
	for _, c := range []struct {
		n           int
		score, path float64
	}{{2048, 5.5, 0}, {16384, 120, 0}, {65536, 400, 150}} {
		add("score", "linear", 10, 10, 1, s.Side(c.n), false, c.score)
		add("path", "linear", 10, 10, 1, s.Side(c.n), true, c.path)
		add("path", "affine", 11, 1, 1, s.Side(c.n), true, c.path)
	}
	pairs := max(2, s.Size(10_000))
	add("score", "linear", 10, 10, pairs, 1000, false, 711)
	add("score", "affine", 11, 1, pairs, 1000, false, 500)
	add("path", "linear", 10, 10, pairs, 1000, true, 187)
	add("path", "affine", 11, 1, pairs, 1000, true, 187)
	return rows
}

// benchCase prepares count pairs of n letters. Its check computes the score of each
// alignment again.
func benchCase(s *benchmark.Suite, open, extend, count, n int, path bool) (*benchmark.Case, error) {
	matrix, err := subst.Lookup("BLOSUM62")
	if err != nil {
		return nil, err
	}
	pairs := make([]seq.Pair, count)
	record := func(from, first int) *seq.Record {
		r := &seq.Record{Name: fmt.Sprintf("%d at %d", first, from), Letters: lettersFrom(from, n, first)}
		for i, c := range r.Letters {
			r.Letters[i] = matrix.Letters()[c]
		}
		return r
	}
	for i := range pairs {
		pairs[i] = seq.Pair{A: record(i*n, 0), B: record(i*n, benchmark.SecondInput)}
	}
	o := Options{
		Scoring: align.Scoring{Matrix: matrix, Open: open, Extend: extend, Mode: align.Global},
		Path:    path, Devices: []*devices.Device{s.Device},
	}
	call := func(visit func(*align.Alignment) error) error {
		return Align(context.Background(), pairs, o, visit)
	}
	return &benchmark.Case{
		Call: func() error { return call(func(*align.Alignment) error { return nil }) },
		Check: func() error {
			if path {
				return call(func(a *align.Alignment) error {
					score, err := a.Rescore(o.Scoring)
					if err == nil && score != a.Score {
						err = fmt.Errorf("the path of %s has the score %d, not %d", a.A.Name, score, a.Score)
					}
					return err
				})
			}
			var sum int64
			if err := call(func(a *align.Alignment) error { sum += a.Score; return nil }); err != nil {
				return err
			}
			for i, p := range pairs { // B with A has the same score
				pairs[i] = seq.Pair{A: p.B, B: p.A}
			}
			err := call(func(a *align.Alignment) error { sum -= a.Score; return nil })
			if err == nil && sum != 0 {
				err = errors.New("exchanging the sequences changes the scores")
			}
			return err
		},
	}, nil
}

// residues is the number of different letters in proteins.
const residues = 20

// lettersFrom returns n random letters.
func lettersFrom(i, n, first int) []byte {
	list := make([]byte, n)
	for k := range list {
		list[k] = byte(benchmark.Random(first+i+k) % residues)
	}
	return list
}
