package align

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// Alignment is two sequences, the score of their best alignment and, unless only the score
// was asked for, the path of that alignment.
type Alignment struct {
	A, B  *seq.Record
	Score int64

	// Path is nil if only the score is known. A path without columns, as in a local
	// alignment of sequences that have nothing in common, is not nil.
	Path Cigar

	// StartA to EndB are the letters that the path covers, from 0; an end is after the last
	// letter. They have no meaning without a path.
	StartA, EndA, StartB, EndB int

	Count   *big.Int // alignments with this score; nil if not counted
	Cells   int64    // cells of the matrix that were computed
	Seconds float64  // time that it took
	Device  string   // ID of the device that computed it
}

// New returns an alignment of all of A with all of B.
func New(p seq.Pair, score int64, path Cigar) *Alignment {
	return &Alignment{A: p.A, B: p.B, Score: score, Path: path, EndA: len(p.A.Letters), EndB: len(p.B.Letters)}
}

// Length returns the number of columns.
func (a *Alignment) Length() int { return a.Path.Length() }

// Identity returns the number of columns in which both letters are the same.
func (a *Alignment) Identity() int { return a.Path.Identity() }

// Gaps returns the number of letters that face a gap.
func (a *Alignment) Gaps() int { return a.Path.Gaps() }

// GapOpens returns the number of gaps, of any length.
func (a *Alignment) GapOpens() int { return a.Path.GapOpens() }

// Similarity returns the number of columns with two letters whose score is positive.
func (a *Alignment) Similarity(m *subst.Matrix) int {
	n := 0
	a.pairs(func(x, y byte) {
		if m.Score(x, y) > 0 {
			n++
		}
	})
	return n
}

// pairs calls visit with the letters of the columns that have two.
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

// Trim removes free gaps from the ends of the path, so that the path covers what is aligned.
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

// Whole returns the path extended to all of both sequences: the letters of A before and
// after it face gaps in B, and those of B gaps in A.
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

// fits checks that the path covers the letters that the alignment says, and that its
// columns have the letters that their kind says.
func (a *Alignment) fits() error {
	lenA, lenB := len(a.A.Letters), len(a.B.Letters)
	switch {
	case a.Path == nil:
		return a.errorf("it has no path, only a score")
	case a.StartA < 0 || a.StartA > a.EndA || a.EndA > lenA:
		return a.errorf("letters %d to %d are not within the %d letters of A", a.StartA, a.EndA, lenA)
	case a.StartB < 0 || a.StartB > a.EndB || a.EndB > lenB:
		return a.errorf("letters %d to %d are not within the %d letters of B", a.StartB, a.EndB, lenB)
	}
	i, j := a.StartA, a.StartB
	for k, s := range a.Path {
		if k > 0 && a.Path[k-1].Op == s.Op {
			return a.errorf("the path has two steps of one kind in a row, %d%c and %d%c", a.Path[k-1].N,
				s.Op, s.N, s.Op)
		}
		if s.N <= 0 || s.Op.inA() && s.N > a.EndA-i || s.Op.inB() && s.N > a.EndB-j {
			return a.errorf("the path leaves the sequences with %d%c at letters %d and %d", s.N, s.Op, i, j)
		}
		for k := range s.N {
			if s.Op != Match && s.Op != Mismatch {
				break
			}
			if x, y := a.A.Letters[i+k], a.B.Letters[j+k]; kind(x, y) != s.Op {
				return a.errorf("the path has %c for letters %d and %d, which are %c and %c", s.Op, i+k, j+k, x, y)
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
		return a.errorf("the path ends at letters %d and %d, not at %d and %d", i, j, a.EndA, a.EndB)
	}
	return nil
}

// partial returns the error of a path that leaves out letters which the mode needs.
func (a *Alignment) partial(r *seq.Record, start, end int, m Mode) error {
	return a.errorf("the path covers letters %d to %d of %d of %s; a %s alignment must cover all of them",
		start, end, len(r.Letters), r.Name, m)
}

// errorf makes an error about the alignment.
func (a *Alignment) errorf(format string, args ...any) error {
	return fmt.Errorf("alignment of %s and %s: %w", a.A.Name, a.B.Name, fmt.Errorf(format, args...))
}

// Mode is how much of the sequences an alignment must cover.
type Mode string

// The modes.
const (
	Global     Mode = "global"     // all of both (Needleman and Wunsch)
	SemiGlobal Mode = "semiglobal" // all of both, but gaps at some ends are free
	Local      Mode = "local"      // any part of either (Smith and Waterman)
)

// Ends are the ends of a semi-global alignment at which gaps are free. If StartA is set, the
// alignment may leave out letters at the start of A: they face a gap before the first
// letter of B.
type Ends struct {
	StartA, EndA, StartB, EndB bool
}

// AllEnds makes gaps free at all ends, as EMBOSS's needle does.
var AllEnds = Ends{StartA: true, EndA: true, StartB: true, EndB: true}

// names returns the names of the free ends.
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

// String returns the free ends in the form "start_a,end_a".
func (e Ends) String() string { return strings.Join(e.names(), ",") }

// Scoring defines the score of an alignment. A gap of L letters costs Open + (L-1)*Extend.
type Scoring struct {
	Matrix       *subst.Matrix
	Open, Extend int // above 0; equal for a linear gap cost
	Mode         Mode
	Free         Ends // of a semi-global alignment
}

// gap returns the cost of a gap of n letters.
func (s Scoring) gap(n int) int64 { return int64(s.Open) + int64(n-1)*int64(s.Extend) }

// Rescore computes the score from the path, column by column, to check whatever found the
// alignment. If the path does not fit the sequences or the mode, the error says where. The
// letters must be in the matrix.
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

// covers checks that the mode allows the path to leave out what it does.
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
		return a.partial(a.A, a.StartA, a.EndA, s.Mode)
	case a.StartB > 0 && !free.StartB || endB > 0 && !free.EndB:
		return a.partial(a.B, a.StartB, a.EndB, s.Mode)
	case a.StartA > 0 && a.StartB > 0 || endA > 0 && endB > 0:
		return a.errorf("the path leaves out letters of both sequences at the same end, " +
			"which only a local alignment may do")
	}
	return nil
}
