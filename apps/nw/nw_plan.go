package nw

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// aligner aligns on one device.
type aligner struct {
	*Options
	device       *devices.Device
	mu           sync.Mutex // locked while the device computes
	where        vector.Distribution
	letterScores *vector.Vector[int32]
	rankedScores *vector.Vector[int32] // letterScores plus the rank of the diagonal move
}

func (o *Options) aligner(d *devices.Device) *aligner {
	scores := o.Matrix.Table()
	for i := range scores {
		scores[i] *= scale
	}
	ranked := slices.Clone(scores)
	for i := range ranked {
		ranked[i] += o.Ties.ranks()[0]
	}
	s := &aligner{Options: o, device: d, where: vector.Single(d)}
	s.letterScores, s.rankedScores = vector.From(scores, s.where), vector.From(ranked, s.where)
	return s
}

func (s *aligner) free() {
	s.letterScores.Free()
	s.rankedScores.Free()
}

// align aligns pairs together.
func (s *aligner) align(ctx context.Context, pairs []seq.Pair) ([]*align.Alignment, error) {
	all := Cells(pairs)
	b, tables, err := s.upload(pairs, s.progress(ctx, all))
	if err != nil {
		return nil, err
	}
	defer b.free()
	list := make([]*align.Alignment, len(pairs))
	for i, p := range pairs {
		list[i] = align.New(p, 0, nil)
	}
	segments, seconds, err := b.timed(tables, list)
	if err == nil && s.Path {
		err = s.writePaths(segments, list)
	}
	if err == nil && s.Count {
		err = b.count(list)
	}
	if err != nil {
		return nil, err
	}
	for i, p := range pairs {
		list[i].Cells, list[i].Device = cells(p), s.device.ID()
		list[i].Seconds = seconds * float64(cells(p)) / float64(all)
	}
	if s.Prepare != nil {
		if err := inParallel(len(list), 8, func(i int) error { return s.Prepare(list[i]) }); err != nil {
			return nil, err
		}
	}
	b.progress.finish()
	return list, nil
}

// timed aligns the pairs while no other batch uses the device, and says how long it took.
func (b *batch) timed(tables []table, list []*align.Alignment) (segments []*segment, seconds float64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	begin := time.Now()
	segments, err = b.align(tables, list)
	return segments, time.Since(begin).Seconds(), err
}

// batch is some pairs whose sequences are on the device.
type batch struct {
	*aligner
	progress *progress
	a, b     vector.View[byte]
	free     func()
}

// upload copies the sequences of pairs to the device, each once, and returns the table of
// each pair.
func (s *aligner) upload(pairs []seq.Pair, p *progress) (*batch, []table, error) {
	tables := make([]table, len(pairs))
	recordA := func(i int) *seq.Record { return pairs[i].A }
	codesA, err := s.codes(len(pairs), recordA, func(i int, first, n int64) {
		tables[i].Row, tables[i].Rows = first, n
	})
	if err != nil {
		return nil, nil, err
	}
	recordB := func(i int) *seq.Record { return pairs[i].B }
	codesB, err := s.codes(len(pairs), recordB, func(i int, first, n int64) {
		tables[i].Col, tables[i].Cols = first, n
	})
	if err != nil {
		return nil, nil, err
	}
	a, b := vector.From(codesA, s.where), vector.From(codesB, s.where)
	d := &batch{aligner: s, progress: p, a: a.View(), b: b.View(), free: func() { a.Free(); b.Free() }}
	for i := range tables {
		t := &tables[i]
		t.EndRow, t.EndCol = t.Rows-1, t.Cols-1
		s.setEdge(t)
	}
	return d, tables, nil
}

// codes returns the letters of n records, one after the other and each record once, and
// tells at where the letters of each are.
func (s *aligner) codes(n int, record func(i int) *seq.Record, at func(i int, first, n int64)) ([]byte, error) {
	known := make(map[*seq.Record]int64, n)
	var list []*seq.Record
	var total int64
	for i := range n {
		r := record(i)
		first, is := known[r]
		if !is {
			first = total
			known[r] = first
			list = append(list, r)
			total += int64(len(r.Letters))
		}
		at(i, first, int64(len(r.Letters)))
	}
	codes := make([]byte, total)
	err := inParallel(len(list), 32, func(i int) error {
		first := known[list[i]]
		_, err := s.Matrix.AppendRecord(codes[first:first:first+int64(len(list[i].Letters))], list[i], 0)
		return err
	})
	return codes, err
}

// setEdge sets the edge of a pair's table.
func (o *Options) setEdge(t *table) {
	open, extend := int32(o.Open*scale), int32(o.Extend*scale)
	t.Top, t.TopMore, t.Left, t.LeftMore = open, extend, open, extend
	if o.Mode == align.Local || o.freeEnds().StartA {
		t.Left, t.LeftMore = 0, 0
	}
	if o.Mode == align.Local || o.freeEnds().StartB {
		t.Top, t.TopMore = 0, 0
	}
}

// cut cuts the table of a local alignment to the cell where that ends.
func (t *table) cut(end pathEnd) {
	t.Rows, t.Cols = int64(end.Row)+1, int64(end.Col)+1
	if end.Key == 0 {
		t.Rows, t.Cols = 0, 0
	}
	t.EndRow, t.EndCol = t.Rows-1, t.Cols-1
}

// freeEnds returns the ends at which gaps cost nothing.
func (o *Options) freeEnds() align.Ends {
	if o.Mode == align.SemiGlobal {
		return o.Free
	}
	return align.Ends{}
}

func (o *Options) affine() bool { return o.Open != o.Extend }

// problem returns what cells read: with keys if paths are wanted, and with a floor if
// paths begin anywhere.
func (b *batch) problem(tables *vector.Vector[table], keys, isLocal bool) problem {
	rank := b.Ties.ranks()
	p := problem{
		A: b.a, B: b.b, Scores: b.letterScores.View(), Letters: int32(b.Matrix.Size()),
		Open: int32(b.Open * scale), Extend: int32(b.Extend * scale), Up: rank[1], Left: rank[2],
		Floor: math.MinInt32, Tables: tables.View(),
	}
	if keys {
		p.Scores = b.rankedScores.View()
	}
	if isLocal {
		p.Floor = moveStop
	}
	return p
}

// memory returns how many bytes may be allocated at a time.
func (s *aligner) memory() int64 {
	info := s.device.Info()
	bytes := min(info.Memory/16, 256<<20)
	if info.Kind == devices.GPU {
		bytes = min(info.Memory/8, 8<<30)
	}
	if info.MaxAlloc > 0 {
		bytes = min(bytes, info.MaxAlloc)
	}
	return max(bytes, 1<<20)
}

// skelTables returns tables as the skeleton takes them.
func skelTables(tables []table) []skel.Table {
	list := make([]skel.Table, len(tables))
	for i, t := range tables {
		list[i] = skel.Table{Row: int(t.Row), Col: int(t.Col), Rows: int(t.Rows), Cols: int(t.Cols),
			Below: int(t.Below)}
	}
	return list
}

// A table that is cut has at most mostBands bands of at least leastHeight rows.
const (
	leastHeight = 256
	mostBands   = 128
)

func (o *Options) leastHeight() int64 { return cmp.Or(o.least, leastHeight) }

// bandHeight returns the number of rows of the bands of a segment's table.
func (o *Options) bandHeight(s *segment) int64 {
	return max(o.leastHeight(), (s.Rows-1)/cmp.Or(o.most, mostBands)+1)
}

// bandCount returns the number of bands.
func (o *Options) bandCount(s *segment) int64 { return (s.Rows-1)/o.bandHeight(s) + 1 }

// mostUncut returns how many rows a table may have that is not cut although its moves fit
// the memory. With few tables, a GPU traces paths back faster in many segments; on
// processors the traceback takes no time compared with the cells, which are then computed
// once.
func (b *batch) mostUncut(tables int) int64 {
	if b.least == 0 && b.device.Kind() == devices.CPU {
		return math.MaxInt64
	}
	return max(2*b.leastHeight(), 4*int64(tables))
}

// byLength returns the segments whose moves are stored, and those that are cut. Segments
// without rows or without columns need neither.
func (b *batch) byLength(segments []*segment) (short, long []*segment) {
	for _, s := range segments {
		if s.Rows == 0 || s.Cols == 0 {
			s.firstA, s.firstB = s.Rows, s.Cols
			continue
		}
		s.Lanes = min(32, (s.Rows-1)/b.moveLayout().Group+1)
		if s.Rows <= b.leastHeight() || s.Rows <= b.mostUncut(len(segments)) && b.moveBytes(s) <= b.memory() {
			short = append(short, s)
		} else {
			long = append(long, s)
		}
	}
	return short, long
}

// inGroups calls handle for segments of the same kind, as many as the memory has room for
// at a time.
func (b *batch) inGroups(segments []*segment, bytes func(*segment) int64, handle func([]*segment) error) error {
	for _, isLocal := range []bool{false, true} {
		var group []*segment
		var sum int64
		for _, s := range segments {
			if s.local != isLocal {
				continue
			}
			if len(group) > 0 && sum+bytes(s) > b.memory() {
				if err := handle(group); err != nil {
					return err
				}
				group, sum = nil, 0
			}
			group, sum = append(group, s), sum+bytes(s)
		}
		if len(group) > 0 {
			if err := handle(group); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *Options) moveLayout() moveLayout {
	if o.affine() {
		return moveLayout{Group: 32 / affineBits, Bits: affineBits, Behind: 1}
	}
	return moveLayout{Group: 32 / linearBits, Bits: linearBits, Behind: 2}
}

// moveBytes returns how much memory the moves of a segment take.
func (b *batch) moveBytes(s *segment) int64 { return 4 * b.moveLayout().wordsOf(s.table) }

// checkpointBytes returns how much memory the checkpoint rows of a segment take.
func (b *batch) checkpointBytes(s *segment) int64 {
	bytes := int64(8)
	if b.affine() {
		bytes = 24
	}
	return bytes * s.Cols * b.bandCount(s)
}
