package align

import (
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

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
