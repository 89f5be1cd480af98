package nw

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// other is a pair and its scores by other programs.
type other struct {
	seq.Pair
	align.Scoring
	parasail int64
	emboss   string // "" if EMBOSS did not run
	line     int
}

// others reads the scores of parasail and EMBOSS from a file that the program in
// testdata/others made.
func others(t *testing.T) (all []other) {
	t.Helper()
	f, err := os.Open("testdata/others/others.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	for n := 1; lines.Scan(); n++ {
		field := strings.Split(lines.Text(), "\t")
		number := func(i int) int {
			v, err := strconv.Atoi(field[i])
			if err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			return v
		}
		free := field[1]
		all = append(all, other{
			Pair: pairOf(field[5], field[6]),
			Scoring: align.Scoring{
				Matrix: matrixOf(t, field[2]), Open: number(3), Extend: number(4), Mode: align.Mode(field[0]),
				Free: align.Ends{StartA: free[0] == '1', EndA: free[1] == '1', StartB: free[2] == '1',
					EndB: free[3] == '1'},
			},
			parasail: int64(number(7)), emboss: field[8], line: n,
		})
	}
	if err := lines.Err(); err != nil || len(all) < 2000 {
		t.Fatalf("%d pairs, %v", len(all), err)
	}
	return all
}

func pairOf(a, b string) seq.Pair {
	return seq.Pair{A: &seq.Record{Name: "a", Letters: []byte(a)}, B: &seq.Record{Name: "b", Letters: []byte(b)}}
}

var matchAndMismatch = regexp.MustCompile(`^DNA\((\d+),(-\d+)\)$`)

// matrixOf returns a matrix by its name, or as DNA(match,mismatch).
func matrixOf(t *testing.T, name string) *subst.Matrix {
	t.Helper()
	m, err := subst.Lookup(name)
	if found := matchAndMismatch.FindStringSubmatch(name); found != nil {
		match, _ := strconv.Atoi(found[1])
		mismatch, _ := strconv.Atoi(found[2])
		m, err = subst.DNA(match, mismatch)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// want returns parasail's score. In parasail a semi-global alignment ends in the matrix and so
// has letters of both sequences, or a gap that is not free. Here, as in needle, all of one
// sequence may also come before the other one; the score is then that of the gaps that are
// not free.
func (o other) want() int64 {
	score := o.parasail
	if o.Mode != align.SemiGlobal {
		return score
	}
	gapOnly := func(free bool, n int) int64 {
		if free {
			return 0
		}
		return -int64(o.Open) - int64(n-1)*int64(o.Extend)
	}
	if o.Free.EndB {
		score = max(score, gapOnly(o.Free.StartA, len(o.A.Letters)))
	}
	if o.Free.EndA {
		score = max(score, gapOnly(o.Free.StartB, len(o.B.Letters)))
	}
	return score
}

// together groups the pairs that one call can align.
func together(all []other) (groups [][]other) {
	at := map[string]int{}
	for _, o := range all {
		key := fmt.Sprintf("%s %s %s %d/%d", o.Mode, o.Free, o.Matrix.Name(), o.Open, o.Extend)
		i, known := at[key]
		if !known {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	return groups
}

// orders are all orders of preference of the moves.
var orders = []string{
	"diagonal,up,left", "diagonal,left,up", "up,diagonal,left", "up,left,diagonal", "left,diagonal,up",
	"left,up,diagonal",
}

// TestOthers compares with parasail and EMBOSS: the scores of all pairs, with and without
// their paths, and the score of every path, also if the matrix is cut into bands. The paths
// of the smaller pairs must be those of the reference implementation.
func TestOthers(t *testing.T) {
	found := others(t)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		all := found
		if testing.Short() || !d.Native() && !devicestest.Thorough() {
			all = all[:len(all)/10]
		}
		for g, group := range together(all) {
			ties, err := ParseTies(orders[g%len(orders)])
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Scoring: group[0].Scoring, Ties: ties, Devices: []*devices.Device{d}}
			compare(t, group, o)
			o.Path = true
			compare(t, group, o)
			o.least, o.most = 24, 7 // as the matrices of long sequences are cut
			compare(t, group, o)
			if t.Failed() {
				return
			}
		}
	})
}

// compare aligns pairs and checks the alignments.
func compare(t *testing.T, group []other, o Options) {
	t.Helper()
	var pairs []seq.Pair
	for _, o := range group {
		pairs = append(pairs, o.Pair)
	}
	n := 0
	err := Align(context.Background(), pairs, o, func(a *align.Alignment) error {
		want := group[n]
		n++
		if a.A != want.A || a.B != want.B {
			return fmt.Errorf("line %d: another pair", want.line)
		}
		if a.Score != want.want() {
			t.Errorf("line %d (%s %s): score %d, parasail has %d", want.line, o.Mode, o.Free, a.Score, want.parasail)
		}
		if want.emboss != "" && strconv.FormatInt(a.Score, 10) != want.emboss {
			t.Errorf("line %d (%s): score %d, EMBOSS has %s", want.line, o.Mode, a.Score, want.emboss)
		}
		if !o.Path {
			return nil
		}
		if score, err := a.Rescore(o.Scoring); err != nil || score != a.Score {
			t.Errorf("line %d (%s %s): score %d, but that of the path is %d: %v", want.line, o.Mode, o.Free,
				a.Score, score, err)
		} else if len(a.A.Letters)*len(a.B.Letters) <= 4000 {
			expected := oracle.Align(want.Pair, o.Scoring, o.Ties)
			if d := cmp.Diff(outline(expected), outline(a)); d != "" {
				t.Errorf("line %d (%s %s, %s): (-want +got)\n%s", want.line, o.Mode, o.Free, o.Ties, d)
			}
		}
		return nil
	})
	if err != nil || n != len(group) {
		t.Errorf("%d of %d alignments: %v", n, len(group), err)
	}
}

// outline returns the path of an alignment and its position.
func outline(a *align.Alignment) string {
	path := a.Path.Resolve(a.A.Letters[a.StartA:a.EndA], a.B.Letters[a.StartB:a.EndB])
	return fmt.Sprintf("%s: letters %d to %d of A, %d to %d of B", path, a.StartA, a.EndA, a.StartB, a.EndB)
}
