package oracle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

func pair(a, b string) seq.Pair {
	return seq.Pair{A: &seq.Record{Name: "a", Letters: []byte(a)}, B: &seq.Record{Name: "b", Letters: []byte(b)}}
}

func named(t *testing.T, name string) *subst.Matrix {
	t.Helper()
	m, err := subst.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestKnown(t *testing.T) {
	blosum62 := named(t, "BLOSUM62")
	s := align.Scoring{Matrix: blosum62, Open: 3, Extend: 3, Mode: align.Global}
	p := pair("SYEDVV", "NYCDV") // the example of SkelCL's study of this application
	got := Align(p, s, Default)
	if got.Score != 11 || got.Path.String() != "1X1=1X1=1D1=" || Count(p, s).Int64() != 2 {
		t.Errorf("score %d, path %s, %d alignments", got.Score, got.Path, Count(p, s))
	}
	up := Align(p, s, [3]align.Op{align.Delete, align.Aligned, align.Insert})
	if up.Path.String() != "1X1=1X2=1D" {
		t.Errorf("with up first the path is %s", up.Path)
	}
	s.Open, s.Extend = 11, 1
	if got := Align(p, s, Default).Score; got != 3 {
		t.Errorf("affine score %d, want 3", got)
	}
	if got, want := Scores(pair("SY", "NYC"), align.Scoring{Matrix: blosum62, Open: 3, Extend: 3, Mode: align.Global}),
		[]int64{1, -2, -5, -2, 8, 5}; !slices.Equal(got, want) {
		t.Errorf("matrix %v, want %v", got, want)
	}
}

// enumerate visits the paths of all alignments of n letters with m, each from its last
// column to its first.
func enumerate(n, m int, columns []align.Op, visit func([]align.Op)) {
	if n == 0 && m == 0 {
		visit(columns)
	}
	for _, op := range Default {
		if i, j := back(op, n, m); i >= 0 && j >= 0 {
			enumerate(i, j, append(columns[:len(columns):len(columns)], op), visit)
		}
	}
}

// candidate is an alignment that was enumerated.
type candidate struct {
	*align.Alignment
	columns []align.Op // over all of both sequences, from the last to the first
}

// all returns every alignment that the mode allows.
func all(p seq.Pair, s align.Scoring) (found []candidate) {
	n, m := len(p.A.Letters), len(p.B.Letters)
	add := func(i, j, k, l int) {
		enumerate(k-i, l-j, nil, func(columns []align.Op) {
			a := &align.Alignment{A: p.A, B: p.B, Path: align.Cigar{}, StartA: i, EndA: k, StartB: j, EndB: l}
			for _, op := range slices.Backward(columns) {
				a.Path.Add(op, 1)
			}
			if s.Mode == align.SemiGlobal {
				a.Trim(s.Free)
			}
			found = append(found, candidate{a, columns})
		})
	}
	if s.Mode != align.Local {
		add(0, 0, n, m)
		return found
	}
	for i := range n + 1 {
		for k := i; k <= n; k++ {
			for j := range m + 1 {
				for l := j; l <= m; l++ {
					add(i, j, k, l)
				}
			}
		}
	}
	return found
}

// earlier reports whether a is chosen before b, which has the same score.
func earlier(a, b candidate, mode align.Mode, ties [3]align.Op) bool {
	if mode == align.Local {
		if a.EndA != b.EndA {
			return a.EndA < b.EndA
		}
		if a.EndB != b.EndB {
			return a.EndB < b.EndB
		}
	}
	for k := range min(len(a.columns), len(b.columns)) {
		if a.columns[k] != b.columns[k] {
			return slices.Index(ties[:], a.columns[k]) < slices.Index(ties[:], b.columns[k])
		}
	}
	return len(a.columns) < len(b.columns)
}

// TestAll compares with the best one of all alignments of short sequences, whose scores
// package align computes.
func TestAll(t *testing.T) {
	dna, err := subst.DNA(5, -4)
	if err != nil {
		t.Fatal(err)
	}
	matrices := []*subst.Matrix{dna, named(t, "BLOSUM62"), named(t, "PAM250")}
	r := rand.New(rand.NewPCG(5, 1))
	random := func(longest int) string {
		letters := make([]byte, r.IntN(longest+1))
		for i := range letters {
			letters[i] = "ACGTA"[r.IntN(5)]
		}
		return string(letters)
	}
	orders := [][3]align.Op{
		{'M', 'D', 'I'}, {'M', 'I', 'D'}, {'D', 'M', 'I'}, {'D', 'I', 'M'}, {'I', 'M', 'D'}, {'I', 'D', 'M'},
	}
	several := 0
	for range 600 {
		s := align.Scoring{Matrix: matrices[r.IntN(len(matrices))], Extend: 1 + r.IntN(4)}
		s.Open = s.Extend + r.IntN(2)*r.IntN(6)
		longest := 5
		switch s.Mode = []align.Mode{align.Global, align.SemiGlobal, align.Local}[r.IntN(3)]; s.Mode {
		case align.Global:
		case align.SemiGlobal:
			s.Free = align.Ends{StartA: r.IntN(2) == 0, EndA: r.IntN(2) == 0, StartB: r.IntN(2) == 0,
				EndB: r.IntN(2) == 0}
		case align.Local:
			longest = 4 // there are many more
		}
		p := pair(random(longest), random(longest))
		ties := orders[r.IntN(len(orders))]

		var best candidate
		count := int64(0)
		for _, c := range all(p, s) {
			score, err := c.Rescore(s)
			if err != nil {
				t.Fatal(err)
			}
			c.Score = score
			if len(c.Path) == 0 && s.Mode == align.Local && (c.EndA > 0 || c.EndB > 0) {
				continue // the empty alignment, elsewhere
			}
			switch {
			case best.Alignment == nil || score > best.Score:
				best, count = c, 1
			case score == best.Score:
				count++
				if earlier(c, best, s.Mode, ties) {
					best = c
				}
			}
		}
		if s.Mode == align.Local && best.Score == 0 {
			count, best.Path, best.EndA, best.EndB, best.StartA, best.StartB = 1, align.Cigar{}, 0, 0, 0, 0
		}
		if count > 1 {
			several++
		}
		best.Path = best.Path.Resolve(p.A.Letters[best.StartA:best.EndA], p.B.Letters[best.StartB:best.EndB])
		best.Cells = int64(len(p.A.Letters)) * int64(len(p.B.Letters))
		got := Align(p, s, ties)
		if d := cmp.Diff(best.Alignment, got); d != "" {
			t.Fatalf("%s %s %v %d/%d %s, moves %c (-want +got)\n%s", p.A.Letters, p.B.Letters, s.Mode, s.Open, s.Extend,
				s.Free, ties, d)
		}
		if n := Count(p, s); n.Int64() != count {
			t.Fatalf("%s %s %v %d/%d %s: %d alignments, want %d", p.A.Letters, p.B.Letters, s.Mode, s.Open, s.Extend,
				s.Free, n, count)
		}
	}
	if several < 100 {
		t.Errorf("only %d of the pairs have several best alignments", several)
	}
}
