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

// field is a word of a line, and the column at which it starts, from 1.
type field struct {
	text   string
	column int
}

// parser reads a matrix.
type parser struct {
	name    string
	line    int
	columns []byte
	rows    []byte
	scores  [][]int32 // of the rows, in the order of the columns
}

// Parse reads a matrix in NCBI's text format, which the description of the
// package has. The name is for messages, and becomes that of the matrix;
// errors have the form name:line:column.
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
		return nil, fmt.Errorf("%s:%d: a line of so many characters is no row of a matrix", name, p.line+1)
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

// header takes the letters of the columns.
func (p *parser) header(fields []field) error {
	var columns []byte
	for _, f := range fields {
		c, err := p.letter(f)
		if err != nil {
			return err
		}
		if slices.Contains(columns, c) {
			return p.errorf(f.column, "the column %c comes twice", c)
		}
		columns = append(columns, c)
	}
	p.columns = columns
	return nil
}

// row takes a row.
func (p *parser) row(fields []field) error {
	first, numbers := fields[0], fields[1:]
	if _, err := strconv.Atoi(first.text); err == nil {
		return p.errorf(first.column, "the row starts with the number %s, and not with its letter", first.text)
	}
	c, err := p.letter(first)
	switch {
	case err != nil:
		return err
	case !slices.Contains(p.columns, c):
		return p.errorf(first.column, "there is a row %c and no column %c: rows and columns must have the same letters", c, c)
	case slices.Contains(p.rows, c):
		return p.errorf(first.column, "the row %c comes twice", c)
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
		return p.errorf(0, "row %c has %d numbers, and there are %d columns", c, len(numbers), n)
	} else if len(numbers) > n {
		return p.errorf(numbers[n].column, "row %c has %d numbers, and there are only %d columns", c, len(numbers), n)
	}
	p.rows, p.scores = append(p.rows, c), append(p.scores, scores)
	return nil
}

// letter takes the letter of a row or a column, in upper case.
func (p *parser) letter(f field) (byte, error) {
	c := strings.ToUpper(f.text)
	if len(c) == 1 && (c[0] == '*' || c[0] >= 'A' && c[0] <= 'Z') {
		return c[0], nil
	}
	if p.columns == nil {
		return 0, p.errorf(f.column, "%q is not a letter: the first line of a matrix has the letters of its columns, A to Z and *", f.text)
	}
	return 0, p.errorf(f.column, "%q is not a letter, with which a row starts", f.text)
}

// matrix puts the columns into the order of the rows.
func (p *parser) matrix() (*Matrix, error) {
	if p.columns == nil {
		return nil, fmt.Errorf("%s: it holds no matrix", p.name)
	}
	place := make([]int, len(p.rows)) // of the letter of a row among the columns
	for i, c := range p.rows {
		place[i] = slices.Index(p.columns, c)
	}
	for _, c := range p.columns {
		if !slices.Contains(p.rows, c) {
			return nil, fmt.Errorf("%s: there is a column %c and no row %c: rows and columns must have the same letters", p.name, c, c)
		}
	}
	return newMatrix(p.name, p.rows, func(i, j int) int32 { return p.scores[i][place[j]] }), nil
}

// errorf makes an error about a place in the line; column 0 is all of it.
func (p *parser) errorf(column int, format string, args ...any) error {
	place := fmt.Sprintf("%s:%d", p.name, p.line)
	if column > 0 {
		place = fmt.Sprintf("%s:%d", place, column)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}
