package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// text reads a table from lines of fields.
type text[T Number] struct {
	label   string
	split   splitter
	comma   bool // numbers may have a decimal comma
	bits    int  // of T
	options Options
	signs   decimalSigns
	dest    []int // the place of each field in a row of the table, or -1
	empty   int   // the field after the last separator of each line, or -1
	sample  int   // the number of the line that determines the number of fields
	names   []string
	table   *Table[T]
}

// readText reads csv and Rodinia's format.
func readText[T Number](f *File) (*Table[T], error) {
	format, o := f.options.Format, f.options
	t := &text[T]{label: f.Label, bits: 64, options: o, table: &Table[T]{}}
	if _, ok := any(T(0)).(float32); ok {
		t.bits = 32
	}
	in := &lines{r: f.Reader, comments: format == CSV}
	if err := t.start(in, format, o); err != nil {
		return nil, err
	}
	for {
		l, err := in.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = t.add(l)
		}
		if err != nil {
			return nil, err
		}
	}
	if t.table.Rows == 0 {
		return nil, f.Errorf("it holds no data")
	}
	return t.table, nil
}

// start determines the layout and reads the header.
func (t *text[T]) start(in *lines, format Format, o Options) error {
	ahead, err := in.peek(2)
	if err != nil || len(ahead) == 0 {
		return err
	}
	t.split.sep = rodinia
	if format == CSV {
		t.split.sep = detect(ahead[0].text)
		t.comma = t.split.sep == ';' || t.split.sep == '\t'
	}
	var rows [2][]field
	for i, l := range ahead {
		fields, err := t.split.split(l.text)
		if err != nil {
			return t.at(l, 1, err)
		}
		rows[i] = append(rows[i], fields...)
	}
	found, sample := layout{fields: len(rows[0]), drop: []int{0}, empty: -1}, ahead[0]
	if format == CSV {
		// Where missing values are allowed or columns are chosen, an empty column may be meant.
		trims := !o.AllowNonFinite && len(o.Columns) == 0 && len(o.Ignore) == 0
		found = study(rows[0], rows[1], t.kind, trims)
		if found.mixed {
			found.notes = append(found.notes, fmt.Sprintf("line %d is read as a header, although it holds numbers",
				ahead[0].number))
		}
	}
	if found.header {
		in.pending = in.pending[1:]
		if len(rows[1]) == found.fields {
			sample = ahead[1]
		}
		found.convertNames()
	}
	keep, err := choose(o, found.names, found.fields, found.drop)
	if err != nil {
		return fmt.Errorf("%s: %w", t.label, err)
	}
	t.dest = make([]int, found.fields)
	for i := range t.dest {
		t.dest[i] = -1
	}
	for i, f := range keep {
		t.dest[f] = i
	}
	if i, err := checkHeader(rows[0], found, keep); err != nil {
		return t.at(ahead[0], rows[0][i].col, err)
	}
	t.sample, t.names, t.empty = sample.number, found.names, found.empty
	t.table.Cols, t.table.Names, t.table.Kept = len(keep), pick(found.names, keep), kept(keep, found.fields)
	if len(o.Columns) == 0 {
		t.table.Notes = found.notes
	}
	return nil
}

// add appends a line of data to the table.
func (t *text[T]) add(l line) error {
	fields, err := t.split.split(l.text)
	if err != nil {
		return t.at(l, 1, err)
	}
	if t.empty >= 0 && len(fields) == t.empty+1 {
		if last := fields[t.empty]; len(last.text) > 0 {
			return t.at(l, last.col, fmt.Errorf("%s follows the last separator, after which the first lines are empty",
				quote(last)))
		}
		fields = fields[:t.empty]
	}
	if len(fields) != len(t.dest) {
		count := "1 field"
		if len(fields) != 1 {
			count = fmt.Sprintf("%d fields", len(fields))
		}
		return fmt.Errorf("%s:%d: it has %s, but line %d has %d", t.label, l.number, count, t.sample, len(t.dest))
	}
	base := len(t.table.Data)
	for range t.table.Cols {
		t.table.Data = append(t.table.Data, 0)
	}
	for i, f := range fields {
		if t.dest[i] < 0 {
			continue
		}
		if f.err != nil {
			return t.at(l, f.col, f.err)
		}
		v, err := t.parse(f.text)
		if err != nil {
			return t.at(l, f.col, t.explain(i, f, err))
		}
		if v-v != 0 && !t.options.AllowNonFinite {
			return t.at(l, f.col, t.options.nonFinite(quote(f)+" is not finite"))
		}
		if t.comma {
			if err := t.signs.add(l.number, f); err != nil {
				return t.at(l, f.col, err)
			}
		}
		t.table.Data[base+t.dest[i]] = T(v)
	}
	t.table.Rows++
	return nil
}

// decimalSigns finds files in which some numbers have a decimal point and others a decimal comma. One
// of them probably separates thousands.
type decimalSigns struct {
	seen   [2]string // a number with a point, and one with a comma
	number [2]int    // their lines
}

// add adds a number in a line.
func (d *decimalSigns) add(number int, f field) error {
	sign := 0
	switch {
	case bytes.IndexByte(f.text, ',') >= 0:
		sign = 1
	case bytes.IndexByte(f.text, '.') < 0:
		return nil
	}
	if d.seen[sign] == "" {
		d.seen[sign], d.number[sign] = string(f.text), number
	}
	if other := d.seen[1-sign]; other != "" {
		return fmt.Errorf("%s and %q in line %d have different decimal signs; write numbers without signs "+
			"for thousands",
			quote(f), other, d.number[1-sign])
	}
	return nil
}

var (
	errNumber = errors.New("not a number")
	errRange  = errors.New("out of range")
)

// parse returns a field's value, or NaN if it is missing. It accepts only decimal numbers;
// strconv accepts more, such as 0x1p-2.
func (t *text[T]) parse(s []byte) (float64, error) {
	if bytes.ContainsAny(s, "xX_") {
		return 0, errNumber
	}
	v, err := strconv.ParseFloat(string(s), t.bits)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, errRange
	case missing(s):
		return math.NaN(), nil
	case t.comma && bytes.IndexByte(s, '.') < 0:
		if v, err = strconv.ParseFloat(string(bytes.Replace(s, []byte(","), []byte("."), 1)), t.bits); err == nil {
			return v, nil
		}
	}
	return 0, errNumber
}

// kind returns the kind of a field of the first lines.
func (t *text[T]) kind(s []byte) kind {
	if missing(s) {
		return absent
	}
	if _, err := t.parse(s); err == nil || err == errRange || notation(s) != "" {
		return numeric
	}
	unsigned := bytes.TrimPrefix(bytes.TrimLeft(s, "+-"), []byte("."))
	if len(unsigned) > 0 && '0' <= unsigned[0] && unsigned[0] <= '9' {
		return garbled
	}
	return word
}

// notation describes a number that is not in plain decimal. It returns "" for other
// fields.
func notation(s []byte) string {
	digits := bytes.TrimLeft(s, "+-")
	_, notInt := strconv.ParseInt(string(s), 0, 64)
	_, notFloat := strconv.ParseFloat(string(s), 64)
	switch {
	case errors.Is(notInt, strconv.ErrSyntax) && errors.Is(notFloat, strconv.ErrSyntax):
		return ""
	case len(digits) > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'):
		return "a hexadecimal number"
	case len(digits) > 1 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B'):
		return "a binary number"
	case len(digits) > 1 && digits[0] == '0' && (digits[1] == 'o' || digits[1] == 'O'):
		return "an octal number"
	case bytes.IndexByte(digits, '_') >= 0:
		return "a number with underscores"
	}
	return ""
}

func missing(s []byte) bool { return len(s) == 0 || string(s) == "NA" }

// explain returns the message for an error of parse in field i of a line.
func (t *text[T]) explain(i int, f field, err error) error {
	if err == errRange {
		return fmt.Errorf("%s is too large for float%d", quote(f), t.bits)
	}
	column := strconv.Itoa(i + 1)
	if t.names != nil && t.names[i] != "" {
		column = t.names[i]
	}
	if what := notation(f.text); what != "" {
		return fmt.Errorf("%s is %s; write it in plain decimal, or use --ignore %q to leave out its column",
			quote(f), what, column)
	}
	return fmt.Errorf("%s is not a number; use --ignore %q to leave out its column", quote(f), column)
}

// at adds the position to an error.
func (t *text[T]) at(l line, col int, err error) error {
	return fmt.Errorf("%s:%d:%d: %w", t.label, l.number, col, err)
}

// quote returns a field's text for a message, shortened if it is long.
func quote(f field) string {
	switch s := string(f.text); {
	case s == "":
		return "an empty field"
	case len(s) > 40:
		return strconv.Quote(s[:40] + "...")
	default:
		return strconv.Quote(s)
	}
}
