package batch

import (
	"context"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// wholeMost is how many bytes a whole matrix may take on the host.
const wholeMost = 8 << 30

// Matrix gives the scores of all cells of a pair's matrix, row by row and without
// the borders, as it computes them on the first device. A matrix that does not fit
// is an error that says what would.
func Matrix(ctx context.Context, p seq.Pair, o Options) (scores []int32, rows, cols int, err error) {
	if err := o.check([]seq.Pair{p}); err != nil {
		return nil, 0, 0, err
	}
	s := o.station(o.Devices[0])
	defer s.free()
	m, err := s.matrix(p)
	if err != nil {
		return nil, 0, 0, err
	}
	scores = make([]int32, 0, m.rows*m.cols)
	for i := range m.rows {
		if err := context.Cause(ctx); err != nil {
			return nil, 0, 0, err
		}
		for j := range m.cols {
			scores = append(scores, m.at(i, j).H>>2)
		}
	}
	return scores, m.rows, m.cols, nil
}

// matrix is the whole table of a pair, with scores four times what they are.
type matrix struct {
	*Options
	pair       seq.Pair
	edges      task
	rows, cols int
	linear     []score // one of these
	affine     []gaps
}

// matrix computes it.
func (s *station) matrix(p seq.Pair) (*matrix, error) {
	each, bytes := cells(p), int64(4)
	if s.affine() {
		bytes = 12
	}
	if most := min(wholeMost, s.device.Info().Memory/2) / bytes; each > most {
		side := int64(math.Sqrt(float64(most)))
		return nil, fmt.Errorf("%s (%d letters) with %s (%d letters): the whole matrix takes %d bytes a cell, %.3g GiB, and %.3g GiB are free for it on %s: two sequences of %d letters would fit",
			p.A.Name, len(p.A.Letters), p.B.Name, len(p.B.Letters), bytes, float64(each*bytes)/(1<<30), float64(most*bytes)/(1<<30), s.device.ID(), side)
	}
	d, tasks, err := s.lay([]seq.Pair{p})
	if err != nil {
		return nil, err
	}
	defer d.free()
	d.mu.Lock()
	defer d.mu.Unlock()
	about := vector.From(tasks, d.where)
	defer about.Free()
	x := d.problem(about, false, s.Mode == align.Local)
	m := &matrix{Options: s.Options, pair: p, edges: tasks[0], rows: len(p.A.Letters), cols: len(p.B.Letters)}
	if s.affine() {
		m.affine, err = all(affineWhole, tasks, x)
	} else {
		m.linear, err = all(linearWhole, tasks, x)
	}
	return m, err
}

func all[C any](w *skel.Wavefront[C, problem], tasks []task, x problem) ([]C, error) {
	list := w.ApplyTables(tables(tasks), x)
	defer list.Free()
	host, err := list.Host()
	return append([]C(nil), host...), err
}

// linearFloored and affineFloored are linear and affine, and local where p says so.
func linearFloored(nw, n, w score, worth, letter int32, p problem) score {
	return score{max(linear(nw, n, w, worth, letter, p).H, p.Floor&^moveMask)}
}

func affineFloored(nw, n, w gaps, worth, letter int32, p problem) gaps {
	c := affine(nw, n, w, worth, letter, p)
	return gaps{max(c.H, p.Floor&^moveMask), c.E, c.F}
}

var (
	linearWhole = skel.NewWavefrontOf(worthRow, letter, linearFloored, linearBorder)
	affineWhole = skel.NewWavefrontOf(worthRow, letter, affineFloored, affineBorder)
)

// at is a cell; row and column -1 are the borders.
func (m *matrix) at(i, j int) gaps {
	switch {
	case i < 0 && j < 0:
		return gaps{m.edges.Corner, never, never}
	case i < 0:
		return gaps{m.edges.above(int64(j)), never, never}
	case j < 0:
		return gaps{m.edges.beside(int64(i)), never, never}
	case m.affine != nil:
		return m.affine[i*m.cols+j]
	}
	open := int32(m.Open * scale)
	return gaps{m.linear[i*m.cols+j].H, m.h(i-1, j) - open, m.h(i, j-1) - open}
}

func (m *matrix) h(i, j int) int32 {
	if i < 0 || j < 0 || m.linear == nil {
		return m.at(i, j).H
	}
	return m.linear[i*m.cols+j].H
}
