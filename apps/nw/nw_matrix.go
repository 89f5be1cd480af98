package nw

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// SizeError reports that a pair is too long for what was asked of it, and what would do.
type SizeError struct {
	Pair seq.Pair
	why  string
}

// Error names the sequences, their lengths, and what would do.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s (%d letters) with %s (%d letters): %s",
		e.Pair.A.Name, len(e.Pair.A.Letters), e.Pair.B.Name, len(e.Pair.B.Letters), e.why)
}

func unscaleLinear(c linearScore) int32           { return c.H / scale }
func unscaleAffine(c affineScore) int32           { return c.H / scale }
func unscaleLocal(c localScore) int32             { return c.H / scale }
func unscaleLocalAffine(c localAffineScore) int32 { return c.Local.H / scale }

var (
	unscalesLinear      = skel.NewMap(unscaleLinear)
	unscalesAffine      = skel.NewMap(unscaleAffine)
	unscalesLocal       = skel.NewMap(unscaleLocal)
	unscalesLocalAffine = skel.NewMap(unscaleLocalAffine)
)

// Matrix computes all scores of a pair's matrix on the first device, row by row and
// without the edge: element (i, j) is the score of the best alignment that ends with
// letters i of A and j of B; in local mode that alignment may be empty. Gaps at the end
// are not free here. Matrix returns a *SizeError if the matrix does not fit the device's
// memory or has more than 2^31 cells.
func Matrix(ctx context.Context, p seq.Pair, o Options) (scores []int32, rows, cols int, err error) {
	if err := o.check([]seq.Pair{p}); err != nil {
		return nil, 0, 0, err
	}
	s := o.aligner(o.Devices[0])
	defer s.free()
	if err := s.fits(p); err != nil {
		return nil, 0, 0, err
	}
	b, tables, err := s.upload([]seq.Pair{p}, &progress{ctx: ctx, report: o.Progress, passes: 1, left: cells(p)})
	if err != nil {
		return nil, 0, 0, err
	}
	defer b.free()
	switch local := o.Mode == align.Local; {
	case local && o.affine():
		scores, err = everyCell(b, tables, localAffineScores, unscalesLocalAffine)
	case local:
		scores, err = everyCell(b, tables, localScores, unscalesLocal)
	case o.affine():
		scores, err = everyCell(b, tables, affineScores, unscalesAffine)
	default:
		scores, err = everyCell(b, tables, linearScores, unscalesLinear)
	}
	if err == nil {
		b.progress.finish()
	}
	return scores, len(p.A.Letters), len(p.B.Letters), err
}

// everyCell computes all cells of tables and returns their scores.
func everyCell[C cell](
	b *batch, tables []table, w *skel.WavefrontWith[C, problem], unscale *skel.Map[C, int32],
) ([]int32, error) {
	if err := b.progress.add(0); err != nil {
		return nil, err
	}
	onDevice := vector.From(tables, b.where)
	defer onDevice.Free()
	p := b.problem(onDevice, false, b.Mode == align.Local)
	cells := w.With(p).Watched(b.progress.add).ApplyTables(skelTables(tables))
	defer cells.Free()
	scores := unscale.Apply(cells)
	defer scores.Free()
	list, err := scores.Host()
	return slices.Clone(list), err
}

// fits checks that the device has memory for all cells of a pair and for their scores.
func (s *aligner) fits(p seq.Pair) error {
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
		most = min(most, info.Memory/4*3/(bytes+4)) // some is in use
	}
	if info.Kind == devices.CPU && info.Memory > 0 {
		most = min(most, info.Memory/4*3/(bytes+8)) // the scores are there twice
	}
	if info.MaxAlloc > 0 {
		most = min(most, info.MaxAlloc/bytes)
	}
	if cells(p) <= most {
		return nil
	}
	return app.InputError(&SizeError{p, fmt.Sprintf("the whole matrix has %d cells, and %s has memory for %d: "+
		"for two sequences of %.0f letters",
		cells(p), s.device.ID(), most, math.Floor(math.Sqrt(float64(most))))})
}
