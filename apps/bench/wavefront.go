package bench

import (
	"fmt"
	"math"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// residues is how many letters the sequences have, as proteins do.
const residues = 20

// sequences are the letters of two rows of sequences, and what it is worth to
// have one in place of another.
type sequences struct {
	A, B   vector.View[byte]
	Scores vector.View[int32]
}

// What a gap costs, where every letter of it costs the same; and otherwise its
// first letter and each letter more.
const gap, opened, extended = 10, 11, 1

func residue(i, first int) byte { return byte(benchmark.Random(first+i) % residues) }

func scoresOf(_, i int, s sequences) int32  { return residues * int32(s.A.At(i)) }
func residueOf(_, j int, s sequences) int32 { return int32(s.B.At(j)) }

// best is the score of an alignment of the letters up to these: Needleman and
// Wunsch, J. Mol. Biol. 48 (1970).
func best(nw, n, w, r, c int32, s sequences) int32 {
	return max(max(nw+s.Scores.At(int(r+c)), w-gap), n-gap)
}

func bestBefore(_, i, j int, _ sequences) int32 { return int32(-gap * (i + j + 2)) }

// open is the best score with and without a gap that is Open: Gotoh, J. Mol.
// Biol. 162 (1982).
type open struct{ H, E, F int32 }

func bestOpen(nw, n, w open, r, c int32, s sequences) open {
	e := max(n.E-extended, n.H-opened)
	f := max(w.F-extended, w.H-opened)
	return open{max(max(nw.H+s.Scores.At(int(r+c)), f), e), e, f}
}

func bestOpenBefore(_, i, j int, _ sequences) open {
	const never = math.MinInt32 / 2
	switch {
	case i < 0 && j < 0:
		return open{0, never, never}
	case i < 0:
		h := int32(-opened - extended*j)
		return open{h, never, h}
	}
	h := int32(-opened - extended*i)
	return open{h, h, never}
}

// aligned are tables of scores: their skeleton, its functions, and the score of an
// element.
type aligned[C any] struct {
	skeleton *skel.WavefrontWith[C, sequences]
	cell     func(nw, n, w C, r, c int32, s sequences) C
	edge     func(t, i, j int, s sequences) C
	score    func(C) int32
}

var (
	letters = benchmark.NewSource(skel.NewMapWith(residue), residue)
	linear  = &aligned[int32]{skel.NewWavefrontOfWith(scoresOf, residueOf, best, bestBefore), best, bestBefore,
		func(h int32) int32 { return h }}
	affines = &aligned[open]{skel.NewWavefrontOfWith(scoresOf, residueOf, bestOpen, bestOpenBefore), bestOpen,
		bestOpenBefore, func(o open) int32 { return o.H }}
)

// wavefronts are the rows of Wavefront: scores of global alignments, with one
// table of n x n elements or with many of them, of which nothing is kept but the
// ends. What is asked is a rate: so many billion elements a second (GCUPS).
func wavefronts(s *benchmark.Suite) (rows []*benchmark.Row) {
	add := func(name string, tables, n int, goal float64, open func(s *benchmark.Suite, tables,
		n int) (*benchmark.Case, error)) {
		cells := float64(tables) * float64(n) * float64(n)
		r := &benchmark.Row{
			Name: name, Ops: cells, Memory: 40 * int64(tables) * int64(n),
			Open: func(s *benchmark.Suite) (*benchmark.Case, error) { return open(s, tables, n) },
		}
		if s.GPU() {
			r.MaxTime = time.Duration(cells / goal)
		}
		rows = append(rows, r)
	}
	for _, c := range []struct {
		n    int
		goal float64
	}{{2048, 5.5}, {16384, 120}, {65536, 400}, {262144, 600}} {
		n := s.Side(c.n)
		add(fmt.Sprintf("Wavefront/gap=linear/n=%d", n), 1, n, c.goal, linear.open)
	}
	for _, c := range []struct {
		gap  string
		goal float64
		open func(s *benchmark.Suite, tables, n int) (*benchmark.Case, error)
	}{{"linear", 711, linear.open}, {"affine", 500, affines.open}} {
		tables := max(2, s.Size(10_000))
		add(fmt.Sprintf("Wavefront/gap=%s/tables=%d/n=1000", c.gap, tables), tables, 1000, c.goal, c.open)
	}
	return rows
}

// open prepares count tables of n x n elements.
func (f *aligned[C]) open(s *benchmark.Suite, count, n int) (*benchmark.Case, error) {
	a, err := letters.Fill(s, count*n, 0)
	if err != nil {
		return nil, err
	}
	b, err := letters.Fill(s, count*n, benchmark.SecondInput)
	if err != nil {
		return nil, err
	}
	symmetric := make([]int32, residues*residues)
	for i := range residues {
		for j := range i {
			symmetric[residues*i+j] = int32(benchmark.Random(residues*i+j)%10) - 6
			symmetric[residues*j+i] = symmetric[residues*i+j]
		}
		symmetric[residues*i+i] = 4 + int32(benchmark.Random(i)%8)
	}
	scores := vector.From(symmetric, s.Distribution())
	tables := make([]skel.Table, count)
	for t := range tables {
		tables[t] = skel.Table{Row: t * n, Col: t * n, Rows: n, Cols: n}
	}
	call := func(a, b *vector.Vector[byte], ends func(bottom *vector.Vector[C]) error) error {
		bottom, right := f.skeleton.With(sequences{a.View(), b.View(), scores.View()}).Ends(tables)
		defer bottom.Free()
		defer right.Free()
		return ends(bottom)
	}
	return &benchmark.Case{
		Free: benchmark.Containers(a, b, scores),
		Call: func() error { return call(a, b, (*vector.Vector[C]).Err) },
		Check: func() error {
			want := make([]int32, min(count, 10))
			if n <= 4096 {
				for t := range want {
					if want[t], err = f.byHand(t, n, symmetric); err != nil {
						return err
					}
				}
			} else if err := call(b, a, func(bottom *vector.Vector[C]) error { // the sequences may change places
				last, err := bottom.At(n - 1)
				want[0] = f.score(last)
				return err
			}); err != nil {
				return err
			}
			return call(a, b, func(bottom *vector.Vector[C]) error {
				for t, want := range want {
					last, err := bottom.At(t*n + n - 1)
					if err != nil {
						return err
					}
					if got := f.score(last); got != want {
						return fmt.Errorf("table %d ends with %d, not %d", t, got, want)
					}
				}
				return nil
			})
		},
	}, nil
}

// byHand is the score of table t, one element after the other.
func (f *aligned[C]) byHand(t, n int, scores []int32) (int32, error) {
	processor, err := devices.Get("cpu")
	if err != nil {
		return 0, err
	}
	host := vector.Single(processor[0]) // there host code may look into views
	a, b := vector.From(lettersFrom(t*n, n, 0), host), vector.From(lettersFrom(t*n, n, benchmark.SecondInput), host)
	table := vector.From(scores, host)
	defer a.Free()
	defer b.Free()
	defer table.Free()
	x := sequences{a.View(), b.View(), table.View()}
	above := make([]C, n+1)
	for j := range above {
		above[j] = f.edge(t, -1, j-1, x)
	}
	for i := range n {
		nw := above[0]
		above[0] = f.edge(t, i, -1, x)
		for j := range n {
			nw, above[j+1] = above[j+1], f.cell(nw, above[j+1], above[j], scoresOf(t, i, x), residueOf(t, j, x), x)
		}
	}
	return f.score(above[n]), nil
}

// lettersFrom are n letters.
func lettersFrom(i, n, first int) []byte {
	list := make([]byte, n)
	for k := range list {
		list[k] = letters.At(i+k, first)
	}
	return list
}
