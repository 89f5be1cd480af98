package subst

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// field is a word of a line and the column at which it starts, from 1.
type field struct {
	text   string
	column int
}

// parser parses a matrix.
type parser struct {
	name    string
	line    int
	columns []byte
	rows    []byte
	scores  [][]int32 // of the rows, in the order of the columns
}

// Parse parses a matrix in NCBI's text format, which the package documentation describes.
// name is the name of the matrix and of the input in errors of the form name:line:column.
func Parse(r io.Reader, name string) (*Matrix, error) {
	p := &parser{name: name}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p.line++
		line := lines.Text()
		if p.line == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		fields := split(line)
		if len(fields) == 0 || fields[0].text[0] == '#' {
			continue
		}
		take := p.row
		if p.columns == nil {
			take = p.header
		}
		if err := take(fields); err != nil {
			return nil, err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: the line is too long for a row of a matrix", name, p.line+1)
	}
	if err := lines.Err(); err != nil {
		if e := new(fs.PathError); errors.As(err, &e) {
			err = e.Err
		}
		return nil, fmt.Errorf("cannot read the matrix %s: %w", name, err)
	}
	return p.matrix()
}

// split splits a line at blanks and tabs.
func split(line string) (fields []field) {
	for i := 0; i < len(line); {
		n := strings.IndexAny(line[i:], " \t\r")
		if n < 0 {
			n = len(line) - i
		}
		if n > 0 {
			fields = append(fields, field{line[i : i+n], i + 1})
		}
		i += n + 1
	}
	return fields
}

// header parses the letters of the columns.
func (p *parser) header(fields []field) error {
	var columns []byte
	for _, f := range fields {
		c, err := p.letter(f)
		if err != nil {
			return err
		}
		if slices.Contains(columns, c) {
			return p.errorf(f.column, "there are two columns %c", c)
		}
		columns = append(columns, c)
	}
	p.columns = columns
	return nil
}

// row parses a row.
func (p *parser) row(fields []field) error {
	first, numbers := fields[0], fields[1:]
	if _, err := strconv.Atoi(first.text); err == nil {
		return p.errorf(first.column, "the row starts with the number %s instead of its letter", first.text)
	}
	c, err := p.letter(first)
	switch {
	case err != nil:
		return err
	case !slices.Contains(p.columns, c):
		return p.errorf(first.column, "there is a row %c but no column %c: rows and columns must have the same letters",
			c, c)
	case slices.Contains(p.rows, c):
		return p.errorf(first.column, "there are two rows %c", c)
	}
	var scores []int32
	for _, f := range numbers {
		v, err := strconv.Atoi(f.text)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return p.errorf(f.column, "row %c: %q is not an integer", c, f.text)
		case err != nil || v > Limit || v < -Limit:
			return p.errorf(f.column, "row %c: %s is out of range; scores go from %d to %d", c, f.text, -Limit, Limit)
		}
		scores = append(scores, int32(v))
	}
	if n := len(p.columns); len(numbers) < n {
		return p.errorf(0, "row %c has %s; it must have %d, one for each column", c, count(len(numbers)), n)
	} else if len(numbers) > n {
		return p.errorf(numbers[n].column, "row %c has %s; it must have %d, one for each column", c,
			count(len(numbers)), n)
	}
	p.rows, p.scores = append(p.rows, c), append(p.scores, scores)
	return nil
}

// count returns "1 number", "2 numbers" and so on.
func count(numbers int) string {
	if numbers == 1 {
		return "1 number"
	}
	return fmt.Sprintf("%d numbers", numbers)
}

// letter returns the letter of a row or a column, in upper case.
func (p *parser) letter(f field) (byte, error) {
	c := strings.ToUpper(f.text)
	if len(c) == 1 && (c[0] == '*' || c[0] >= 'A' && c[0] <= 'Z') {
		return c[0], nil
	}
	if p.columns == nil {
		return 0, p.errorf(f.column,
			"%q is not a letter: the first line of a matrix has the letters of its columns, A to Z and *", f.text)
	}
	return 0, p.errorf(f.column, "%q is not a letter; a row starts with its letter", f.text)
}

// matrix returns the matrix with its columns in the order of the rows.
func (p *parser) matrix() (*Matrix, error) {
	if p.columns == nil {
		return nil, fmt.Errorf("%s: the file has no matrix", p.name)
	}
	column := make([]int, len(p.rows)) // of the letter of each row
	for i, c := range p.rows {
		column[i] = slices.Index(p.columns, c)
	}
	for _, c := range p.columns {
		if !slices.Contains(p.rows, c) {
			return nil, fmt.Errorf("%s: there is a column %c but no row %c: "+
				"rows and columns must have the same letters",
				p.name, c, c)
		}
	}
	return newMatrix(p.name, p.rows, func(i, j int) int32 { return p.scores[i][column[j]] }), nil
}

// errorf returns an error at a column of the line, or in the line if column is 0.
func (p *parser) errorf(column int, format string, args ...any) error {
	place := fmt.Sprintf("%s:%d", p.name, p.line)
	if column > 0 {
		place = fmt.Sprintf("%s:%d", place, column)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}
