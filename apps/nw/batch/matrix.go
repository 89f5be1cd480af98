package batch

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// A SizeError says that a pair is too long for what is wanted of it, and what would
// do.
type SizeError struct {
	Pair seq.Pair
	why  string
}

// Error names the sequences, how long they are, and what would do.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s (%d letters) with %s (%d letters): %s", e.Pair.A.Name, len(e.Pair.A.Letters), e.Pair.B.Name, len(e.Pair.B.Letters), e.why)
}

func plainScore(c score) int32         { return c.H / scale }
func plainGaps(c gaps) int32           { return c.H / scale }
func plainLocal(c local) int32         { return c.H / scale }
func plainLocalGaps(c localGaps) int32 { return c.Local.H / scale }

var (
	scoreOnly     = skel.NewMap(plainScore)
	gapsOnly      = skel.NewMap(plainGaps)
	localOnly     = skel.NewMap(plainLocal)
	localGapsOnly = skel.NewMap(plainLocalGaps)
)

// Matrix computes all scores of a pair's matrix on the first device, row by row and
// without the border: element (i, j) is that of the best alignment that ends with
// letters i of A and j of B, which in local mode may also be empty. Gaps at the end
// are not free in it. When it does not fit the device's memory, or takes more
// than 2^31 cells, that is a *SizeError.
func Matrix(ctx context.Context, p seq.Pair, o Options) (scores []int32, rows, cols int, err error) {
	if err := o.check([]seq.Pair{p}); err != nil {
		return nil, 0, 0, err
	}
	s := o.station(o.Devices[0])
	defer s.free()
	if err := s.fits(p); err != nil {
		return nil, 0, 0, err
	}
	d, tasks, err := s.lay([]seq.Pair{p}, &watcher{ctx: ctx, tell: o.Progress, passes: 1, left: cells(p)})
	if err != nil {
		return nil, 0, 0, err
	}
	defer d.free()
	switch local := o.Mode == align.Local; {
	case local && o.affine():
		scores, err = everyCell(d, tasks, affineLocal, localGapsOnly)
	case local:
		scores, err = everyCell(d, tasks, linearLocal, localOnly)
	case o.affine():
		scores, err = everyCell(d, tasks, affineScores, gapsOnly)
	default:
		scores, err = everyCell(d, tasks, linearScores, scoreOnly)
	}
	if err == nil {
		d.watch.done()
	}
	return scores, len(p.A.Letters), len(p.B.Letters), err
}

// everyCell computes all cells of tables, and keeps their scores.
func everyCell[C cell](d *desk, tasks []task, w *skel.WavefrontWith[C, problem], scoreOf *skel.Map[C, int32]) ([]int32, error) {
	if err := d.watch.seen(0); err != nil {
		return nil, err
	}
	about := vector.From(tasks, d.where)
	defer about.Free()
	cells := w.With(d.problem(about, false, d.Mode == align.Local)).Watched(d.watch.seen).ApplyTables(tables(tasks))
	defer cells.Free()
	scores := scoreOf.Apply(cells)
	defer scores.Free()
	list, err := scores.Host()
	return slices.Clone(list), err
}

// fits looks whether the device has memory for all cells of a pair, and their
// scores beside.
func (s *station) fits(p seq.Pair) error {
	bytes := int64(4)
	switch local := s.Mode == align.Local; {
	case local && s.affine():
		bytes = 24
	case local:
		bytes = 16
	case s.affine():
		bytes = 12
	}
	info := s.device.Info()
	most := int64(1) << 31
	if info.Memory > 0 {
		most = min(most, info.Memory/4*3/(bytes+4)) // some is taken already
	}
	if info.Kind == driver.CPU && info.Memory > 0 {
		most = min(most, info.Memory/4*3/(bytes+8)) // and it has the scores twice
	}
	if info.MaxAlloc > 0 {
		most = min(most, info.MaxAlloc/bytes)
	}
	if cells(p) <= most {
		return nil
	}
	return &SizeError{p, fmt.Sprintf("the whole matrix has %d cells, and %s has memory for %d: for two sequences of %.0f letters",
		cells(p), s.device.ID(), most, math.Floor(math.Sqrt(float64(most))))}
}
