package batch

import (
	"math"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// station aligns on one device.
type station struct {
	*Options
	device *devices.Device
	mu     sync.Mutex // held while the device computes
	where  vector.Distribution
	worth  *vector.Vector[int32]
	ranked *vector.Vector[int32] // with the rank of the diagonal move
}

func (o *Options) station(d *devices.Device) *station {
	worth := o.Matrix.Table()
	for i := range worth {
		worth[i] *= scale
	}
	ranked := slices.Clone(worth)
	for i := range ranked {
		ranked[i] += o.Ties.ranks()[0]
	}
	s := &station{Options: o, device: d, where: vector.Single(d)}
	s.worth, s.ranked = vector.From(worth, s.where), vector.From(ranked, s.where)
	return s
}

func (s *station) free() {
	s.worth.Free()
	s.ranked.Free()
}

// desk is where the sequences of some pairs lie.
type desk struct {
	*station
	watch *watcher
	a, b  vector.View[byte]
	free  func()
}

// lay puts the sequences of pairs on the device, each once, and gives the table of
// each pair.
func (s *station) lay(pairs []seq.Pair, w *watcher) (*desk, []task, error) {
	tasks := make([]task, len(pairs))
	codesA, err := s.codes(len(pairs), func(i int) *seq.Record { return pairs[i].A }, func(i int, first, n int64) {
		tasks[i].Row, tasks[i].Rows = first, n
	})
	if err != nil {
		return nil, nil, err
	}
	codesB, err := s.codes(len(pairs), func(i int) *seq.Record { return pairs[i].B }, func(i int, first, n int64) {
		tasks[i].Col, tasks[i].Cols = first, n
	})
	if err != nil {
		return nil, nil, err
	}
	a, b := vector.From(codesA, s.where), vector.From(codesB, s.where)
	d := &desk{station: s, watch: w, a: a.View(), b: b.View(), free: func() { a.Free(); b.Free() }}
	for i := range tasks {
		t := &tasks[i]
		t.EndRow, t.EndCol = t.Rows-1, t.Cols-1
		s.border(t)
	}
	return d, tasks, nil
}

// codes are the letters of so many records, one after the other, each once; at is
// told where those of each are.
func (s *station) codes(n int, record func(i int) *seq.Record, at func(i int, first, n int64)) ([]byte, error) {
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

// border sets what borders a pair's whole table.
func (o *Options) border(t *task) {
	open, extend := int32(o.Open*scale), int32(o.Extend*scale)
	t.Top, t.TopMore, t.Left, t.LeftMore = open, extend, open, extend
	if o.Mode == align.Local || o.openEnds().StartA {
		t.Left, t.LeftMore = 0, 0
	}
	if o.Mode == align.Local || o.openEnds().StartB {
		t.Top, t.TopMore = 0, 0
	}
}

// openEnds are the ends at which gaps cost nothing.
func (o *Options) openEnds() align.Ends {
	if o.Mode == align.SemiGlobal {
		return o.Free
	}
	return align.Ends{}
}

func (o *Options) affine() bool { return o.Open != o.Extend }

// problem is what the functions know of tables: with keys where paths are wanted.
// Tables that are local begin and end anywhere.
func (d *desk) problem(tasks *vector.Vector[task], keys, local bool) problem {
	rank := d.Ties.ranks()
	p := problem{
		A: d.a, B: d.b, Worth: d.worth.View(), Letters: int32(d.Matrix.Size()),
		Open: int32(d.Open * scale), Extend: int32(d.Extend * scale), Up: rank[1], Left: rank[2],
		Floor: math.MinInt32, Tasks: tasks.View(),
	}
	if keys {
		p.Worth = d.ranked.View()
	}
	if local {
		p.Floor = stop
	}
	return p
}

// memory is how many bytes may be taken at a time.
func (s *station) memory() int64 {
	info := s.device.Info()
	bytes := min(info.Memory/16, 256<<20)
	if info.Kind == driver.GPU {
		bytes = min(info.Memory/8, 8<<30)
	}
	if info.MaxAlloc > 0 {
		bytes = min(bytes, info.MaxAlloc)
	}
	return max(bytes, 1<<20)
}

// tables are what the skeleton calls them.
func tables(tasks []task) []skel.Table {
	list := make([]skel.Table, len(tasks))
	for i, t := range tasks {
		list[i] = skel.Table{Row: int(t.Row), Col: int(t.Col), Rows: int(t.Rows), Cols: int(t.Cols), Below: int(t.Below)}
	}
	return list
}
