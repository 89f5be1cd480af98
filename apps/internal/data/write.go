package data

import (
	"encoding/csv"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// Write adds a table to a set of files, or writes it at once if files is nil. The format
// is .npy (float64, rank 2) if the name has that extension, otherwise csv, with a header if
// the columns have names. float32 numbers are written with as few digits as identify them.
func Write[T Number](files *output.Set, name string, t *Table[T]) error {
	return files.Write(name, func(w io.Writer) error {
		if isNPY(name) {
			wide := make([]float64, len(t.Data))
			for i, v := range t.Data {
				wide[i] = float64(v)
			}
			return npy.Write(w, mat.NewDense(t.Rows, t.Cols, wide))
		}
		bits := 64
		if _, ok := any(T(0)).(float32); ok {
			bits = 32
		}
		c := csv.NewWriter(w)
		if t.Names != nil {
			c.Write(t.Names)
		}
		record := make([]string, t.Cols)
		for i := range t.Rows {
			for j, v := range t.Row(i) {
				record[j] = strconv.FormatFloat(float64(v), 'g', -1, bits)
			}
			c.Write(record)
		}
		c.Flush()
		return c.Error() // also of the writes above
	})
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
