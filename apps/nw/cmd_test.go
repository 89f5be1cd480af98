package nw

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sbinet/npyio/npy"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

func records(letters ...string) (list []seq.Record) {
	for _, l := range letters {
		list = append(list, seq.Record{Name: "s", File: "file", Line: 1, Letters: []byte(l)})
	}
	return list
}

func TestNucleotides(t *testing.T) {
	for _, c := range []struct {
		letters string
		want    bool
	}{
		{"ACGT", true},
		{"ACGUUUNN", true},
		{"ACGTACGTACGTACGTACGR", true},
		{"ACGTRYSWKMBDHV", false}, // codes of several bases are rare
		{"ACGTE", false},
		{"MVLSPADKTNVKAAW", false},
	} {
		if got := areNucleotides(records("ACGT", c.letters)[1:], nil); got != c.want {
			t.Errorf("%s: nucleotides %v", c.letters, got)
		}
	}
	if areNucleotides(records("ACGTACGTACGT"), records("SYEDVV")) {
		t.Error("a file of nucleotides and a file of proteins were taken for nucleotides")
	}
}

func TestScoring(t *testing.T) {
	n := func(v int) *int { return &v }
	costOf := func(v cost) *cost { return &v }
	for _, c := range []struct {
		name         string
		command      Command
		letters      string
		matrix       string
		open, extend int
		bad          bool
	}{
		{name: "protein", letters: "SYED", matrix: "BLOSUM62", open: 11, extend: 1},
		{name: "nucleotides", letters: "ACGT", matrix: "DNAFULL", open: 10, extend: 1},
		{name: "named", command: Command{Matrix: "ednafull"}, letters: "ACGT", matrix: "DNAFULL", open: 10, extend: 1},
		{name: "protein of few letters", command: Command{Matrix: "PAM30"}, letters: "ACGT", matrix: "PAM30",
			open: 11, extend: 1},
		{name: "match", command: Command{Match: n(2)}, letters: "ACGT", matrix: "DNA(2,-4)", open: 10, extend: 1},
		{name: "mismatch", command: Command{Mismatch: n(-1)}, letters: "ACGT", matrix: "DNA(5,-1)",
			open: 10, extend: 1},
		{name: "linear", command: Command{Gap: costOf(3)}, letters: "SYED", matrix: "BLOSUM62", open: 3, extend: 3},
		{name: "open", command: Command{Open: costOf(7)}, letters: "SYED", matrix: "BLOSUM62", open: 7, extend: 1},
		{name: "both", command: Command{Open: costOf(7), Extend: costOf(7)}, letters: "SYED", matrix: "BLOSUM62",
			open: 7, extend: 7},
		{name: "rodinia", command: Command{Rodinia: 4}, letters: "SYED", matrix: "BLOSUM62", open: 10, extend: 10},
		{name: "extend above open", command: Command{Extend: costOf(11)}, letters: "ACGT", bad: true},
		{name: "not in the matrix", command: Command{Match: n(1)}, letters: "SYED", bad: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.command.Mode = "global"
			s, err := c.command.scoring(records(c.letters))
			if c.bad {
				if app.ExitCode(err) != app.ExitInput {
					t.Errorf("%+v, %v", s, err)
				}
				return
			}
			if err != nil || s.Matrix.Name() != c.matrix || s.Open != c.open || s.Extend != c.extend {
				t.Errorf("matrix %s, open %d, extend %d; %v", s.Matrix.Name(), s.Open, s.Extend, err)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		mode string
		free []string
		want align.Ends
		bad  bool
	}{
		{mode: "global"},
		{mode: "semiglobal", want: align.AllEnds},
		{mode: "semiglobal", free: []string{"start_a", " END_B"}, want: align.Ends{StartA: true, EndB: true}},
		{mode: "semiglobal", free: []string{"start_b", "end_a"}, want: align.Ends{StartB: true, EndA: true}},
		{mode: "semiglobal", free: []string{"a"}, want: align.Ends{StartA: true, EndA: true}},
		{mode: "semiglobal", free: []string{"b"}, want: align.Ends{StartB: true, EndB: true}},
		{mode: "semiglobal", free: []string{"c"}, bad: true},
		{mode: "local", free: []string{"a"}, bad: true},
	} {
		got, err := (&Command{Mode: c.mode, Free: c.free}).ends()
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("%s %v: %v, %v", c.mode, c.free, got, err)
		}
	}
}

func TestNPY(t *testing.T) {
	name := filepath.Join(t.TempDir(), "scores.npy")
	for cols := range 40 { // heads of several lengths
		g := &grid{rows: 3, cols: cols + 1}
		for k := range 3 * (cols + 1) {
			g.scores = append(g.scores, int32(k*k-100))
		}
		if err := g.save(nil, name, seq.Pair{}); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := npy.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		var scores []int32
		if err := r.Read(&scores); err != nil {
			t.Fatal(err)
		}
		shape := r.Header.Descr.Shape
		if !slices.Equal(scores, g.scores) || !slices.Equal(shape, []int{3, cols + 1}) || r.Header.Descr.Fortran {
			t.Fatalf("%+v: %v, want %v", r.Header, scores, g.scores)
		}
	}
}
