package batch

import (
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/vector"
)

// scores computes the scores of pairs, and where local alignments end: their tables
// end there then.
func (d *desk) scores(tasks []task, list []*align.Alignment) error {
	local := d.Mode == align.Local
	about := vector.From(tasks, d.where)
	defer about.Free()
	x := d.problem(about, false, local)
	var found []*whole
	var err error
	if local {
		found, err = either(d, locating, locatingGaps, tasks, align.Ends{}, x)
	} else {
		found, err = either(d, scoring, scoringGaps, tasks, d.openEnds(), x)
	}
	if err != nil {
		return err
	}
	for i, w := range found {
		e := w.end
		list[i].Score = int64(e.Key >> 2)
		if local {
			t := &tasks[i]
			t.Rows, t.Cols = int64(e.Row)+1, int64(e.Col)+1
			if e.Key == 0 {
				t.Rows, t.Cols = 0, 0
			}
			t.EndRow, t.EndCol = t.Rows-1, t.Cols-1
		}
	}
	return nil
}

// alignments finds the paths of pairs.
func (d *desk) alignments(tasks []task) ([]*leg, error) {
	local := d.Mode == align.Local
	legs := make([]*leg, len(tasks))
	for i, t := range tasks {
		legs[i] = &leg{task: t, local: local, whole: !local}
	}
	return legs, d.paths(legs)
}

// write makes the alignments of legs.
func (o *Options) write(legs []*leg, list []*align.Alignment) error {
	return inParallel(len(legs), 32, func(i int) error {
		l, a := legs[i], list[i]
		a.Path = align.Cigar{}
		if o.Mode == align.Local {
			first := l.first()
			a.StartA, a.EndA = int(first.Row+first.firstA-l.Row), int(l.Rows)
			a.StartB, a.EndB = int(first.Col+first.firstB-l.Col), int(l.Cols)
			first.firstA, first.firstB = 0, 0
			l.write(a, a.A.Letters[a.StartA:], a.B.Letters[a.StartB:])
			return nil
		}
		a.Score = int64(l.score)
		l.write(a, a.A.Letters, a.B.Letters)
		a.Path.Add(align.Delete, len(a.A.Letters)-int(l.EndRow)-1)
		a.Path.Add(align.Insert, len(a.B.Letters)-int(l.EndCol)-1)
		a.Trim(o.openEnds())
		return nil
	})
}

// first is the leg with which a path begins.
func (l *leg) first() *leg {
	for l.parts != nil {
		l = l.parts[0]
	}
	return l
}

// write adds a leg's path to that of an alignment, and gives the letters behind it.
func (l *leg) write(to *align.Alignment, a, b []byte) (restA, restB []byte) {
	for _, p := range l.parts {
		a, b = p.write(to, a, b)
	}
	if l.parts != nil {
		return a, b
	}
	to.Path.Add(align.Delete, int(l.firstA))
	to.Path.Add(align.Insert, int(l.firstB))
	a, b = a[l.firstA:], b[l.firstB:]
	for moves := l.moves; len(moves) > 0; {
		last := len(moves) - 1
		move, n := moves[last], 1
		if move == moveDiagonal {
			same := a[0] == b[0]
			for n <= last && moves[last-n] == moveDiagonal && (a[n] == b[n]) == same {
				n++
			}
			if a, b = a[n:], b[n:]; same {
				to.Path.Add(align.Match, n)
			} else {
				to.Path.Add(align.Mismatch, n)
			}
		} else {
			for n <= last && moves[last-n] == move {
				n++
			}
			if move == moveUp {
				a = a[n:]
			} else {
				b = b[n:]
			}
			to.Path.Add(align.Op(move), n)
		}
		moves = moves[:len(moves)-n]
	}
	return a, b
}
