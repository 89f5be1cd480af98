package align

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

func blosum62(t interface{ Fatal(...any) }) *subst.Matrix {
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func record(name, letters string) *seq.Record {
	return &seq.Record{Name: name, Letters: []byte(letters), File: name + ".fa", Line: 1}
}

// randomAlignment draws an alignment that fits the mode, and a scoring for it. Its score is
// any number.
func randomAlignment(t *rapid.T, mode Mode) (*Alignment, Scoring) {
	var a, b []byte
	path := Cigar{}
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		op := rapid.SampledFrom([]Op{Match, Match, Mismatch, Insert, Delete}).Draw(t, "op")
		for range rapid.IntRange(1, 40).Draw(t, "columns") {
			x := rapid.SampledFrom([]byte("ACDEFGHIKLMNPQRSTVWY")).Draw(t, "letter")
			y := x
			if op == Mismatch {
				y = 'A' + 'C' - x // the other one of A and C
				if x != 'A' && x != 'C' {
					y = 'A'
				}
			}
			if op.inA() {
				a = append(a, x)
			}
			if op.inB() {
				b = append(b, y)
			}
			path.Add(op, 1)
		}
	}
	al := New(seq.Pair{A: record("a", string(a)), B: record("b", string(b))},
		int64(rapid.IntRange(-1e9, 1e9).Draw(t, "score")), path)
	extend := rapid.IntRange(1, 5).Draw(t, "extend")
	s := Scoring{Matrix: blosum62(t), Open: extend + rapid.IntRange(0, 10).Draw(t, "open"), Extend: extend, Mode: mode}
	outside := rapid.SampledFrom([]string{"", "R", "WWW", strings.Repeat("K", 60)})
	switch mode {
	case Global: // all letters of both sequences
	case SemiGlobal:
		s.Free = AllEnds
		if rapid.Bool().Draw(t, "start") {
			al.A.Letters, al.StartA = outsideBefore(al.A.Letters, outside.Draw(t, "before a"))
		} else {
			al.B.Letters, al.StartB = outsideBefore(al.B.Letters, outside.Draw(t, "before b"))
		}
		al.EndA, al.EndB = len(al.A.Letters), len(al.B.Letters)
		al.B.Letters = append(al.B.Letters, outside.Draw(t, "after b")...)
		al.Trim(s.Free)
	case Local:
		al.A.Letters, al.StartA = outsideBefore(al.A.Letters, outside.Draw(t, "before a"))
		al.B.Letters, al.StartB = outsideBefore(al.B.Letters, outside.Draw(t, "before b"))
		al.EndA, al.EndB = len(al.A.Letters), len(al.B.Letters)
		al.A.Letters = append(al.A.Letters, outside.Draw(t, "after a")...)
		al.B.Letters = append(al.B.Letters, outside.Draw(t, "after b")...)
	}
	return al, s
}

func outsideBefore(letters []byte, before string) ([]byte, int) {
	return append([]byte(before), letters...), len(before)
}

// gapped returns the two sequences with gaps.
func gapped(a *Alignment) (top, bottom string) {
	i, j := a.StartA, a.StartB
	for _, s := range a.Path {
		for range s.N {
			x, y := "-", "-"
			if s.Op != Insert {
				x = string(a.A.Letters[i])
				i++
			}
			if s.Op != Delete {
				y = string(a.B.Letters[j])
				j++
			}
			top, bottom = top+x, bottom+y
		}
	}
	return top, bottom
}

// TestCounts compares the methods' counts with counts over the gapped sequences.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, s := randomAlignment(t, rapid.SampledFrom([]Mode{Global, SemiGlobal, Local}).Draw(t, "mode"))
		top, bottom := gapped(a)
		identity, similarity, gaps, opens, score := 0, 0, 0, 0, int64(0)
		for k := range top {
			switch x, y := top[k], bottom[k]; {
			case x == '-' || y == '-':
				gaps++
				score -= int64(s.Extend)
				if k == 0 || x == '-' && top[k-1] != '-' || y == '-' && bottom[k-1] != '-' {
					opens++
					score -= int64(s.Open - s.Extend)
				}
			default:
				if x == y {
					identity++
				}
				if s.Matrix.Score(x, y) > 0 {
					similarity++
				}
				score += int64(s.Matrix.Score(x, y))
			}
		}
		want := []int{len(top), identity, similarity, gaps, opens}
		got := []int{a.Length(), a.Identity(), a.Similarity(s.Matrix), a.Gaps(), a.GapOpens()}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s\n%s", top, bottom, diff)
		}
		if got, err := a.Rescore(s); err != nil || got != score {
			t.Errorf("%s\n%s\nscore %d, %v; want %d", top, bottom, got, err, score)
		}
		if back, err := ParseCigar(a.Path.String()); err != nil || !cmp.Equal(back, a.Path) {
			t.Errorf("%v %v", back, err)
		}
		turned := append(Cigar{}, a.Path...)
		turned.Reverse()
		turned.Reverse()
		either := Cigar{}
		for _, step := range turned {
			if step.Op == Match || step.Op == Mismatch {
				step.Op = Aligned
			}
			either.Add(step.Op, step.N)
		}
		if got := either.Resolve(a.A.Letters[a.StartA:a.EndA], a.B.Letters[a.StartB:a.EndB]); !cmp.Equal(got, a.Path) {
			t.Errorf("resolved %s to %s, want %s", either, got, a.Path)
		}
		if whole := a.Whole(); whole.LenA() != len(a.A.Letters) || whole.LenB() != len(a.B.Letters) {
			t.Errorf("%s covers %d and %d letters", whole, whole.LenA(), whole.LenB())
		}
	})
}

// TestPaper enumerates all alignments of the example of SkelCL's study: with a linear gap
// cost of 3 the best score is 11, which two alignments have; with costs of 11 and 1 it is 3.
func TestPaper(t *testing.T) {
	p := seq.Pair{A: record("SYE", "SYEDVV"), B: record("NYC", "NYCDV")}
	for _, test := range []struct {
		open, extend int
		score        int64
		best         []string
	}{
		{3, 3, 11, []string{"NYCDV-", "NYCD-V"}},
		{11, 1, 3, []string{"NYCDV-", "NYCD-V"}},
	} {
		s := Scoring{Matrix: blosum62(t), Open: test.open, Extend: test.extend, Mode: Global}
		var best []string
		top := int64(-1 << 60)
		every(len(p.A.Letters), len(p.B.Letters), nil, func(path Cigar) {
			a := New(p, 0, path.Resolve(p.A.Letters, p.B.Letters))
			score, err := a.Rescore(s)
			if err != nil {
				t.Fatal(err)
			}
			_, bottom := gapped(a)
			if score > top {
				best, top = nil, score
			}
			if score == top {
				best = append(best, bottom)
			}
		})
		if diff := cmp.Diff(test.best, best); top != test.score || diff != "" {
			t.Errorf("%d/%d: score %d, %s", test.open, test.extend, top, diff)
		}
	}
}

// every visits all paths over m and n letters that start with prefix.
func every(m, n int, prefix Cigar, visit func(Cigar)) {
	if m == 0 && n == 0 {
		visit(prefix)
		return
	}
	for _, op := range []Op{Aligned, Delete, Insert} {
		left := [2]int{m, n}
		if op.inA() {
			left[0]--
		}
		if op.inB() {
			left[1]--
		}
		if left[0] >= 0 && left[1] >= 0 {
			longer := append(Cigar{}, prefix...)
			longer.Add(op, 1)
			every(left[0], left[1], longer, visit)
		}
	}
}

// TestRescore has values computed by hand, with BLOSUM62: AA 4, RR 5, NN 6,
// AR -1, AN -2, RN 0.
func TestRescore(t *testing.T) {
	for _, test := range []struct {
		a, b, path string
		mode       Mode
		free       Ends
		at         [4]int // start and end of A and B
		want       string
	}{
		{"ARN", "ARN", "3=", Global, Ends{}, [4]int{0, 3, 0, 3}, "15"},
		{"ARN", "ARN", "3M", Global, Ends{}, [4]int{0, 3, 0, 3}, "15"},
		{"ARN", "AAN", "1=1X1=", Global, Ends{}, [4]int{0, 3, 0, 3}, "9"},
		{"ARN", "AN", "1=1D1=", Global, Ends{}, [4]int{0, 3, 0, 2}, "-1"},
		{"AN", "ARRRN", "1=3I1=", Global, Ends{}, [4]int{0, 2, 0, 5}, "-5"},
		{"AR", "AN", "1=1D1I", Global, Ends{}, [4]int{0, 2, 0, 2}, "-18"},
		{"RRA", "A", "2D1=", Global, Ends{}, [4]int{0, 3, 0, 1}, "-9"},
		{"RRA", "A", "2D1=", SemiGlobal, Ends{StartA: true}, [4]int{0, 3, 0, 1}, "4"},
		{"RRA", "A", "1=", SemiGlobal, Ends{StartA: true}, [4]int{2, 3, 0, 1}, "4"},
		{"RRA", "A", "2D1=", SemiGlobal, Ends{StartB: true}, [4]int{0, 3, 0, 1}, "-9"},
		{"A", "ARR", "1=2I", SemiGlobal, Ends{EndB: true}, [4]int{0, 1, 0, 3}, "4"},
		{"A", "ARR", "1=2I", SemiGlobal, Ends{EndA: true}, [4]int{0, 1, 0, 3}, "-9"},
		{"A", "RRA", "1D2I1I", SemiGlobal, AllEnds, [4]int{0, 1, 0, 3},
			"the path has two steps of one kind in a row, 2I and 1I"},
		{"A", "RRA", "1D3I", SemiGlobal, AllEnds, [4]int{0, 1, 0, 3}, "0"},
		{"A", "RRA", "1D3I", SemiGlobal, Ends{StartA: true}, [4]int{0, 1, 0, 3}, "-15"},
		{"RRA", "WWA", "1=", Local, Ends{}, [4]int{2, 3, 2, 3}, "4"},
		{"RRA", "WWA", "", Local, Ends{}, [4]int{1, 1, 0, 0}, "0"},
		{"RRA", "WWA", "1=", SemiGlobal, AllEnds, [4]int{2, 3, 2, 3},
			"the path leaves out letters of both sequences at the same end"},
		{"ARR", "AWW", "1=", SemiGlobal, AllEnds, [4]int{0, 1, 0, 1},
			"the path leaves out letters of both sequences at the same end"},
		{"RRA", "A", "1=", Global, AllEnds, [4]int{2, 3, 0, 1},
			"the path covers letters 2 to 3 of 3 of a; a global alignment must cover all of them"},
		{"A", "ARR", "1=", SemiGlobal, Ends{EndA: true, StartB: true}, [4]int{0, 1, 0, 1},
			"covers letters 0 to 1 of 3 of b; a semiglobal alignment"},
		{"ARN", "ARN", "2=", Global, Ends{}, [4]int{0, 3, 0, 3}, "the path ends at letters 2 and 2, not at 3 and 3"},
		{"ARN", "ARN", "4=", Global, Ends{}, [4]int{0, 3, 0, 3},
			"the path leaves the sequences with 4= at letters 0 and 0"},
		{"ARN", "ARN", "1=3I", Global, Ends{}, [4]int{0, 3, 0, 3},
			"the path leaves the sequences with 3I at letters 1 and 1"},
		{"ARN", "AAN", "3=", Global, Ends{}, [4]int{0, 3, 0, 3},
			"the path has = for letters 1 and 1, which are R and A"},
		{"ARN", "ARN", "2=1X", Global, Ends{}, [4]int{0, 3, 0, 3},
			"the path has X for letters 2 and 2, which are N and N"},
		{"ARN", "ARN", "3=", Global, Ends{}, [4]int{0, 4, 0, 3}, "letters 0 to 4 are not within the 3 letters of A"},
		{"ARN", "ARN", "3=", Global, Ends{}, [4]int{0, 3, 2, 1}, "letters 2 to 1 are not within the 3 letters of B"},
		{"AU", "AU", "2=", Global, Ends{}, [4]int{0, 2, 0, 2},
			"letter 'U' at position 2 is not in the matrix BLOSUM62"},
	} {
		var path Cigar
		spaced := strings.NewReplacer("=", "= ", "X", "X ", "D", "D ", "I", "I ", "M", "M ").Replace(test.path)
		for _, step := range strings.Fields(spaced) {
			one, err := ParseCigar(step)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, one...) // two steps of a kind stay two
		}
		if path == nil {
			path = Cigar{}
		}
		a := New(seq.Pair{A: record("a", test.a), B: record("b", test.b)}, 0, path)
		a.StartA, a.EndA, a.StartB, a.EndB = test.at[0], test.at[1], test.at[2], test.at[3]
		score, err := a.Rescore(Scoring{Matrix: blosum62(t), Open: 11, Extend: 2, Mode: test.mode, Free: test.free})
		got := fmt.Sprint(score)
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s %s %s %s: %s, want %s", test.a, test.b, test.path, test.mode, got, test.want)
		}
	}
	scored := New(seq.Pair{A: record("a", "A"), B: record("b", "A")}, 4, nil)
	if _, err := scored.Rescore(Scoring{Matrix: blosum62(t), Mode: Global}); err == nil {
		t.Error("a score without a path: no error")
	}
}

func TestParseCigar(t *testing.T) {
	for text, want := range map[string]Cigar{
		"":               {},
		"*":              {},
		"12=1X3I4D5M":    {{Match, 12}, {Mismatch, 1}, {Insert, 3}, {Delete, 4}, {Aligned, 5}},
		"2=3=":           {{Match, 5}},
		"1099511627776=": {{Match, 1 << 40}},
	} {
		if got, err := ParseCigar(text); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"5":                     "it ends with a number",
		"=":                     `the number of columns is missing before character 1, '='`,
		"0=":                    `the number of columns is missing before character 2, '='`,
		"3=2S":                  `character 4 is 'S'; the kinds of columns are =, X, I, D and M`,
		"3=é":                   `character 3 is 'é'`,
		"3=-1X":                 `character 3 is '-'`,
		"1=1099511627777=":      "the number at character 3 is too large",
		"99999999999999999999=": "the number at character 1 is too large",
	} {
		if _, err := ParseCigar(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestResolvePanics(t *testing.T) {
	defer func() {
		if got := recover(); got != "align: a path over 2 and 2 letters does not fit 2 and 1" {
			t.Error(got)
		}
	}()
	Cigar{{Aligned, 2}}.Resolve([]byte("AA"), []byte("A"))
}
