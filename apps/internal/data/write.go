package data

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sbinet/npyio/npy"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// Write adds a table to a set of files, or writes it at once if files is nil. The format
// is .npy (float64, rank 2) if the name has that extension, otherwise csv, with a header if
// the columns have names. float32 numbers are written with as few digits as identify them.
func Write[T Number](files *output.Set, name string, t *Table[T]) error {
	return WriteRows(files, name, t, func(yield func([]T, error) bool) { yield(t.Data, nil) })
}

// WriteRows is Write for a table whose rows the blocks hold one after the other, and not t.Data. It stops
// at the first error, and returns errors of the blocks as they are.
func WriteRows[T Number](files *output.Set, name string, t *Table[T], blocks iter.Seq2[[]T, error]) error {
	var failed error
	err := files.Write(name, func(w io.Writer) error {
		write, rows := writeCSV(w, t), 0
		if isNPY(name) {
			write = writeNPY(w, t)
		}
		for block, err := range blocks {
			if err != nil {
				failed = err
				return err
			}
			if err := write(block); err != nil {
				return err
			}
			rows += len(block) / t.Cols
		}
		if rows != t.Rows {
			return fmt.Errorf("the blocks have %d rows, not %d", rows, t.Rows)
		}
		return nil
	})
	return cmp.Or(failed, err)
}

// writeNPY returns a function that writes rows of a table as .npy.
func writeNPY[T Number](w io.Writer, t *Table[T]) func(rows []T) error {
	header, wide := arrayHeader[float64]([]int{t.Rows, t.Cols}), []float64(nil)
	return func(rows []T) error {
		if _, err := io.WriteString(w, header); err != nil {
			return err
		}
		header = ""
		for part := range slices.Chunk(rows, 1<<16) {
			wide = wide[:0]
			for _, v := range part {
				wide = append(wide, float64(v))
			}
			if err := writeElements(w, wide); err != nil {
				return err
			}
		}
		return nil
	}
}

// writeCSV returns a function that writes rows of a table as csv.
func writeCSV[T Number](w io.Writer, t *Table[T]) func(rows []T) error {
	bits := 64
	if _, ok := any(T(0)).(float32); ok {
		bits = 32
	}
	c, header, record := csv.NewWriter(w), t.Names, make([]string, t.Cols)
	return func(rows []T) error {
		if header != nil {
			c.Write(header)
		}
		header = nil
		for row := range slices.Chunk(rows, t.Cols) {
			for j, v := range row {
				record[j] = strconv.FormatFloat(float64(v), 'g', -1, bits)
			}
			c.Write(record)
		}
		c.Flush()
		return c.Error() // also of the writes above
	}
}

// WriteLabels adds labels to a set of files, or writes them at once if files is nil. The
// format is .npy (int32) if the name has that extension, otherwise text with one label per
// line.
func WriteLabels(files *output.Set, name string, labels []int32) error {
	return files.Write(name, func(w io.Writer) error {
		if isNPY(name) {
			return npy.Write(w, labels)
		}
		var line []byte
		for _, l := range labels {
			line = append(strconv.AppendInt(line[:0], int64(l), 10), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
}

func isNPY(name string) bool { return strings.EqualFold(filepath.Ext(name), ".npy") }
