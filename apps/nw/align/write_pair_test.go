package align

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// parsed is an alignment that was read from a text in the format pair.
type parsed struct {
	names        [2]string
	rows         [2]string // with their gaps
	first, last  [2]int    // letters, counted as in the text
	matrix       string
	open, extend int
	score        int64
}

// path returns the path that the rows show.
func (p parsed) path() Cigar {
	path := Cigar{}
	for k := range p.rows[0] {
		switch x, y := p.rows[0][k], p.rows[1][k]; {
		case x == '-':
			path.Add(Insert, 1)
		case y == '-':
			path.Add(Delete, 1)
		default:
			path.Add(kind(x, y), 1)
		}
	}
	return path
}

var rowLine = regexp.MustCompile(`^(\S+) +(\d+) (\S+) +(\d+)$`)

// parsePair parses a text in the format pair, by EMBOSS or by Writer.
func parsePair(t interface{ Fatal(...any) }, text string) (all []parsed) {
	number := func(s string) int {
		n, err := strconv.Atoi(strings.TrimSuffix(s, ".0"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	side := 0
	for _, line := range strings.Split(text, "\n") {
		if line == "# Aligned_sequences: 2" {
			all, side = append(all, parsed{}), 0
		}
		if len(all) == 0 {
			continue
		}
		p := &all[len(all)-1]
		if key, value, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok && line[0] == '#' {
			switch key {
			case "1":
				p.names[0] = value
			case "2":
				p.names[1] = value
			case "Matrix":
				p.matrix = value
			case "Gap_penalty":
				p.open = number(value)
			case "Extend_penalty":
				p.extend = number(value)
			case "Score":
				p.score = int64(number(value))
			}
		}
		if row := rowLine.FindStringSubmatch(line); row != nil {
			if p.rows[side] == "" {
				p.first[side] = number(row[2])
			}
			p.rows[side] += row[3]
			p.last[side] = number(row[4])
			side = 1 - side
		}
	}
	return all
}

// TestNeedle reads the alignments that needle and water of EMBOSS 6.6 found, checks their
// scores, and writes them again: the text must be the same after the head.
func TestNeedle(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/needle.txtar")
	if err != nil || len(archive.Files) != 7 {
		t.Fatal(archive, err)
	}
	for _, f := range archive.Files {
		file := f.Name
		want := strings.ReplaceAll(string(f.Data), "# Matrix: E", "# Matrix: ")
		want = want[strings.Index(want, "#====="):]
		alignments := parsePair(t, want)
		mode, _, _ := strings.Cut(file, "-")
		job := Job{Scoring: Scoring{Open: alignments[0].open, Extend: alignments[0].extend, Mode: Mode(mode),
			Free: AllEnds}, Program: "skelgo nw"}
		if job.Matrix, err = subst.Lookup(alignments[0].matrix); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		w, err := NewWriter(&got, Pair, job)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range alignments {
			a := p.alignment(t, job.Mode)
			if score, err := a.Rescore(job.Scoring); err != nil || score != p.score {
				t.Errorf("%s: score %d, %v; EMBOSS has %d", file, score, err, p.score)
			}
			if job.Mode == SemiGlobal {
				whole := a.Path
				a.Trim(job.Free)
				if diff := cmp.Diff(whole, a.Whole()); diff != "" || a.Gaps() > whole.Gaps() {
					t.Errorf("%s: trimmed %s %s", file, a.Path, diff)
				}
				if score, err := a.Rescore(job.Scoring); err != nil || score != p.score {
					t.Errorf("%s: trimmed, score %d, %v", file, score, err)
				}
			}
			if err := w.Write(a); err != nil {
				t.Error(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		text2 := got.String()
		if diff := cmp.Diff(want, text2[strings.Index(text2, "#====="):]); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// alignment returns the alignment of a text. For a local one it reads the sequences, because
// the text shows only a part of them.
func (p parsed) alignment(t *testing.T, mode Mode) *Alignment {
	var records [2]*seq.Record
	for side := range records {
		letters := strings.ReplaceAll(p.rows[side], "-", "")
		if mode == Local {
			all, err := seq.Read(context.Background(), "../testdata/"+strings.ToLower(p.names[side])+".fasta", nil)
			if err != nil {
				t.Fatal(err)
			}
			letters = string(all[0].Letters)
		}
		records[side] = &seq.Record{Name: p.names[side], Letters: []byte(letters)}
	}
	a := New(seq.Pair{A: records[0], B: records[1]}, p.score, p.path())
	if mode == Local {
		a.StartA, a.EndA, a.StartB, a.EndB = p.first[0]-1, p.last[0], p.first[1]-1, p.last[1]
	}
	return a
}

// TestPairReadsBack writes random alignments and reads them back.
func TestPairReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]Mode{Global, SemiGlobal, Local}).Draw(t, "mode")
		a, s := randomAlignment(t, mode)
		var text strings.Builder
		w, err := NewWriter(&text, Pair, Job{Scoring: s, Program: "skelgo nw"})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(a); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all := parsePair(t, text.String())
		if len(all) != 1 {
			t.Fatal(text.String())
		}
		got, path, startA, startB := all[0], a.Path, a.StartA, a.StartB
		if mode != Local {
			path, startA, startB = a.Whole(), 0, 0
		}
		if diff := cmp.Diff(path, got.path()); diff != "" {
			t.Errorf("%s\n%s", diff, text.String())
		}
		for side, start := range []int{startA, startB} {
			letters := []string{string(a.A.Letters), string(a.B.Letters)}[side]
			n := []int{path.LenA(), path.LenB()}[side]
			if strings.ReplaceAll(got.rows[side], "-", "") != letters[start:start+n] {
				t.Errorf("row %d: %s, want %s", side, got.rows[side], letters[start:start+n])
			}
			if path.Length() > 0 && got.last[side] != start+n {
				t.Errorf("row %d ends at %d, want %d", side, got.last[side], start+n)
			}
		}
		if got.score != a.Score || got.open != s.Open || got.extend != s.Extend {
			t.Errorf("%+v", got)
		}
	})
}

func TestPairHead(t *testing.T) {
	blosum, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	job := Job{
		Scoring: Scoring{Matrix: blosum, Open: 11, Extend: 1, Mode: SemiGlobal, Free: Ends{StartA: true, EndA: true}},
		Program: "skelgo nw", Version: "1.2", CommandLine: "skelgo nw a.fa\nb.fa",
	}
	var got strings.Builder
	w, err := NewWriter(&got, Pair, job)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `########################################
# Program: skelgo nw 1.2
# Commandline: skelgo nw a.fa b.fa
# Align_format: srspair
# Mode: semiglobal (free: start_a, end_a)
########################################

#---------------------------------------
#---------------------------------------
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// TestMarks checks the marks below the upper sequence, and that equal letters are marked
// whatever their score is.
func TestMarks(t *testing.T) {
	full, err := subst.Lookup("DNAFULL")
	if err != nil {
		t.Fatal(err)
	}
	a := &seq.Record{Name: "a", Letters: []byte("NACGTAR")}
	b := &seq.Record{Name: "b", Letters: []byte("NATGUR")}
	path, err := ParseCigar("2=1X1=1X1D1=")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	w, err := NewWriter(&got, Pair, Job{Scoring: Scoring{Matrix: full, Open: 10, Extend: 1, Mode: Global}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(New(seq.Pair{A: a, B: b}, 0, path)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n                     ||.|: |\n", "# Identity:       4/7 (57.1%)\n", "# Similarity:     3/7 (42.9%)\n",
		"a                  1 NACGTAR      7\n", "b                  1 NATGU-R      6\n",
		fmt.Sprintf("# Gaps:       %5d/7 (14.3%%)\n", 1),
	} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q in\n%s", want, got.String())
		}
	}
}
