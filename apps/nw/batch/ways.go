package batch

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// A way is how a path comes to a cell: the move of its key, and, with affine gap
// costs, whether the gaps in B and in A that end there begin there. Cells take the
// ways of their column along, and write a word of them at a time, of 16 or 8 rows.
// The words of 32 such groups lie side by side, each some columns behind the one
// above, as warps compute them.
const (
	beginsE = 4
	beginsF = 8
)

// tracks is a problem whose cells write what leads back.
type tracks struct {
	P      problem
	Group  int64 // rows of a word
	Bits   int64 // of a way
	Behind int64 // columns that a group is behind the one above
	Out    vector.OutView[uint32]
}

// wordsOf is how many words a table takes.
func wordsOf(k task, group, behind int64) int64 {
	sets := ((k.Rows-1)/group)/k.Lanes + 1
	return sets * k.Lanes * (k.Cols + behind*(k.Lanes-1))
}

// word is where the ways of a group of rows of column 0 are; those of the next
// column are k.Lanes further.
func word(k task, group, behind int64) int64 {
	set := group / k.Lanes
	lane := group - set*k.Lanes // not %: every 64-bit division is long code on a GPU
	return k.Words + (set*(k.Cols+behind*(k.Lanes-1))+behind*lane)*k.Lanes + lane
}

// wayRow is a row's letter, where its words are, and by how much one is to be shifted
// that is complete with it; less than 0 when it is not.
type wayRow struct {
	Letter, Shift int32
	Word          int64
}

func wayRowOf(t, i int, x tracks) wayRow {
	k := x.P.Tasks.At(t)
	at := int64(i) - k.Row
	group := at / x.Group
	below := (group+1)*x.Group - 1 - at // rows of the group below this one
	r := wayRow{x.P.Letters * int32(x.P.A.At(i)), -1, word(k, group, x.Behind)}
	if below == 0 || at == k.Rows-1 {
		r.Shift = int32(below * x.Bits)
	}
	return r
}

func wayColOf(t, j int, x tracks) place {
	k := x.P.Tasks.At(t)
	return place{int32(x.P.B.At(j)), int32((int64(j) - k.Col) * k.Lanes)}
}

// linearWay is a cell's key, and the ways to the cells of its column up to it.
type linearWay struct {
	Key  int32
	Ways uint32
}

const (
	linearBits = 2
	affineBits = 4
)

func linearWays(nw, n, w linearWay, r wayRow, c place, x tracks) linearWay {
	key := max(nw.Key&^moveMask+x.P.Worth.At(int(r.Letter+c.Letter)), n.Key&^moveMask+(x.P.Up-x.P.Open))
	key = max(max(key, w.Key&^moveMask+(x.P.Left-x.P.Open)), x.P.Floor)
	ways := n.Ways>>linearBits | uint32(key)<<(32-linearBits)
	if r.Shift >= 0 {
		x.Out.Set(int(r.Word+int64(c.At)), ways>>uint32(r.Shift))
	}
	return linearWay{key, ways}
}

func linearWayBorder(t, i, j int, x tracks) linearWay {
	return linearWay{keyBorder(t, i, j, x.P), 0}
}

// affineWay is that with gaps. E and F are keys too: their moves are up and left,
// but that of a gap that begins is the one to the cell in front of it.
type affineWay struct {
	Key, E, F int32
	Ways      uint32
}

func affineWays(nw, n, w affineWay, r wayRow, c place, x tracks) affineWay {
	e := max(n.E-x.P.Extend, n.Key-x.P.Open)
	f := max(w.F-x.P.Extend, w.Key-x.P.Open)
	way := uint32(0)
	if e&moveMask != x.P.Up {
		way = beginsE
	}
	if f&moveMask != x.P.Left {
		way |= beginsF
	}
	e, f = e&^moveMask|x.P.Up, f&^moveMask|x.P.Left
	key := max(max(max(nw.Key&^moveMask+x.P.Worth.At(int(r.Letter+c.Letter)), e), f), x.P.Floor)
	ways := n.Ways>>affineBits | (way|uint32(key&moveMask))<<(32-affineBits)
	if r.Shift >= 0 {
		x.Out.Set(int(r.Word+int64(c.At)), ways>>uint32(r.Shift))
	}
	return affineWay{key, e, f, ways}
}

func affineWayBorder(t, i, j int, x tracks) affineWay {
	return affineWay{keyBorder(t, i, j, x.P), never | x.P.Up, never | x.P.Left, 0}
}

var (
	linearPaths = skel.NewWavefrontOfWith(wayRowOf, wayColOf, linearWays, linearWayBorder)
	affinePaths = skel.NewWavefrontOfWith(wayRowOf, wayColOf, affineWays, affineWayBorder)
	walking     = skel.NewMapVoidWith(walk)
)

// trail is what paths are followed through.
type trail struct {
	Tasks               vector.View[task]
	Ways                vector.View[uint32]
	Group, Bits, Behind int64
	Diagonal, Up        int32
	Moves               vector.OutView[byte]
	Found               vector.OutView[walked]
}

// walked is how many moves a path has, and how many letters of its table are in
// front of it.
type walked struct{ Moves, FirstA, FirstB int32 }

// The moves, as they are noted: the bytes of align.Aligned, Delete and Insert.
const (
	moveDiagonal = 'M'
	moveUp       = 'D'
	moveLeft     = 'I'
)

// walk follows the path of a table from its end to the table's border, or to a cell
// where a local alignment begins.
func walk(t int, x trail) {
	k := x.Tasks.At(t)
	i, j, state, n := k.EndRow, k.EndCol, k.State, k.Moves
	for i >= 0 && j >= 0 {
		ways := x.Ways.At(int(word(k, i/x.Group, x.Behind)+j*k.Lanes)) >> uint32(i%x.Group*x.Bits)
		move := int32(ways & moveMask)
		begins := ways >> 2
		if x.Bits == linearBits {
			begins = (beginsE | beginsF) >> 2
		}
		if state == inCell {
			if move == stop {
				break
			}
			if move == x.Up {
				state = inGapB
			} else if move != x.Diagonal {
				state = inGapA
			}
		}
		var noted byte = moveDiagonal
		if state == inGapB {
			noted = moveUp
			i--
			if begins&(beginsE>>2) != 0 {
				state = inCell
			}
		} else if state == inGapA {
			noted = moveLeft
			j--
			if begins&(beginsF>>2) != 0 {
				state = inCell
			}
		} else {
			i--
			j--
		}
		x.Moves.Set(int(n), noted)
		n++
	}
	x.Found.Set(t, walked{int32(n - k.Moves), int32(i + 1), int32(j + 1)})
}
