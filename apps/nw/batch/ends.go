package batch

import (
	"math"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// ending is what is to be known of the cell where a path ends: its key, where it is
// if that is not the last cell, and its marks.
type ending struct{ Key, Row, Col, Mark, MarkE int32 }

// cell is what the elements of all tables have in common.
type cell interface{ end() ending }

func (c score) end() ending      { return ending{Key: c.H} }
func (c gaps) end() ending       { return ending{Key: c.H} }
func (c local) end() ending      { return ending{Key: c.Best, Row: c.Row, Col: c.Col} }
func (c localGaps) end() ending  { return ending{Key: c.Local.Best, Row: c.Local.Row, Col: c.Local.Col} }
func (c linearWay) end() ending  { return ending{Key: c.Key} }
func (c affineWay) end() ending  { return ending{Key: c.Key} }
func (c linearMark) end() ending { return ending{Key: c.Key, Mark: c.Mark, MarkE: c.Mark} }
func (c affineMark) end() ending { return ending{Key: c.Key, Mark: c.Mark, MarkE: c.MarkE} }

// ends are the last rows and columns of tables.
type ends[C any] struct{ Bottom, Right vector.View[C] }

// ended is the cell with a number: of the last rows, or, below 0, of the last
// columns, backwards from -1.
func ended[C cell](k int64, e ends[C]) ending {
	if k < 0 {
		return e.Right.At(int(-1 - k)).end()
	}
	return e.Bottom.At(int(k)).end()
}

// candidate is a cell of a last row or column as the end of a path that may leave
// out what follows: the greatest is where the path ends. Of equally good ones that
// is the last one whose own move is preferred to the one past it, or else the first.
func candidate[C cell](c C, i int, past int32) int64 {
	return rank(c.end().Key, i, past)
}

func rank(key int32, i int, past int32) int64 {
	return rankOf(int64(key>>2), key&moveMask > past, int64(i))
}

func rankOf(score int64, stays bool, i int64) int64 {
	if stays {
		return score<<33 | 1<<32 | i
	}
	return score<<33 | (1<<32 - 1 - i)
}

// ranked undoes rankOf.
func ranked(r int64) (score int64, stays bool, i int64) {
	i = r & (1<<32 - 1)
	if stays = r>>32&1 == 1; !stays {
		i = 1<<32 - 1 - i
	}
	return r >> 33, stays, i
}

func greater(a, b int64) int64 { return max(a, b) }

var greatest = skel.NewReduce(greater, math.MinInt64)

// pass is a way to compute tables, and to find their ends.
type pass[C cell, E any] struct {
	tables *skel.WavefrontWith[C, E]
	ended  *skel.MapWith[int64, ends[C], ending]
	ranks  *skel.ZipWith[C, int, int32, int64]
}

var (
	scoring      = &pass[score, problem]{linearScores, skel.NewMapWith(ended[score]), skel.NewZipWith(candidate[score])}
	scoringGaps  = &pass[gaps, problem]{affineScores, skel.NewMapWith(ended[gaps]), skel.NewZipWith(candidate[gaps])}
	locating     = &pass[local, problem]{linearLocal, skel.NewMapWith(ended[local]), nil}
	locatingGaps = &pass[localGaps, problem]{affineLocal, skel.NewMapWith(ended[localGaps]), nil}
	tracing      = &pass[linearWay, tracks]{linearPaths, skel.NewMapWith(ended[linearWay]), skel.NewZipWith(candidate[linearWay])}
	tracingGaps  = &pass[affineWay, tracks]{affinePaths, skel.NewMapWith(ended[affineWay]), skel.NewZipWith(candidate[affineWay])}
)

// cutting is a pass that leaves marks, for tables whose paths end at the border, or
// are local.
type cutting[C cell] struct {
	pass[C, problem]
	local  *skel.WavefrontWith[C, problem]
	follow *skel.MapVoidWith[int, chain[C]]
}

var (
	marking     = &cutting[linearMark]{pass[linearMark, problem]{linearBands, skel.NewMapWith(ended[linearMark]), skel.NewZipWith(candidate[linearMark])}, linearLocalBands, skel.NewMapVoidWith(follow[linearMark])}
	markingGaps = &cutting[affineMark]{pass[affineMark, problem]{affineBands, skel.NewMapWith(ended[affineMark]), skel.NewZipWith(candidate[affineMark])}, affineLocalBands, skel.NewMapVoidWith(follow[affineMark])}
)
