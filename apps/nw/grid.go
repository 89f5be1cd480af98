package nw

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/nw/batch"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// grid is all scores of a pair's matrix, row by row, without the border.
type grid struct {
	scores     []int32
	rows, cols int
}

// grid computes the scores of the only pair, once.
func (j *job) grid(ctx context.Context) (*grid, error) {
	if j.known == nil {
		j.phases.Start("matrix")
		scores, rows, cols, err := batch.Matrix(ctx, j.pairs[0], j.options)
		if err != nil {
			return nil, blame(err)
		}
		j.known = &grid{scores, rows, cols}
	}
	return j.known, nil
}

// save adds the scores of a pair to a set of files: as .npy (int32, rank 2) when the file is
// called so, else as a table of text with the letters as its head and first
// column.
func (g *grid) save(files *output.Set, name string, p seq.Pair) error {
	return files.Write(name, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(name), ".npy") {
			return g.npy(w)
		}
		return g.text(w, p)
	})
}

func (g *grid) text(w io.Writer, p seq.Pair) error {
	var line []byte
	for _, letter := range p.B.Letters {
		line = append(line, '\t', letter)
	}
	for i, letter := range p.A.Letters {
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		line = append(line[:0], letter)
		for _, score := range g.scores[i*g.cols : (i+1)*g.cols] {
			line = strconv.AppendInt(append(line, '\t'), int64(score), 10)
		}
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// npy writes NumPy's format, version 1.0: a magic number, the length of the
// head, the head, filled up to a multiple of 64 bytes, and the numbers.
// (numpy.lib.format)
func (g *grid) npy(w io.Writer) error {
	head := fmt.Sprintf("{'descr': '<i4', 'fortran_order': False, 'shape': (%d, %d), }", g.rows, g.cols)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	start := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	if _, err := w.Write(append(start, head...)); err != nil {
		return err
	}
	line := make([]byte, 0, 4*g.cols)
	for i := range g.rows {
		line = line[:0]
		for _, score := range g.scores[i*g.cols : (i+1)*g.cols] {
			line = binary.LittleEndian.AppendUint32(line, uint32(score))
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
