package batch

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// A table too large for the ways of all its cells is cut into bands of rows. Every
// cell takes along where its path left the band above: the last cell of the path in
// the last row of that band. The last rows of all bands are kept, so that the path
// can be followed from band to band, and what is left are small tables, one a band,
// from one such cell to the next.
//
// That is the idea of Hirschberg (CACM 18, 1975) and of Myers and Miller (CABIOS 4,
// 1988), who compute the middle of the path from both ends. Taking it along needs one
// direction only, gives all bands at once, and the very path that is preferred.

// A mark is a column, from 1, and in its lowest bit whether the path goes on there in
// a gap of B; column 0 is in front of the first one. A mark below 0 says that a local
// alignment begins in this band, in front of column -1-mark.
const onBorder = 1 // down in front of the first column

func markAt(j, inGap int) int32 { return int32((j+1)<<1 | inGap) }
func beginsAfter(j int32) int32 { return -2 - j }

// borderMark is the mark of a path that comes along the border of a band.
func borderMark(i, j int, p problem) int32 {
	if p.Floor == stop {
		return beginsAfter(int32(j))
	}
	if i < 0 {
		return markAt(j, 0)
	}
	return onBorder
}

// linearMark is a cell's key, and its mark.
type linearMark struct{ Key, Mark int32 }

func linearMarks(nw, n, w linearMark, worth, letter int32, p problem) linearMark {
	d := nw.Key&^moveMask + p.Worth.At(int(worth+letter))
	up := n.Key&^moveMask + (p.Up - p.Open)
	key := max(max(d, up), w.Key&^moveMask+(p.Left-p.Open))
	mark := w.Mark
	if key == up {
		mark = n.Mark
	}
	if key == d {
		mark = nw.Mark
	}
	return linearMark{key, mark}
}

func linearMarkBorder(t, i, j int, p problem) linearMark {
	return linearMark{keyBorder(t, i, j, p), borderMark(i, j, p)}
}

func linearMarkOnto(_, j int, above linearMark, p problem) linearMark {
	return linearMark{above.Key, markAt(j, 0)}
}

func localLinearMarks(nw, n, w linearMark, r, c place, p problem) linearMark {
	m := linearMarks(nw, n, w, r.Letter, c.Letter, p)
	if m.Key < stop {
		return linearMark{stop, beginsAfter(c.At)}
	}
	return m
}

// affineMark is that with gaps, whose keys are as in affineWay.
type affineMark struct {
	Key, E, F          int32
	Mark, MarkE, MarkF int32
}

func affineMarks(nw, n, w affineMark, worth, letter int32, p problem) affineMark {
	e := max(n.E-p.Extend, n.Key-p.Open)
	f := max(w.F-p.Extend, w.Key-p.Open)
	markE, markF := n.MarkE, w.MarkF
	if e&moveMask != p.Up {
		markE = n.Mark
	}
	if f&moveMask != p.Left {
		markF = w.Mark
	}
	e, f = e&^moveMask|p.Up, f&^moveMask|p.Left
	d := nw.Key&^moveMask + p.Worth.At(int(worth+letter))
	key := max(max(d, e), f)
	mark := markF
	if key == e {
		mark = markE
	}
	if key == d {
		mark = nw.Mark
	}
	return affineMark{key, e, f, mark, markE, markF}
}

func affineMarkBorder(t, i, j int, p problem) affineMark {
	m := borderMark(i, j, p)
	return affineMark{keyBorder(t, i, j, p), never | p.Up, never | p.Left, m, m, m}
}

func affineMarkOnto(_, j int, above affineMark, p problem) affineMark {
	return affineMark{above.Key, above.E, above.F, markAt(j, 0), markAt(j, 1), 0}
}

func localAffineMarks(nw, n, w affineMark, r, c place, p problem) affineMark {
	m := affineMarks(nw, n, w, r.Letter, c.Letter, p)
	if m.Key < stop {
		m.Key, m.Mark = stop, beginsAfter(c.At)
	}
	return m
}

var (
	linearBands      = skel.NewWavefrontOfWith(worthRow, letter, linearMarks, linearMarkBorder).Onto(linearMarkOnto)
	affineBands      = skel.NewWavefrontOfWith(worthRow, letter, affineMarks, affineMarkBorder).Onto(affineMarkOnto)
	linearLocalBands = skel.NewWavefrontOfWith(placeRow, placeCol, localLinearMarks, linearMarkBorder).Onto(linearMarkOnto)
	affineLocalBands = skel.NewWavefrontOfWith(placeRow, placeCol, localAffineMarks, affineMarkBorder).Onto(affineMarkOnto)
)

// chain is what the marks of paths are followed through.
type chain[C cell] struct {
	Stacks vector.View[stack]
	Bottom vector.View[C]
	Marks  vector.OutView[int32]
}

// stack is a table in bands: of so many rows and columns, with the last rows of its
// bands from Bottom on, the mark of its last cell, the band that one is in, and
// where its marks are to be listed.
type stack struct {
	Bottom, Cols, Band, Marks int64
	Last                      int32
}

// follow lists the marks of a path: element b is the one by which it comes into band
// b+1. Those above the one where a local alignment begins do not count.
func follow[C cell](t int, x chain[C]) {
	k := x.Stacks.At(t)
	mark := k.Last
	for b := k.Band; b > 0; b-- {
		x.Marks.Set(int(k.Marks+b-1), mark)
		if mark > onBorder {
			above := x.Bottom.At(int(k.Bottom + (b-1)*k.Cols + int64(mark>>1) - 1)).end()
			if mark&1 == 0 {
				mark = above.Mark
			} else {
				mark = above.MarkE
			}
		} else if mark >= 0 {
			mark = onBorder
		}
	}
}
