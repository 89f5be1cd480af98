package nw

import (
	"math"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// This file is the algorithm that skelgo nw runs: many pairs of sequences at once, each
// with a table of a cell for every letter of A and every letter of B.
//
//   - Scores: Needleman and Wunsch, Gotoh, Smith and Waterman.
//   - Traceback: short tables store the move that leads to each cell.
//   - Checkpoint rows: long tables are cut into short ones in linear memory.

// Scores on devices are multiplied by scale. Where a path is wanted, the two low bits of
// a cell's key hold the move that leads to the cell. The preferred move is the largest,
// so the largest of three keys is the best score and, among equal scores, the move that
// the path takes.
const (
	scale    = 4
	moveMask = 3
	moveStop = 3 // instead of a move: a local alignment begins after this cell

	never = math.MinInt32 / 2 // below every score, even after gap costs are subtracted
)

// problem is what every cell can read: all sequences, one after another, as codes of
// letters, the scoring, and the tables.
type problem struct {
	A, B         vector.View[byte]
	Scores       vector.View[int32] // of codes a and b: element a*Letters + b; for paths with the diagonal move's rank
	Letters      int32
	Open, Extend int32 // costs of the first and of each further letter of a gap
	Up, Left     int32 // ranks of these moves: 0 to 2, and 2 is preferred
	Floor        int32 // least key of a cell: moveStop in local alignments
	Tables       vector.View[table]
}

// table is a range of rows (letters of A) and columns (letters of B), and the scores
// along its edge: -Left - LeftMore*i before row i and -Top - TopMore*j above column j.
type table struct {
	Row, Col       int64
	Rows, Cols     int64
	Corner         int32
	Top, TopMore   int32
	Left, LeftMore int32
	State          int32 // of the path in its last cell
	EndRow, EndCol int64 // that cell
	Below          int64 // number, from 1, of the table above, whose last row this one continues; 0 is none
	Words, Lanes   int64 // where its packed moves start, and how many groups of rows are interleaved
	Moves          int64 // where the moves of its path are listed
}

// rowOf returns where the scores of the letter of row i start; colOf the letter of column j.
func rowOf(_, i int, p problem) int32 { return p.Letters * int32(p.A.At(i)) }
func colOf(_, j int, p problem) int32 { return int32(p.B.At(j)) }

// position is a letter as rowOf or colOf returns it, and its place in its table.
type position struct{ Letter, At int32 }

func rowPosition(t, i int, p problem) position {
	return position{p.Letters * int32(p.A.At(i)), int32(int64(i) - p.Tables.At(t).Row)}
}

func colPosition(t, j int, p problem) position {
	return position{int32(p.B.At(j)), int32(int64(j) - p.Tables.At(t).Col)}
}

// edge returns the score before the first column or above the first row.
func edge(t, i, j int, p problem) int32 {
	k := p.Tables.At(t)
	if i < 0 && j < 0 {
		return k.Corner
	}
	if i < 0 {
		return k.aboveCol(int64(j))
	}
	return k.beforeRow(int64(i))
}

func (t table) aboveCol(j int64) int32  { return -t.Top - t.TopMore*int32(j) }
func (t table) beforeRow(i int64) int32 { return -t.Left - t.LeftMore*int32(i) }

// ---- Alignments ----

// align finds the scores of pairs and, if asked for, the segments of their paths. A local
// alignment needs both passes: its path is traced back from where it ends.
func (b *batch) align(tables []table, list []*align.Alignment) (segments []*segment, err error) {
	if b.Mode == align.Local || !b.Path {
		err = b.scores(tables, list)
	}
	if err != nil || !b.Path {
		return nil, err
	}
	isLocal := b.Mode == align.Local
	for _, t := range tables {
		segments = append(segments, &segment{table: t, local: isLocal, pair: !isLocal})
	}
	return segments, b.paths(segments)
}

// paths finds the paths of segments: of short tables by their moves, and of long ones by
// the short tables that are left between checkpoint rows.
func (b *batch) paths(segments []*segment) error {
	for len(segments) > 0 {
		short, long := b.byLength(segments)
		if err := b.inGroups(short, b.moveBytes, b.traceBack); err != nil {
			return err
		}
		if err := b.inGroups(long, b.checkpointBytes, func(group []*segment) error {
			if b.affine() {
				return cut(b, affineCutting, group)
			}
			return cut(b, linearCutting, group)
		}); err != nil {
			return err
		}
		segments = segments[:0:0]
		for _, s := range long {
			segments = append(segments, s.parts...)
		}
	}
	return nil
}

// ---- Scores ----

// linearScore is the score H of the best alignment of the letters up to a cell, where
// every letter of a gap costs the same (Needleman and Wunsch 1970).
type linearScore struct{ H int32 }

func linear(nw, n, w linearScore, row, col int32, p problem) linearScore {
	return linearScore{max(max(nw.H+p.Scores.At(int(row+col)), w.H-p.Open), n.H-p.Open)}
}

func linearEdge(t, i, j int, p problem) linearScore { return linearScore{edge(t, i, j, p)} }

// affineScore is H, and the scores of the best alignments that end with a gap in B (E)
// and with a gap in A (F) (Gotoh 1982).
type affineScore struct{ H, E, F int32 }

func affine(nw, n, w affineScore, row, col int32, p problem) affineScore {
	e := max(n.E-p.Extend, n.H-p.Open)
	f := max(w.F-p.Extend, w.H-p.Open)
	return affineScore{max(max(nw.H+p.Scores.At(int(row+col)), f), e), e, f}
}

func affineEdge(t, i, j int, p problem) affineScore {
	return affineScore{edge(t, i, j, p), never, never}
}

// localScore is the score H of the best alignment that ends in a cell and begins
// anywhere, and the best score of all cells up to this one with its cell (Smith and
// Waterman 1981). Among equal scores the first row wins, then the first column.
type localScore struct{ H, Best, Row, Col int32 }

func local(nw, n, w localScore, r, c position, p problem) localScore {
	h := max(max(max(nw.H+p.Scores.At(int(r.Letter+c.Letter)), w.H-p.Open), n.H-p.Open), 0)
	return bestOf(n, w, h, r.At, c.At)
}

// localAffineScore is localScore for the gaps of affineScore.
type localAffineScore struct {
	E, F  int32
	Local localScore
}

func localAffine(nw, n, w localAffineScore, r, c position, p problem) localAffineScore {
	e := max(n.E-p.Extend, n.Local.H-p.Open)
	f := max(w.F-p.Extend, w.Local.H-p.Open)
	h := max(max(max(nw.Local.H+p.Scores.At(int(r.Letter+c.Letter)), f), e), 0)
	return localAffineScore{e, f, bestOf(n.Local, w.Local, h, r.At, c.At)}
}

// bestOf returns the score h of cell (i, j) with the best score among it and the cells
// up to its neighbours n and w.
func bestOf(n, w localScore, h, i, j int32) localScore {
	best := localScore{h, n.Best, n.Row, n.Col}
	if w.Best > best.Best {
		best.Best, best.Row, best.Col = w.Best, w.Row, w.Col
	}
	if h > best.Best {
		best.Best, best.Row, best.Col = h, i, j
	}
	return best
}

func localEdge(_, _, _ int, _ problem) localScore { return localScore{} }

func localAffineEdge(_, _, _ int, _ problem) localAffineScore {
	return localAffineScore{E: never, F: never}
}

var (
	linearScores      = skel.NewWavefrontOfWith(rowOf, colOf, linear, linearEdge)
	affineScores      = skel.NewWavefrontOfWith(rowOf, colOf, affine, affineEdge)
	localScores       = skel.NewWavefrontOfWith(rowPosition, colPosition, local, localEdge)
	localAffineScores = skel.NewWavefrontOfWith(rowPosition, colPosition, localAffine, localAffineEdge)
)

// scores computes the scores of pairs. It cuts the tables of local alignments to the
// cells where these end.
func (b *batch) scores(tables []table, list []*align.Alignment) error {
	isLocal := b.Mode == align.Local
	onDevice := vector.From(tables, b.where)
	defer onDevice.Free()
	p := b.problem(onDevice, false, isLocal)
	var stacks []*stack
	var err error
	if isLocal {
		stacks, err = either(b, localScoring, localAffineScoring, tables, align.Ends{}, p)
	} else {
		stacks, err = either(b, linearScoring, affineScoring, tables, b.freeEnds(), p)
	}
	for i, s := range stacks {
		list[i].Score = int64(s.end.score())
		if isLocal {
			tables[i].cut(s.end)
		}
	}
	return err
}

// ---- Traceback ----

// linearMove is a cell's key, and the packed moves of its column down to this cell.
type linearMove struct {
	Key   int32
	Moves uint32
}

func moveLinear(nw, n, w linearMove, r moveRow, c position, x moveArgs) linearMove {
	diagonal := nw.Key&^moveMask + x.P.Scores.At(int(r.Letter+c.Letter))
	key := max(diagonal, n.Key&^moveMask+(x.P.Up-x.P.Open))
	key = max(max(key, w.Key&^moveMask+(x.P.Left-x.P.Open)), x.P.Floor)
	moves := n.Moves>>linearBits | uint32(key)<<(32-linearBits)
	if r.Shift >= 0 {
		x.Out.Set(int(r.Word+int64(c.At)), moves>>uint32(r.Shift))
	}
	return linearMove{key, moves}
}

func linearMoveEdge(t, i, j int, x moveArgs) linearMove { return linearMove{keyEdge(t, i, j, x.P), 0} }

// keyEdge returns the key of the edge: its score, with the move along it.
func keyEdge(t, i, j int, p problem) int32 {
	if i < 0 {
		return edge(t, i, j, p) | p.Left
	}
	return edge(t, i, j, p) | p.Up
}

// affineMove is the same for gaps as in affineScore. E and F are keys, too: the move of a
// gap that goes on is up or left, and that of a gap that opens leads to the cell before it.
type affineMove struct {
	Key, E, F int32
	Moves     uint32
}

func moveAffine(nw, n, w affineMove, r moveRow, c position, x moveArgs) affineMove {
	e := max(n.E-x.P.Extend, n.Key-x.P.Open)
	f := max(w.F-x.P.Extend, w.Key-x.P.Open)
	move := uint32(0)
	if e&moveMask != x.P.Up {
		move = opensE
	}
	if f&moveMask != x.P.Left {
		move |= opensF
	}
	e, f = e&^moveMask|x.P.Up, f&^moveMask|x.P.Left
	key := max(max(max(nw.Key&^moveMask+x.P.Scores.At(int(r.Letter+c.Letter)), e), f), x.P.Floor)
	moves := n.Moves>>affineBits | (move|uint32(key&moveMask))<<(32-affineBits)
	if r.Shift >= 0 {
		x.Out.Set(int(r.Word+int64(c.At)), moves>>uint32(r.Shift))
	}
	return affineMove{key, e, f, moves}
}

func affineMoveEdge(t, i, j int, x moveArgs) affineMove {
	return affineMove{keyEdge(t, i, j, x.P), never | x.P.Up, never | x.P.Left, 0}
}

var (
	linearMoves = skel.NewWavefrontOfWith(moveRowOf, moveColOf, moveLinear, linearMoveEdge)
	affineMoves = skel.NewWavefrontOfWith(moveRowOf, moveColOf, moveAffine, affineMoveEdge)
	tracebacks  = skel.NewMapVoidWith(traceback)
)

// traceBack finds the paths of short tables: it stores the moves to all their cells and
// then follows the moves, a work-item for each table.
func (b *batch) traceBack(segments []*segment) error {
	tables, words, moves := b.layMoves(segments)
	onDevice := vector.From(tables, b.where)
	defer func() { onDevice.Free() }()
	packed := vector.Uninitialized[uint32](int(words), b.where)
	defer packed.Free()
	layout, free := b.moveLayout(), b.freeEndsOf(segments)
	p := b.problem(onDevice, true, segments[0].local)
	stacks, err := either(b, linearTracing, affineTracing, tables, free, moveArgs{p, layout, packed.OutView()})
	if err != nil {
		return err
	}
	for i, s := range stacks {
		tables[i].EndRow, tables[i].EndCol = s.row, s.col
		segments[i].table, segments[i].score = tables[i], s.end.score()
	}
	if free != (align.Ends{}) { // the paths end elsewhere
		onDevice.Free()
		onDevice = vector.From(tables, b.where)
	}
	listed := vector.Uninitialized[byte](int(moves), b.where)
	defer listed.Free()
	traced := vector.Uninitialized[path](len(segments), b.where)
	defer traced.Free()
	rank := b.Ties.ranks()
	if err := tracebacks.With(tracebackArgs{
		onDevice.View(), packed.View(), layout, rank[0], rank[1], listed.OutView(), traced.OutView(),
	}).Apply(vector.Indices(len(segments), b.where)); err != nil {
		return err
	}
	return takePaths(segments, listed, traced)
}

// ---- Checkpoint rows ----

// A table too large to store the moves to all its cells is cut into bands of rows. Every
// cell carries along where its path crosses the checkpoint row, the last row of the band
// above. The checkpoint rows of all bands are kept, so the path can be followed from one
// to the next, and a small table is left for each band, between two crossings.
//
// Hirschberg (1975) and Myers and Miller (1988) find the middle of the path by computing
// the table from both ends. Carrying the crossing along needs one direction only, finds
// all bands' crossings at once, and keeps to the path that is preferred.

// A crossing is a column, from 1, and in its lowest bit whether the path goes on there in
// a gap of B; column 0 is before the first one. A crossing below 0 says that a local
// alignment begins in this band, before column -1-crossing.
const onEdge = 1 // down before the first column

func crossingAt(j, inGap int) int32 { return int32((j+1)<<1 | inGap) }
func beginsAfter(j int32) int32     { return -2 - j }

// edgeCrossing returns the crossing of a path that comes along the edge of a band.
func edgeCrossing(i, j int, p problem) int32 {
	if p.Floor == moveStop {
		return beginsAfter(int32(j))
	}
	if i < 0 {
		return crossingAt(j, 0)
	}
	return onEdge
}

// linearCrossing is a cell's key, and the crossing of its path.
type linearCrossing struct{ Key, Cross int32 }

func crossLinear(nw, n, w linearCrossing, row, col int32, p problem) linearCrossing {
	diagonal := nw.Key&^moveMask + p.Scores.At(int(row+col))
	up := n.Key&^moveMask + (p.Up - p.Open)
	key := max(max(diagonal, up), w.Key&^moveMask+(p.Left-p.Open))
	cross := w.Cross
	if key == up {
		cross = n.Cross
	}
	if key == diagonal {
		cross = nw.Cross
	}
	return linearCrossing{key, cross}
}

func crossLinearLocal(nw, n, w linearCrossing, r, c position, p problem) linearCrossing {
	m := crossLinear(nw, n, w, r.Letter, c.Letter, p)
	if m.Key < moveStop {
		return linearCrossing{moveStop, beginsAfter(c.At)}
	}
	return m
}

func linearCrossingEdge(t, i, j int, p problem) linearCrossing {
	return linearCrossing{keyEdge(t, i, j, p), edgeCrossing(i, j, p)}
}

// linearCheckpoint is what the first row of a band sees of the checkpoint row above.
func linearCheckpoint(_, j int, above linearCrossing, p problem) linearCrossing {
	return linearCrossing{above.Key, crossingAt(j, 0)}
}

// affineCrossing is the same for gaps, with keys as in affineMove.
type affineCrossing struct {
	Key, E, F             int32
	Cross, CrossE, CrossF int32
}

func crossAffine(nw, n, w affineCrossing, row, col int32, p problem) affineCrossing {
	e := max(n.E-p.Extend, n.Key-p.Open)
	f := max(w.F-p.Extend, w.Key-p.Open)
	crossE, crossF := n.CrossE, w.CrossF
	if e&moveMask != p.Up {
		crossE = n.Cross
	}
	if f&moveMask != p.Left {
		crossF = w.Cross
	}
	e, f = e&^moveMask|p.Up, f&^moveMask|p.Left
	diagonal := nw.Key&^moveMask + p.Scores.At(int(row+col))
	key := max(max(diagonal, e), f)
	cross := crossF
	if key == e {
		cross = crossE
	}
	if key == diagonal {
		cross = nw.Cross
	}
	return affineCrossing{key, e, f, cross, crossE, crossF}
}

func crossAffineLocal(nw, n, w affineCrossing, r, c position, p problem) affineCrossing {
	m := crossAffine(nw, n, w, r.Letter, c.Letter, p)
	if m.Key < moveStop {
		m.Key, m.Cross = moveStop, beginsAfter(c.At)
	}
	return m
}

func affineCrossingEdge(t, i, j int, p problem) affineCrossing {
	m := edgeCrossing(i, j, p)
	return affineCrossing{keyEdge(t, i, j, p), never | p.Up, never | p.Left, m, m, m}
}

func affineCheckpoint(_, j int, above affineCrossing, p problem) affineCrossing {
	return affineCrossing{above.Key, above.E, above.F, crossingAt(j, 0), crossingAt(j, 1), 0}
}

var (
	linearBands      = skel.NewWavefrontOfWith(rowOf, colOf, crossLinear, linearCrossingEdge).Onto(linearCheckpoint)
	affineBands      = skel.NewWavefrontOfWith(rowOf, colOf, crossAffine, affineCrossingEdge).Onto(affineCheckpoint)
	linearLocalBands = skel.NewWavefrontOfWith(rowPosition, colPosition, crossLinearLocal, linearCrossingEdge).
				Onto(linearCheckpoint)
	affineLocalBands = skel.NewWavefrontOfWith(rowPosition, colPosition, crossAffineLocal, affineCrossingEdge).
				Onto(affineCheckpoint)
)

// cut computes long tables in bands, lists where their paths cross the checkpoint rows,
// and splits each table at its crossings.
func cut[C cell](b *batch, c *checkpointPass[C], segments []*segment) error {
	tables := b.bands(segments)
	onDevice := vector.From(tables, b.where)
	defer onDevice.Free()
	isLocal := segments[0].local
	p := b.problem(onDevice, true, isLocal)
	stacks, rows, err := finish(b, c.pass(isLocal), tables, b.freeEndsOf(segments), p)
	if err != nil {
		return err
	}
	defer rows.Free()
	paths, n := b.bandedPaths(segments, stacks)
	table := vector.From(paths, b.where)
	defer table.Free()
	crossings := vector.Uninitialized[int32](n, b.where)
	defer crossings.Free()
	if err := c.follow.With(followArgs[C]{
		table.View(), rows.View(), crossings.OutView(),
	}).Apply(vector.Indices(len(segments), b.where)); err != nil {
		return err
	}
	all, err := crossings.Host()
	if err != nil {
		return err
	}
	for i, s := range segments {
		s.split(all[paths[i].Crossings:], b.Options)
	}
	return nil
}
