package nw

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/nw/align"
	raw "github.com/skelgo/skelgo/apps/nw/baseline"
	"github.com/skelgo/skelgo/apps/nw/plain"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/opencl/cl"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const (
	compareGap  = 10 // cost of each letter of a gap
	compareTile = 16 // the hand-written OpenCL version takes multiples of it
)

var comparison = &baseline.Comparison{
	N: 2048, Size: comparisonSize, Bytes: func(n float64) float64 { return 20 * n * n },
	Versions: []baseline.Version{
		// The whole matrix of one pair with linear gap costs, as in raw.
		{Name: "skelgo-plain", Host: []string{"plain/plain.go"}, Generated: []string{"plain/zkernels.go"}},
		// What skelgo nw runs: many pairs, linear memory, all modes and gap costs.
		{
			Name:      "skelgo",
			Host:      []string{"nw.go", "nw_traceback.go", "nw_ends.go", "nw_plan.go", "nw_count.go", "align.go"},
			Generated: []string{"zkernels.go"},
		},
		{Name: "raw", Host: []string{"baseline/nw.go"}, Kernel: []string{"baseline/nw.cl"}},
	},
	Programs: comparisonPrograms,
}

// comparedLetters returns n rounded up to a number of letters that all versions take.
func comparedLetters(n int) int { return (n + compareTile - 1) / compareTile * compareTile }

func comparisonSize(n int) string {
	return fmt.Sprintf("two proteins of %d letters (a multiple of %d), BLOSUM62, gap %d",
		comparedLetters(n), compareTile, compareGap)
}

// sequences are Rodinia's sequences, as letters and as codes.
type sequences struct {
	seq.Pair
	scores *subst.Matrix
	a, b   []byte
}

func (s *sequences) encode() (err error) {
	if s.scores, err = subst.Lookup("BLOSUM62"); err != nil {
		return err
	}
	if s.a, err = s.scores.EncodeRecord(s.A, 0); err != nil {
		return err
	}
	s.b, err = s.scores.EncodeRecord(s.B, 0)
	return err
}

// onDevice is sequences on a device, and their matrix.
type onDevice struct {
	*sequences
	d      *devices.Device
	a, b   *vector.Vector[byte]
	scores *matrix.Matrix[int32]
	h      *matrix.Matrix[int32]
}

func (x *onDevice) upload() error {
	if err := x.encode(); err != nil {
		return err
	}
	where, size := vector.Single(x.d), x.sequences.scores.Size()
	x.a, x.b = vector.From(x.sequences.a, where), vector.From(x.sequences.b, where)
	x.scores = matrix.From(size, size, x.sequences.scores.Table(), where)
	return x.d.Sync()
}

// free frees the matrix of the run before.
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
		x.scores.Free()
	}
}

// aligned is what a program found: checksums of the rows of the matrix, without the edge,
// if it keeps the matrix, and the path.
type aligned struct {
	rows []uint32
	path align.Cigar
}

// keep notes a matrix of n columns with an edge of that many rows and columns.
func (r *aligned) keep(h []int32, n, edge int) {
	r.rows = nil
	for i := edge; i < n+edge; i++ {
		r.rows = append(r.rows, crc32.ChecksumIEEE(cl.Bytes(h[i*(n+edge)+edge:(i+1)*(n+edge)])))
	}
}

// agree compares with the first program, which keeps the matrix.
func (r *aligned) agree(first *aligned) error {
	for i := range r.rows {
		if r.rows[i] != first.rows[i] {
			return fmt.Errorf("row %d of the matrix differs from skelgo's", i)
		}
	}
	if r.path.String() != first.path.String() {
		return errors.New("the path differs from skelgo's")
	}
	return nil
}

// laps measures the parts of a run.
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

func comparisonPrograms(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	n = comparedLetters(n)
	pair := seq.Rodinia(n)
	var first, last *aligned

	var wave laps
	waved, found := &onDevice{sequences: &sequences{Pair: pair}, d: d}, aligned{}
	all = append(all, baseline.Program{
		Version: "skelgo-plain", Device: d.ID(),
		Upload: waved.upload,
		Run: func() error {
			waved.free()
			waved.h = plain.Scores(waved.a, waved.b, waved.scores, compareGap)
			if err := waved.h.Wait(); err != nil {
				return err
			}
			wave.next(nil)
			h, err := waved.h.Host()
			if err != nil {
				return err
			}
			wave.next(&wave.transfer)
			found.path = plain.Path(h, pair.A.Letters, pair.B.Letters, waved.sequences.scores.Score, compareGap)
			wave.next(&wave.onHost)
			return nil
		},
		TransferTime: wave.moving, HostTime: wave.host,
		Close: func() error {
			defer waved.close()
			return keepMatrix(&last, &found, waved.h, n, 0)
		},
	})

	var alone laps
	tuned := &sequences{Pair: pair}
	var byAlign *aligned
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: tuned.encode, // Align uploads the letters itself
		Run: func() error {
			o := Options{
				Scoring: align.Scoring{Matrix: tuned.scores, Open: compareGap, Extend: compareGap, Mode: align.Global},
				Path:    true, Devices: []*devices.Device{d},
			}
			begin := time.Now()
			return Align(context.Background(), []seq.Pair{pair}, o, func(a *align.Alignment) error {
				byAlign = &aligned{path: a.Path}
				alone.onHost = time.Since(begin) - time.Duration(a.Seconds*float64(time.Second))
				return nil
			})
		},
		HostTime: alone.host,
		Close: func() error {
			if byAlign != nil {
				last, byAlign = byAlign, nil
			}
			return nil
		},
	})

	number, id := baseline.Device(d)
	var p *raw.Program
	var byHand laps
	var h []int32
	s, ofRaw := sequences{Pair: pair}, aligned{}
	all = append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:  func() (err error) { p, err = raw.Open(number); return err },
		Build: func() error { return p.Build() },
		Upload: func() error {
			if err := s.encode(); err != nil {
				return err
			}
			return p.Upload(s.a, s.b, s.scores.Table(), s.scores.Size(), compareGap)
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
			ofRaw.path = p.Path(h)
			byHand.next(&byHand.onHost)
			return nil
		},
		TransferTime: byHand.moving, HostTime: byHand.host,
		Close: func() error {
			if h != nil {
				ofRaw.keep(h, n, 1)
				last, h = &ofRaw, nil
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

// keepMatrix keeps the matrix of a program, if it computed one, as the last result.
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
