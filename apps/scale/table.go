package scale

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// textTable is a table of text with a header.
type textTable struct {
	label string // for messages: the file
	names []string
	rows  [][]string
	lines []int // the number of the line of each row
	comma bool  // numbers may have a decimal comma
}

// readTable reads a csv with a header. The separator is a semicolon, a tab or a comma: the first of
// these that the first line has.
func readTable(ctx context.Context, name string, stdin io.Reader) (*textTable, error) {
	f, err := input.Open(ctx, name, stdin, 1<<18)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Text(); err != nil {
		return nil, f.Wrap(err)
	}
	t := &textTable{label: f.Label}
	first, err := f.Peek(1 << 16)
	if err != nil && !errors.Is(err, io.EOF) && len(first) == 0 {
		return nil, f.Wrap(err)
	}
	if line, _, _ := bytes.Cut(first, []byte("\n")); len(bytes.TrimSpace(first)) > 0 {
		t.comma = bytes.ContainsAny(line, ";\t")
		r := csv.NewReader(f)
		r.Comma, r.Comment = separator(line), '#'
		r.TrimLeadingSpace = r.Comma != '\t' // a tab is a space, too
		err = t.read(r)
	} else {
		err = fmt.Errorf("%s: it is empty", t.label)
	}
	return t, f.Wrap(err)
}

func separator(line []byte) rune {
	for _, s := range ";\t," {
		if bytes.ContainsRune(line, s) {
			return s
		}
	}
	return ','
}

// read reads the header and the rows.
func (t *textTable) read(r *csv.Reader) error {
	for {
		row, err := r.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			if len(t.rows) == 0 {
				return fmt.Errorf("%s: it holds no rows below a header", t.label)
			}
			return nil
		case errors.As(err, &wrong) && errors.Is(err, csv.ErrFieldCount):
			return fmt.Errorf("%s:%d: it has %s, but line 1 has %d", t.label, wrong.Line, app.Count(len(row), "field"),
				len(t.names))
		case errors.As(err, &wrong):
			return fmt.Errorf("%s:%d:%d: %w", t.label, wrong.Line, wrong.Column, wrong.Err)
		case err != nil:
			return err
		}
		for i, s := range row {
			row[i] = strings.TrimSpace(s)
		}
		line, _ := r.FieldPos(0)
		if t.names == nil {
			t.names = row
			if err := t.checkNames(line); err != nil {
				return err
			}
			continue
		}
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
	}
}

// checkNames reports columns of the same name, which options and models could not tell apart, and names
// with control characters, which are printed.
func (t *textTable) checkNames(line int) error {
	for c, name := range t.names {
		if strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("%s:%d: the name of column %d, %q, has a control character; rename it", t.label,
				line, c+1, name)
		}
		if first := slices.Index(t.names, name); first < c {
			return fmt.Errorf("%s:%d: columns %d and %d are both called %q; rename one of them", t.label, line, first+1,
				c+1, name)
		}
	}
	return nil
}

// column returns the column called name, or with that number from 1.
func (t *textTable) column(name string) (int, error) {
	if c := slices.Index(t.names, name); c >= 0 {
		return c, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(t.names) {
		return n - 1, nil
	}
	return 0, fmt.Errorf("%s: no column %q; available: %s", t.label, name, strings.Join(t.names, ", "))
}

// columns returns the columns of a list, or all except one if the list is empty, and leaves out others.
func (t *textTable) columns(list, ignore []string, except ...int) (keep []int, err error) {
	for _, name := range list {
		c, err := t.column(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(keep, c) || slices.Contains(except, c) {
			return nil, fmt.Errorf("%s: column %q is used twice", t.label, name)
		}
		keep = append(keep, c)
	}
	if len(list) == 0 {
		for c := range t.names {
			if !slices.Contains(except, c) {
				keep = append(keep, c)
			}
		}
	}
	for _, name := range ignore {
		c, err := t.column(name)
		if err != nil {
			return nil, err
		}
		keep = slices.DeleteFunc(keep, func(k int) bool { return k == c })
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("%s: no feature is left of %s", t.label, app.Count(len(t.names), "column"))
	}
	return keep, nil
}

// absent reports whether a field is a missing value.
func absent(s string) bool {
	switch strings.ToLower(s) {
	case "", "na", "nan", "?", "null", ".":
		return true
	}
	return false
}

// parse returns the number in a field, or NaN if it is missing.
func (t *textTable) parse(s string) (float64, error) {
	if absent(s) {
		return math.NaN(), nil
	}
	if t.comma && !strings.Contains(s, ".") {
		s = strings.Replace(s, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("is too large")
	case err != nil || strings.ContainsAny(s, "xX_"):
		return 0, errors.New("is not a number")
	case math.IsInf(v, 0) || math.IsNaN(v):
		return 0, errors.New("is not finite")
	}
	return v, nil
}

// number returns the number in a row and column, or NaN if it is missing.
func (t *textTable) number(row, column int) (float64, error) {
	v, err := t.parse(t.rows[row][column])
	if err != nil {
		return 0, fmt.Errorf("%s:%d: %q in column %s %w; use --ignore to leave the column out", t.label, t.lines[row],
			t.rows[row][column], t.names[column], err)
	}
	return v, nil
}

// numeric reports whether a column has numbers and missing values only.
func (t *textTable) numeric(column int) bool {
	for _, row := range t.rows {
		if _, err := t.parse(row[column]); err != nil {
			return false
		}
	}
	return true
}

// values returns the different values of a column in the order of their first rows.
func (t *textTable) values(column int) (list []string) {
	seen := map[string]bool{}
	for _, row := range t.rows {
		if v := row[column]; !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}
