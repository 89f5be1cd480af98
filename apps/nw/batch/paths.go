package batch

import (
	"cmp"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// leg is a table of which the path is wanted, and what becomes of it: the moves, or
// legs one after the other.
type leg struct {
	task
	local bool // it begins where the score is 0
	whole bool // it is a pair's, and ends where that is best

	score          int32
	parts          []*leg
	moves          []byte // from the last to the first
	firstA, firstB int64  // letters of the table in front of the path
}

// Tables that are cut have bands of so many rows at least, and so many bands at most.
const (
	leastHeight = 256
	mostBands   = 128
)

// uncut is how many rows a table may have that is not cut although its ways fit the
// memory. Of few tables, a GPU follows the paths faster in many legs; on processors
// that takes no time beside the cells, which are then computed once.
func (d *desk) uncut(tables int) int64 {
	if d.least == 0 && d.device.Kind() == driver.CPU {
		return math.MaxInt64
	}
	return max(2*d.height(), 4*int64(tables))
}

func (o *Options) height() int64 { return cmp.Or(o.least, leastHeight) }

// band is how many rows the bands of a table have.
func (o *Options) band(l *leg) int64 {
	return max(o.height(), (l.Rows-1)/cmp.Or(o.most, mostBands)+1)
}

// bands is how many these are.
func (o *Options) bands(l *leg) int64 { return (l.Rows-1)/o.band(l) + 1 }

// paths finds the paths of legs.
func (d *desk) paths(legs []*leg) error {
	for len(legs) > 0 {
		var short, long []*leg
		for _, l := range legs {
			if l.Rows == 0 || l.Cols == 0 {
				l.firstA, l.firstB = l.Rows, l.Cols
				continue
			}
			d.lanes(l)
			switch {
			case l.Rows <= d.height(), l.Rows <= d.uncut(len(legs)) && d.wayBytes(l) <= d.memory():
				short = append(short, l)
			default:
				long = append(long, l)
			}
		}
		if err := d.inGroups(short, d.walk, d.wayBytes); err != nil {
			return err
		}
		if err := d.inGroups(long, d.cut, d.bandBytes); err != nil {
			return err
		}
		legs = legs[:0:0]
		for _, l := range long {
			legs = append(legs, l.parts...)
		}
	}
	return nil
}

// inGroups handles legs of the same kind together, as many as there is memory for.
func (d *desk) inGroups(legs []*leg, handle func([]*leg) error, bytes func(*leg) int64) error {
	for _, local := range []bool{false, true} {
		var group []*leg
		var sum int64
		for _, l := range legs {
			if l.local != local {
				continue
			}
			if len(group) > 0 && sum+bytes(l) > d.memory() {
				if err := handle(group); err != nil {
					return err
				}
				group, sum = nil, 0
			}
			group, sum = append(group, l), sum+bytes(l)
		}
		if len(group) > 0 {
			if err := handle(group); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeEnds are those of legs of the same kind.
func (d *desk) freeEnds(legs []*leg) align.Ends {
	if legs[0].whole {
		return d.openEnds()
	}
	return align.Ends{}
}

// wayLayout is how many rows share a word, how many bits a way has, and by how many
// columns a group of rows is behind the one above.
func (o *Options) wayLayout() (group, bits, behind int64) {
	if o.affine() {
		return 32 / affineBits, affineBits, 1
	}
	return 32 / linearBits, linearBits, 2
}

// lanes says how the ways of a leg lie.
func (d *desk) lanes(l *leg) {
	group, _, _ := d.wayLayout()
	l.Lanes = min(32, (l.Rows-1)/group+1)
}

func (d *desk) wayBytes(l *leg) int64 {
	group, _, behind := d.wayLayout()
	return 4 * wordsOf(l.task, group, behind)
}

// walk finds the paths of tables that are short.
func (d *desk) walk(legs []*leg) error {
	tasks := make([]task, len(legs))
	var words, moves int64
	for i, l := range legs {
		l.Words, l.Moves = words, moves
		words += d.wayBytes(l) / 4
		moves += l.Rows + l.Cols
		tasks[i] = l.task
	}
	about := vector.From(tasks, d.where)
	defer func() { about.Free() }()
	ways := vector.Uninitialized[uint32](int(words), d.where)
	defer ways.Free()
	group, bits, behind := d.wayLayout()
	free := d.freeEnds(legs)
	list, err := either(d, tracing, tracingGaps, tasks, free, tracks{d.problem(about, true, legs[0].local), group, bits, behind, ways.OutView()})
	if err != nil {
		return err
	}
	for i, w := range list {
		tasks[i].EndRow, tasks[i].EndCol = w.row, w.col
		legs[i].task, legs[i].score = tasks[i], w.end.Key>>2
	}
	if free != (align.Ends{}) { // they end elsewhere
		about.Free()
		about = vector.From(tasks, d.where)
	}
	noted, found := vector.Uninitialized[byte](int(moves), d.where), vector.Uninitialized[walked](len(legs), d.where)
	defer noted.Free()
	defer found.Free()
	rank := d.Ties.ranks()
	if err := walking.With(trail{
		about.View(), ways.View(), group, bits, behind, rank[0], rank[1], noted.OutView(), found.OutView(),
	}).Apply(vector.Indices(len(legs), d.where)); err != nil {
		return err
	}
	all, err := noted.Host()
	if err != nil {
		return err
	}
	all = slices.Clone(all)
	paths, err := found.Host()
	for i, p := range paths {
		l := legs[i]
		l.moves = all[l.Moves:][:p.Moves]
		l.firstA, l.firstB = int64(p.FirstA), int64(p.FirstB)
	}
	return err
}

func (d *desk) bandBytes(l *leg) int64 {
	bytes := int64(8)
	if d.affine() {
		bytes = 24
	}
	return bytes * l.Cols * d.bands(l)
}

// cut finds the legs of tables that are long.
func (d *desk) cut(legs []*leg) error {
	var tasks []task
	for _, l := range legs {
		tasks = d.inBands(tasks, l)
	}
	if d.affine() {
		return cut(d, markingGaps, tasks, legs)
	}
	return cut(d, marking, tasks, legs)
}

// inBands appends the bands of a table.
func (d *desk) inBands(tasks []task, l *leg) []task {
	for row := int64(0); row < l.Rows; row += d.band(l) {
		t := l.task
		t.Row, t.Rows = l.Row+row, min(d.band(l), l.Rows-row)
		if row > 0 {
			t.Below, t.Corner = int64(len(tasks)), l.beside(row-1)
			t.Left += t.LeftMore * int32(row)
		}
		tasks = append(tasks, t)
	}
	return tasks
}

func cut[C cell](d *desk, c *cutting[C], tasks []task, legs []*leg) error {
	about := vector.From(tasks, d.where)
	defer about.Free()
	p := c.pass
	if legs[0].local {
		p.tables = c.local
	}
	list, bottom, err := finish(d, &p, tasks, d.freeEnds(legs), d.problem(about, true, legs[0].local))
	if err != nil {
		return err
	}
	defer bottom.Free()
	stacks := make([]stack, len(legs))
	var marks, cols int64
	for i, w := range list {
		l := legs[i]
		l.EndRow, l.EndCol, l.score = w.row, w.col, w.end.Key>>2
		s := stack{Bottom: cols, Cols: l.Cols, Band: max(w.row, 0) / d.band(l), Marks: marks, Last: w.end.Mark}
		if l.State == inGapB {
			s.Last = w.end.MarkE
		}
		stacks[i] = s
		cols += l.Cols * d.bands(l)
		marks += d.bands(l)
	}
	table, noted := vector.From(stacks, d.where), vector.Uninitialized[int32](int(marks), d.where)
	defer table.Free()
	defer noted.Free()
	if err := c.follow.With(chain[C]{table.View(), bottom.View(), noted.OutView()}).Apply(vector.Indices(len(legs), d.where)); err != nil {
		return err
	}
	all, err := noted.Host()
	if err != nil {
		return err
	}
	for i, l := range legs {
		l.fork(all[stacks[i].Marks:], d.Options)
	}
	return nil
}

// fork makes the legs between the marks.
func (l *leg) fork(marks []int32, o *Options) {
	band := o.band(l)
	row, col, state := l.EndRow, l.EndCol, l.State
	defer func() { slices.Reverse(l.parts) }()
	for b := max(row, 0) / band; b > 0; b-- {
		mark := marks[b-1]
		part := l.part(b*band, row, col, state)
		if mark < 0 { // it begins here
			part.from(int64(-1 - mark))
			part.local = true
			return
		}
		before, inGap := int64(mark>>1)-1, mark&1 != 0
		part.from(before + 1)
		part.border(l, before, inGap, o)
		row, col, state = b*band-1, before, inCell
		if inGap {
			state = inGapB
		}
		if before < 0 { // down in front of the first column
			l.part(0, row, -1, inCell)
			return
		}
	}
	top := l.part(0, row, col, state)
	top.Corner, top.Top, top.TopMore, top.Left, top.LeftMore = l.Corner, l.Top, l.TopMore, l.Left, l.LeftMore
	top.local = l.local
}

// part adds a leg of these rows, and of the columns up to the last one.
func (l *leg) part(row, lastRow, lastCol int64, state int32) *leg {
	p := &leg{task: task{
		Row: l.Row + row, Rows: lastRow - row + 1, Col: l.Col, Cols: lastCol + 1, State: state,
		EndRow: lastRow - row, EndCol: lastCol,
	}}
	l.parts = append(l.parts, p)
	return p
}

// from leaves out columns at the front.
func (l *leg) from(col int64) {
	l.Col, l.Cols, l.EndCol = l.Col+col, l.Cols-col, l.EndCol-col
}

// border sets what borders a leg that begins behind column before of another table,
// in a gap or not.
func (l *leg) border(of *leg, before int64, inGap bool, o *Options) {
	open, extend := int32(o.Open*scale), int32(o.Extend*scale)
	l.Top, l.TopMore, l.Left, l.LeftMore = open, extend, open, extend
	switch {
	case before < 0 && of.Left == 0 && of.LeftMore == 0:
		l.Left, l.LeftMore = 0, 0
	case inGap:
		l.Corner, l.Top, l.TopMore, l.Left = never, -never, 0, extend
	}
}
