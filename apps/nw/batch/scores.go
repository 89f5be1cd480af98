package batch

import "github.com/skelgo/skelgo/skel"

// score is the score of the best alignment of the letters up to a cell.
type score struct{ H int32 }

// linear is for gaps all of whose letters cost the same: Needleman and Wunsch, J.
// Mol. Biol. 48 (1970).
func linear(nw, n, w score, worth, letter int32, p problem) score {
	return score{max(max(nw.H+p.Worth.At(int(worth+letter)), w.H-p.Open), n.H-p.Open)}
}

func linearBorder(t, i, j int, p problem) score { return score{border(t, i, j, p)} }

// gaps is that score, and those of alignments that end with a gap in B, E, or in A,
// F: Gotoh, J. Mol. Biol. 162 (1982).
type gaps struct{ H, E, F int32 }

func affine(nw, n, w gaps, worth, letter int32, p problem) gaps {
	e := max(n.E-p.Extend, n.H-p.Open)
	f := max(w.F-p.Extend, w.H-p.Open)
	return gaps{max(max(nw.H+p.Worth.At(int(worth+letter)), f), e), e, f}
}

func affineBorder(t, i, j int, p problem) gaps { return gaps{border(t, i, j, p), never, never} }

// local is the score of the best alignment that ends with a cell and begins
// anywhere, and the best of those in all cells up to it, with its last cell. Of
// equal ones it is the one that comes first in A, and of these in B: those in the
// rows above come first, and this cell last. Smith and Waterman, J. Mol. Biol. 147
// (1981).
type local struct{ H, Best, Row, Col int32 }

// localGaps is that with gaps as in affine.
type localGaps struct {
	E, F  int32
	Local local
}

func bestOf(n, w local, h, i, j int32) local {
	best := local{h, n.Best, n.Row, n.Col}
	if w.Best > best.Best {
		best.Best, best.Row, best.Col = w.Best, w.Row, w.Col
	}
	if h > best.Best {
		best.Best, best.Row, best.Col = h, i, j
	}
	return best
}

func localLinear(nw, n, w local, r, c place, p problem) local {
	h := max(max(max(nw.H+p.Worth.At(int(r.Letter+c.Letter)), w.H-p.Open), n.H-p.Open), 0)
	return bestOf(n, w, h, r.At, c.At)
}

func localAffine(nw, n, w localGaps, r, c place, p problem) localGaps {
	e := max(n.E-p.Extend, n.Local.H-p.Open)
	f := max(w.F-p.Extend, w.Local.H-p.Open)
	h := max(max(max(nw.Local.H+p.Worth.At(int(r.Letter+c.Letter)), f), e), 0)
	return localGaps{e, f, bestOf(n.Local, w.Local, h, r.At, c.At)}
}

func localBorder(_, _, _ int, _ problem) local         { return local{} }
func localGapsBorder(_, _, _ int, _ problem) localGaps { return localGaps{E: never, F: never} }

var (
	linearScores = skel.NewWavefrontOfWith(worthRow, letter, linear, linearBorder)
	affineScores = skel.NewWavefrontOfWith(worthRow, letter, affine, affineBorder)
	linearLocal  = skel.NewWavefrontOfWith(placeRow, placeCol, localLinear, localBorder)
	affineLocal  = skel.NewWavefrontOfWith(placeRow, placeCol, localAffine, localGapsBorder)
)
