package align

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// Alignment is two sequences, what the best alignment of them is worth, and
// that alignment, unless only the score was asked for.
type Alignment struct {
	A, B  *seq.Record
	Score int64

	// Path is nil when only the score is known. A path without columns, as
	// that of a local alignment of sequences without anything alike, is not
	// nil.
	Path Cigar

	// What the path covers, from 0; an end is after the last letter. Without
	// a path they do not count.
	StartA, EndA, StartB, EndB int

	Count   *big.Int // alignments with this score; nil when not counted
	Cells   int64    // of the matrix that were computed
	Seconds float64  // that it took
	Device  string   // on which it was computed
}

// New gives an alignment of all of A with all of B.
func New(p seq.Pair, score int64, path Cigar) *Alignment {
	return &Alignment{A: p.A, B: p.B, Score: score, Path: path, EndA: len(p.A.Letters), EndB: len(p.B.Letters)}
}

// Length is the number of columns.
func (a *Alignment) Length() int { return a.Path.Length() }

// Identity is the number of columns in which both letters are the same.
func (a *Alignment) Identity() int { return a.Path.Identity() }

// Gaps is the number of letters that face a gap.
func (a *Alignment) Gaps() int { return a.Path.Gaps() }

// GapOpens is the number of gaps, of any length.
func (a *Alignment) GapOpens() int { return a.Path.GapOpens() }

// Similarity is the number of columns with two letters that have a positive
// score.
func (a *Alignment) Similarity(m *subst.Matrix) int {
	n := 0
	a.pairs(func(x, y byte) {
		if m.Score(x, y) > 0 {
			n++
		}
	})
	return n
}

// pairs gives the letters of the columns that have two.
func (a *Alignment) pairs(visit func(x, y byte)) {
	i, j := a.StartA, a.StartB
	for _, s := range a.Path {
		if s.Op.inA() && s.Op.inB() {
			for k := range s.N {
				visit(a.A.Letters[i+k], a.B.Letters[j+k])
			}
		}
		if s.Op.inA() {
			i += s.N
		}
		if s.Op.inB() {
			j += s.N
		}
	}
}

// Trim takes gaps at the ends of the path out of it where they are free, so
// that the path covers what is aligned.
func (a *Alignment) Trim(free Ends) {
	if n := len(a.Path); n > 0 {
		switch last := a.Path[n-1]; {
		case last.Op == Delete && free.EndA && a.EndB == len(a.B.Letters):
			a.Path, a.EndA = a.Path[:n-1], a.EndA-last.N
		case last.Op == Insert && free.EndB && a.EndA == len(a.A.Letters):
			a.Path, a.EndB = a.Path[:n-1], a.EndB-last.N
		}
	}
	if len(a.Path) > 0 {
		switch first := a.Path[0]; {
		case first.Op == Delete && free.StartA && a.StartB == 0:
			a.Path, a.StartA = a.Path[1:], a.StartA+first.N
		case first.Op == Insert && free.StartB && a.StartA == 0:
			a.Path, a.StartB = a.Path[1:], a.StartB+first.N
		}
	}
}

// Whole gives the path with what it leaves out of the sequences, as gaps: A's
// letters before and after it against gaps in B, and B's against gaps in A.
func (a *Alignment) Whole() Cigar {
	whole := make(Cigar, 0, len(a.Path)+4)
	whole.Add(Delete, a.StartA)
	whole.Add(Insert, a.StartB)
	for _, s := range a.Path {
		whole.Add(s.Op, s.N)
	}
	whole.Add(Delete, len(a.A.Letters)-a.EndA)
	whole.Add(Insert, len(a.B.Letters)-a.EndB)
	return whole
}

// fits looks whether the path lies in the sequences, where the alignment says,
// and whether its columns hold what their kind says.
func (a *Alignment) fits() error {
	lenA, lenB := len(a.A.Letters), len(a.B.Letters)
	switch {
	case a.Path == nil:
		return a.errorf("it has no path, only a score")
	case a.StartA < 0 || a.StartA > a.EndA || a.EndA > lenA:
		return a.errorf("%d to %d is no part of %d letters", a.StartA, a.EndA, lenA)
	case a.StartB < 0 || a.StartB > a.EndB || a.EndB > lenB:
		return a.errorf("%d to %d is no part of %d letters", a.StartB, a.EndB, lenB)
	}
	i, j := a.StartA, a.StartB
	for k, s := range a.Path {
		if k > 0 && a.Path[k-1].Op == s.Op {
			return a.errorf("two steps %d%c and %d%c of the path are one", a.Path[k-1].N, s.Op, s.N, s.Op)
		}
		if s.N <= 0 || s.Op.inA() && s.N > a.EndA-i || s.Op.inB() && s.N > a.EndB-j {
			return a.errorf("the path leaves the sequences with %d%c at letters %d and %d", s.N, s.Op, i, j)
		}
		for k := range s.N {
			if s.Op != Match && s.Op != Mismatch {
				break
			}
			if x, y := a.A.Letters[i+k], a.B.Letters[j+k]; kind(x, y) != s.Op {
				return a.errorf("%c of letters %d and %d, which are %c and %c", s.Op, i+k, j+k, x, y)
			}
		}
		if s.Op.inA() {
			i += s.N
		}
		if s.Op.inB() {
			j += s.N
		}
	}
	if i != a.EndA || j != a.EndB {
		return a.errorf("the path ends at letters %d and %d, and not at %d and %d", i, j, a.EndA, a.EndB)
	}
	return nil
}

// errorf makes an error about the alignment.
func (a *Alignment) errorf(format string, args ...any) error {
	return fmt.Errorf("alignment of %s and %s: %w", a.A.Name, a.B.Name, fmt.Errorf(format, args...))
}

// Mode says how much of the sequences an alignment must hold.
type Mode string

// The modes.
const (
	Global     Mode = "global"     // all of both (Needleman and Wunsch)
	SemiGlobal Mode = "semiglobal" // all of both, but gaps at some ends are free
	Local      Mode = "local"      // any part of either (Smith and Waterman)
)

// Ends are the ends of a semi-global alignment at which gaps cost nothing.
// StartA set means that letters at the start of A may stay outside the
// alignment: they face a gap before the first letter of B.
type Ends struct {
	StartA, EndA, StartB, EndB bool
}

// AllEnds are free ends everywhere, as EMBOSS's needle has them.
var AllEnds = Ends{StartA: true, EndA: true, StartB: true, EndB: true}

// names are the ends that are free.
func (e Ends) names() (names []string) {
	for _, end := range []struct {
		free bool
		name string
	}{{e.StartA, "start_a"}, {e.EndA, "end_a"}, {e.StartB, "start_b"}, {e.EndB, "end_b"}} {
		if end.free {
			names = append(names, end.name)
		}
	}
	return names
}

// String lists the free ends, such as "start_a,end_a".
func (e Ends) String() string { return strings.Join(e.names(), ",") }

// Scoring is what an alignment is worth. A gap of L letters costs Open +
// (L-1)*Extend.
type Scoring struct {
	Matrix       *subst.Matrix
	Open, Extend int // above 0; equal for a linear gap cost
	Mode         Mode
	Free         Ends // of a semi-global alignment
}

// gap is the cost of a gap of n letters.
func (s Scoring) gap(n int) int64 { return int64(s.Open) + int64(n-1)*int64(s.Extend) }

// Rescore computes from the path, column by column, what the alignment is
// worth: a check of whatever found it. A path that does not fit the sequences
// or the mode is an error that says where. The letters must be in the matrix.
func (a *Alignment) Rescore(s Scoring) (int64, error) {
	if err := a.fits(); err != nil {
		return 0, err
	}
	if err := a.covers(s); err != nil {
		return 0, err
	}
	for _, r := range []*seq.Record{a.A, a.B} {
		if err := s.Matrix.Check(r); err != nil {
			return 0, err
		}
	}
	var score int64
	a.pairs(func(x, y byte) { score += int64(s.Matrix.Score(x, y)) })
	inner := *a
	if s.Mode == SemiGlobal {
		inner.Trim(s.Free)
	}
	for _, step := range inner.Path {
		if step.Op == Insert || step.Op == Delete {
			score -= s.gap(step.N)
		}
	}
	return score, nil
}

// covers looks whether the mode allows for what the path leaves out.
func (a *Alignment) covers(s Scoring) error {
	if s.Mode == Local {
		return nil
	}
	free := s.Free
	if s.Mode == Global {
		free = Ends{}
	}
	endA, endB := len(a.A.Letters)-a.EndA, len(a.B.Letters)-a.EndB
	switch {
	case a.StartA > 0 && !free.StartA || endA > 0 && !free.EndA:
		return a.errorf("the path covers letters %d to %d of %d of %s, and a %s alignment must not leave out the others", a.StartA, a.EndA, len(a.A.Letters), a.A.Name, s.Mode)
	case a.StartB > 0 && !free.StartB || endB > 0 && !free.EndB:
		return a.errorf("the path covers letters %d to %d of %d of %s, and a %s alignment must not leave out the others", a.StartB, a.EndB, len(a.B.Letters), a.B.Name, s.Mode)
	case a.StartA > 0 && a.StartB > 0 || endA > 0 && endB > 0:
		return a.errorf("the path leaves out letters of both sequences at one end, and only a local alignment may do so")
	}
	return nil
}
