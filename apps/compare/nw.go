package compare

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/skelgo/skelgo/apps/nw"
	"github.com/skelgo/skelgo/apps/nw/align"
	rawnw "github.com/skelgo/skelgo/apps/nw/baseline"
	"github.com/skelgo/skelgo/apps/nw/plain"
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

func nwSize(n int) string {
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

func nwPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	n = nwLetters(n)
	pair := seq.Rodinia(n)
	var first, last *aligned

	var wave laps
	waved, found := &onDevice{sequences: &sequences{Pair: pair}, d: d}, aligned{}
	all = append(all, program{
		twin: "skelgo-plain", device: d.ID(),
		upload: waved.upload,
		run: func() error {
			waved.free()
			waved.h = plain.Scores(waved.a, waved.b, waved.worth, gapCost)
			if err := waved.h.Wait(); err != nil {
				return err
			}
			wave.next(nil)
			h, err := waved.h.Host()
			if err != nil {
				return err
			}
			wave.next(&wave.transfer)
			found.path = plain.Path(h, pair.A.Letters, pair.B.Letters, waved.sequences.worth.Score, gapCost)
			wave.next(&wave.onHost)
			return nil
		},
		moving: wave.moving, host: wave.host,
		close: func() error {
			defer waved.close()
			return keepMatrix(&last, &found, waved.h, n, 0)
		},
	})

	var alone laps
	tuned := &sequences{Pair: pair}
	var byAlign *aligned
	all = append(all, program{
		twin: "skelgo-tuned", device: d.ID(),
		upload: tuned.encode, // Align uploads the letters itself
		run: func() error {
			o := nw.Options{
				Scoring: align.Scoring{Matrix: tuned.worth, Open: gapCost, Extend: gapCost, Mode: align.Global},
				Path:    true, Devices: []*devices.Device{d},
			}
			begin := time.Now()
			return nw.Align(context.Background(), []seq.Pair{pair}, o, func(a *align.Alignment) error {
				byAlign = &aligned{path: a.Path}
				alone.onHost = time.Since(begin) - time.Duration(a.Seconds*float64(time.Second))
				return nil
			})
		},
		host: alone.host,
		close: func() error {
			if byAlign != nil {
				last, byAlign = byAlign, nil
			}
			return nil
		},
	})

	number, id := rawDevice(d)
	var p *rawnw.Program
	var raw laps
	var h []int32
	s, byTwin := sequences{Pair: pair}, aligned{}
	all = append(all, program{
		twin: "raw", device: id,
		open:  func() (err error) { p, err = rawnw.Open(number); return err },
		build: func() error { return p.Build() },
		upload: func() error {
			if err := s.encode(); err != nil {
				return err
			}
			return p.Upload(s.a, s.b, s.worth.Table(), s.worth.Size(), gapCost)
		},
		run: func() (err error) {
			h = nil
			if err := p.Run(); err != nil {
				return err
			}
			raw.next(nil)
			if h, err = p.Download(); err != nil {
				return err
			}
			raw.next(&raw.transfer)
			byTwin.path = p.Path(h)
			raw.next(&raw.onHost)
			return nil
		},
		moving: raw.moving, host: raw.host,
		close: func() error {
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
