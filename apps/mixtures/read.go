package mixtures

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/input"
)

func (c *Command) files() []string { return c.Files }

// read reads the files.
func (c *Command) read(ctx context.Context, r *app.Runner, j *job) error {
	if c.Long && (c.Rows || c.Columns != nil || c.Ignore != nil || c.Format == "npy") {
		return app.InputErrorf("--long cannot be combined with --rows, --columns, --ignore and --format npy")
	}
	for _, name := range c.Files {
		stdin := r.Env.Stdin
		head, err := beginning(ctx, name, &stdin)
		if err != nil {
			return app.InputError(err)
		}
		if err := c.readFile(ctx, r, j, name, stdin, head); err != nil {
			return app.InputError(err)
		}
	}
	if len(j.sets) == 0 {
		return app.InputErrorf("%s: there are no values", label(c.Files[0]))
	}
	return nil
}

// headLength is how much of a file is looked at to find out what it holds.
const headLength = 1 << 16

// beginning returns the first bytes of a file, decompressed, or nil if it is a pipe with a name, which
// cannot be read twice. If it is standard input, beginning replaces stdin by a reader of all of it.
func beginning(ctx context.Context, name string, stdin *io.Reader) ([]byte, error) {
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, nil // whoever reads it reports the error
		}
	}
	f, err := input.Open(ctx, name, *stdin, headLength)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := f.Peek(headLength)
	if err != nil && err != io.EOF {
		return nil, f.Wrap(err)
	}
	if name == "-" {
		*stdin = f
	}
	return bytes.Clone(head), nil
}

var npyMagic = []byte("\x93NUMPY")

// readFile reads a file, or stdin if its name is "-". head are its first bytes.
func (c *Command) readFile(
	ctx context.Context, r *app.Runner, j *job, name string, stdin io.Reader, head []byte,
) error {
	npy := bytes.HasPrefix(head, npyMagic)
	switch whole := !c.Rows && c.Columns == nil && c.Ignore == nil; {
	case c.Long && npy:
		return fmt.Errorf("%s: it is a .npy; --long reads only text", label(name))
	case c.Long:
		return c.readLong(ctx, j, name, stdin)
	case npy || c.Format == "npy" || !whole:
		return c.readTable(ctx, r, j, name, stdin, head, false)
	}
	first, err := firstFields(ctx, head)
	if err != nil {
		return err
	}
	switch {
	case isLong(first, "set", "value"):
		return c.readLong(ctx, j, name, stdin)
	case isLong(first, "value", "set"):
		return fmt.Errorf("%s: the columns value and set must be in the order set, value; "+
			"with --columns value, the column is one data set", label(name))
	}
	return c.readTable(ctx, r, j, name, stdin, head, len(first) == 2 || head == nil)
}

// label returns the name of a file in messages.
func label(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// baseName returns the name of a file without folders and extension.
func baseName(name string) string {
	return strings.TrimSuffix(filepath.Base(label(name)), filepath.Ext(name))
}

// add adds a data set. at returns where value i is, for an error.
func (j *job) add(name string, values []float64, rows []int, at func(i int) string) error {
	for i, x := range values {
		if wrong := j.fit.Family.Check(x); wrong != "" {
			return app.InputErrorf("%s: the value is %v; for %s distributions %s", at(i), x, j.fit.Family.Title, wrong)
		}
	}
	j.sets, j.rows = append(j.sets, Set{name, values}), append(j.rows, rows)
	return nil
}

// readTable reads a table whose columns or rows are data sets. If it cannot be read, but may have
// two columns, it may be a table for --long.
func (c *Command) readTable(
	ctx context.Context, r *app.Runner, j *job, name string, stdin io.Reader, head []byte, two bool,
) error {
	t, err := c.table(ctx, name, stdin, bytes.HasPrefix(head, npyMagic))
	if err != nil && two && ctx.Err() == nil {
		return fmt.Errorf("%w (--long reads lines of the name of a data set and a value)", err)
	}
	if err != nil {
		return err
	}
	for _, note := range t.Notes {
		r.Env.Notef("%s: %s", label(name), note)
	}
	base := baseName(name)
	outer, inner := t.Cols, t.Rows
	if c.Rows {
		outer, inner = t.Rows, t.Cols
	}
	for s := range outer {
		values, rows := make([]float64, 0, inner), []int(nil)
		for i := range inner {
			x := t.Data[i*t.Cols+s%t.Cols]
			if c.Rows {
				x = t.Data[s*t.Cols+i]
			}
			if math.IsNaN(x) {
				if rows == nil {
					rows = upTo(i)
				}
				continue
			}
			values = append(values, x)
			if rows != nil {
				rows = append(rows, i)
			}
		}
		if len(values) == 0 {
			continue // an empty column
		}
		set := base
		switch {
		case c.Rows:
			set += ":" + strconv.Itoa(s+1)
		case t.Names != nil && len(c.Files) > 1:
			set += ":" + t.Name(s)
		case t.Names != nil:
			set = t.Name(s)
		case outer > 1:
			set += ":" + strconv.Itoa(t.Column(s)+1)
		}
		err := j.add(set, values, rows, func(i int) string {
			if rows != nil {
				i = rows[i]
			}
			row, col := i, s
			if c.Rows {
				row, col = s, i
			}
			return label(name) + ": row " + strconv.Itoa(row+1) + ", column " + strconv.Itoa(t.Column(col)+1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// table reads a table, or a .npy of rank 1 as one column.
func (c *Command) table(ctx context.Context, name string, stdin io.Reader, npy bool) (*data.Table[float64], error) {
	o := data.Options{
		Format: data.Format(c.Format), Columns: c.Columns, Ignore: c.Ignore, Stdin: stdin, AllowNonFinite: true,
	}
	if !npy || c.Format == "csv" || c.Columns != nil || c.Ignore != nil {
		return data.Read[float64](ctx, name, o)
	}
	x, shape, err := data.ReadArray[float64](ctx, name, o)
	switch {
	case err != nil:
		return nil, err
	case len(x) == 0:
		return nil, fmt.Errorf("%s: it holds no data: shape %v", label(name), shape)
	case len(shape) == 1:
		return &data.Table[float64]{Rows: len(x), Cols: 1, Data: x}, nil
	case len(shape) == 2:
		return &data.Table[float64]{Rows: shape[0], Cols: shape[1], Data: x}, nil
	}
	return nil, fmt.Errorf("%s: an array of rank %d, shape %v; it must have rank 1, or rank 2 with a column for each "+
		"data set", label(name), len(shape), shape)
}

func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// firstFields returns the fields of the first line of a table of text, or nil if there are none.
func firstFields(ctx context.Context, head []byte) ([]string, error) {
	f, err := input.Open(ctx, "-", bytes.NewReader(head), 1<<12)
	if err != nil {
		return nil, nil // compressed twice: readTable reports it
	}
	defer f.Close()
	if f.Text() != nil {
		return nil, nil
	}
	line, _, err := firstLine(f)
	if err != nil {
		return nil, f.Wrap(err)
	}
	fields, err := newLongReader(strings.NewReader(line), separator([]byte(line))).read()
	if err != nil {
		return nil, nil // readTable reports what is wrong
	}
	return fields, nil
}

// isLong reports whether the first line of a table is a header with two names, or has the name of
// a column of row names before them.
func isLong(first []string, a, b string) bool {
	n := len(first)
	return (n == 2 || n == 3) && strings.EqualFold(first[n-2], a) && strings.EqualFold(first[n-1], b)
}

// separator returns what separates the fields of a line: a blank if nothing else outside of quotes.
func separator(line []byte) rune {
	quoted := false
	outside := bytes.Map(func(r rune) rune {
		quoted = quoted != (r == '"')
		if quoted {
			return -1
		}
		return r
	}, line)
	for _, sep := range ";\t," {
		if bytes.ContainsRune(bytes.TrimSpace(outside), sep) {
			return sep
		}
	}
	return ' '
}

// longReader reads lines of fields.
type longReader struct{ csv.Reader }

func newLongReader(r io.Reader, sep rune) *longReader {
	l := &longReader{*csv.NewReader(r)}
	l.Comma, l.Comment, l.FieldsPerRecord = sep, '#', -1
	l.TrimLeadingSpace = sep == ',' || sep == ';' // it would skip empty fields between others
	return l
}

// read returns the fields of the next line that has any.
func (l *longReader) read() ([]string, error) {
	for {
		record, err := l.Read()
		if err != nil {
			return nil, err
		}
		var fields []string
		for _, f := range record {
			if l.Comma == ' ' { // fields may have several blanks and tabs between them
				fields = append(fields, strings.FieldsFunc(f, func(r rune) bool { return r == '\t' })...)
				continue
			}
			fields = append(fields, strings.TrimSpace(f))
		}
		if len(fields) > 1 || len(fields) == 1 && fields[0] != "" {
			return fields, nil
		}
	}
}

// line returns the number of the line that was read last.
func (l *longReader) line() int {
	number, _ := l.FieldPos(0)
	return number
}

// readLong reads a table with the name of a data set and a value in each line. As in R, lines may
// begin with row names, all different: below a header with three names, or with only two, or whole
// numbers without a header. They are left out.
func (c *Command) readLong(ctx context.Context, j *job, name string, stdin io.Reader) error {
	f, err := input.Open(ctx, name, stdin, 1<<20)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Text(); err != nil {
		return err
	}
	first, skipped, err := firstLine(f)
	if err != nil {
		return f.Wrap(err)
	}
	var names []string
	values, lines := map[string][]float64{}, map[string][]int{}
	in := newLongReader(io.MultiReader(strings.NewReader(first), f), separator([]byte(first)))
	rowNames := map[string]bool{}
	for header, named, count := true, false, 0; ; {
		fields, err := in.read()
		if err == io.EOF {
			break
		}
		if wrong := new(csv.ParseError); errors.As(err, &wrong) {
			return f.Errorf("line %d: %w", wrong.Line+skipped, wrong.Err)
		}
		if err != nil {
			return f.Wrap(err)
		}
		number, n := in.line()+skipped, len(fields)
		x, failed := 0.0, error(nil)
		if n == 2 || n == 3 {
			x, failed = strconv.ParseFloat(fields[n-1], 64)
			if header && failed != nil {
				if header, named = false, n == 2; n == 3 {
					count = n // a column of row names has a name, too
				}
				continue
			}
		}
		if count == 0 && (n == 2 || n == 3 && (named || isWhole(fields[0]))) {
			count = n // the header of R's write.table has no name for row names
		}
		header = false
		if n != max(count, 2) {
			return f.Errorf("line %d has %s; it must have a data set and a value%s", number, app.Count(n, "field"),
				map[bool]string{true: " after the row name"}[count == 3])
		}
		if row := fields[0]; count == 3 && !isWhole(row) {
			if rowNames[row] {
				return f.Errorf("line %d has 3 fields, but %q, which occurs before, cannot be a row name; "+
					"quote names that contain what separates fields", number, row)
			}
			rowNames[row] = true
		}
		set, text := fields[n-2], fields[n-1]
		if text == "" || text == "NA" || math.IsNaN(x) {
			continue
		}
		if failed != nil {
			return f.Errorf("line %d: %q is not a number", number, text)
		}
		if values[set] == nil {
			names = append(names, set)
		}
		values[set], lines[set] = append(values[set], x), append(lines[set], number)
	}
	for _, set := range names {
		title := set
		if len(c.Files) > 1 {
			title = baseName(name) + ":" + set
		}
		err := j.add(title, values[set], nil, func(i int) string {
			return label(name) + ": line " + strconv.Itoa(lines[set][i])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstLine returns the first line that is not empty or a comment, and how many are before it.
func firstLine(f *input.File) (line string, skipped int, err error) {
	for ; ; skipped++ {
		line, err = f.ReadString('\n')
		if err != nil && err != io.EOF {
			return "", skipped, err
		}
		if trimmed := strings.TrimSpace(line); err == io.EOF || trimmed != "" && trimmed[0] != '#' {
			return line, skipped, nil
		}
	}
}

// isWhole reports whether a field is a number of a row.
func isWhole(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
