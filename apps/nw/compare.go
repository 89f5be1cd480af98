package nw

import (
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/nw/align"
	raw "github.com/skelgo/skelgo/apps/nw/baseline"
	"github.com/skelgo/skelgo/apps/nw/rodinia"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/opencl/cl"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const (
	gapCost     = 10 // of a letter
	tileLetters = 16 // the twin takes multiples of it
)

// nwLetters is n, or the next number of letters that the twin takes.
func nwLetters(n int) int { return (n + tileLetters - 1) / tileLetters * tileLetters }

var comparison = &baseline.Comparison{
	N: 2048, Size: size, Bytes: func(n float64) float64 { return 20 * n * n },
	Versions: []baseline.Version{
		{Name: "skelgo", Host: []string{"nw.go"}, Generated: []string{"zkernels.go"}},
		{Name: "skelgo-scan", Host: []string{"scan.go"}},
		{Name: "raw", Host: []string{"baseline/nw.go"}, Kernel: []string{"baseline/nw.cl"}},
	},
	Programs: programs,
}

func size(n int) string {
	n = nwLetters(n)
	return fmt.Sprintf("two proteins of %d letters (a multiple of %d), BLOSUM62, gap %d", n, tileLetters, gapCost)
}

// sequences are Rodinia's, as letters and as codes.
type sequences struct {
	seq.Pair
	worth *subst.Matrix
	a, b  []byte
}

func (s *sequences) encode() (err error) {
	if s.worth, err = subst.Lookup("BLOSUM62"); err != nil {
		return err
	}
	if s.a, err = s.worth.EncodeRecord(s.A, 0); err != nil {
		return err
	}
	s.b, err = s.worth.EncodeRecord(s.B, 0)
	return err
}

// onDevice are sequences on a device, and the matrix that is made of them.
type onDevice struct {
	*sequences
	d     *devices.Device
	a, b  *vector.Vector[byte]
	worth *matrix.Matrix[int32]
	h     *matrix.Matrix[int32]
}

func (x *onDevice) upload() error {
	if err := x.encode(); err != nil {
		return err
	}
	where, size := vector.Single(x.d), x.sequences.worth.Size()
	x.a, x.b = vector.From(x.sequences.a, where), vector.From(x.sequences.b, where)
	x.worth = matrix.From(size, size, x.sequences.worth.Table(), where)
	return x.d.Sync()
}

// free gives back the matrix of the run before.
func (x *onDevice) free() {
	if x.h != nil {
		x.h.Free()
	}
	x.h = nil
}

func (x *onDevice) close() {
	x.free()
	if x.a != nil {
		x.a.Free()
		x.b.Free()
		x.worth.Free()
	}
}

// aligned is what a program found: check sums of the rows of the matrix, without those
// of gaps, and the path; nil when it looks for none.
type aligned struct {
	rows []uint32
	path align.Cigar
}

// keep notes a matrix of n columns, and at the left and above that of gaps, if
// wanted.
func (r *aligned) keep(h []int32, n, gaps int) {
	r.rows = nil
	for i := gaps; i < n+gaps; i++ {
		r.rows = append(r.rows, crc32.ChecksumIEEE(cl.Bytes(h[i*(n+gaps)+gaps:(i+1)*(n+gaps)])))
	}
}

// agree compares with the first program.
func (r *aligned) agree(first *aligned) error {
	for i := range first.rows {
		if r.rows[i] != first.rows[i] {
			return fmt.Errorf("row %d of the matrix differs from skelgo's", i)
		}
	}
	if r.path != nil && r.path.String() != first.path.String() {
		return errors.New("the path differs from skelgo's")
	}
	return nil
}

// laps are the parts of a run.
type laps struct {
	last             time.Time
	transfer, onHost time.Duration
}

func (l *laps) next(part *time.Duration) {
	now := time.Now()
	if part != nil {
		*part = now.Sub(l.last)
	}
	l.last = now
}

func (l *laps) moving() time.Duration { return l.transfer }
func (l *laps) host() time.Duration   { return l.onHost }

func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	n = nwLetters(n)
	pair := rodinia.Sequences(n)
	var first, last *aligned

	var wave laps
	waved, found := &onDevice{sequences: &sequences{Pair: pair}, d: d}, aligned{}
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: waved.upload,
		Run: func() error {
			waved.free()
			waved.h = Scores(waved.a, waved.b, waved.worth, gapCost)
			if err := waved.h.Wait(); err != nil {
				return err
			}
			wave.next(nil)
			h, err := waved.h.Host()
			if err != nil {
				return err
			}
			wave.next(&wave.transfer)
			found.path = Path(h, pair.A.Letters, pair.B.Letters, waved.sequences.worth.Score, gapCost)
			wave.next(&wave.onHost)
			return nil
		},
		Moving: wave.moving, Host: wave.host,
		Close: func() error {
			defer waved.close()
			return keepMatrix(&last, &found, waved.h, n, 0)
		},
	})

	var scan laps
	scanned, byScan := &onDevice{sequences: &sequences{Pair: pair}, d: d}, aligned{}
	all = append(all, baseline.Program{
		Version: "skelgo-scan", Device: d.ID(),
		Upload: scanned.upload,
		Run: func() (err error) {
			scanned.free()
			if scanned.h, err = ScoresByScan(scanned.a, scanned.b, scanned.worth, gapCost); err != nil {
				return err
			}
			if err := scanned.h.Wait(); err != nil {
				return err
			}
			scan.next(nil)
			_, err = scanned.h.Host()
			scan.next(&scan.transfer)
			return err
		},
		Moving: scan.moving,
		Close: func() error {
			defer scanned.close()
			return keepMatrix(&last, &byScan, scanned.h, n, 1)
		},
	})

	number, id := baseline.Device(d)
	var p *raw.Program
	var byHand laps
	var h []int32
	s, byTwin := sequences{Pair: pair}, aligned{}
	all = append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:  func() (err error) { p, err = raw.Open(number); return err },
		Build: func() error { return p.Build() },
		Upload: func() error {
			if err := s.encode(); err != nil {
				return err
			}
			return p.Upload(s.a, s.b, s.worth.Table(), s.worth.Size(), gapCost)
		},
		Run: func() (err error) {
			h = nil
			if err := p.Run(); err != nil {
				return err
			}
			byHand.next(nil)
			if h, err = p.Download(); err != nil {
				return err
			}
			byHand.next(&byHand.transfer)
			byTwin.path = p.Path(h)
			byHand.next(&byHand.onHost)
			return nil
		},
		Moving: byHand.moving, Host: byHand.host,
		Close: func() error {
			if h != nil {
				byTwin.keep(h, n, 1)
				last, h = &byTwin, nil
			}
			return p.Close()
		},
	})
	return all, func() error {
		if first == nil {
			first = last
		}
		return last.agree(first)
	}
}

// keepMatrix notes what a program found, when it came so far.
func keepMatrix(last **aligned, found *aligned, m *matrix.Matrix[int32], n, gaps int) error {
	if m == nil {
		return nil
	}
	h, err := m.Host()
	if err != nil {
		return err
	}
	found.keep(h, n, gaps)
	*last = found
	return nil
}
