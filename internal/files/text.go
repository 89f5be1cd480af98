package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/devices/driver"
)

// text reads numbers from lines. The elements of a row are separated by what separates those of
// the first row of numbers: a semicolon, a tab, a comma, or blanks.
type text struct {
	file  *os.File
	name  string
	size  int64 // of the file
	elem  reflect.Type
	cols  int
	sep   byte // ' ' stands for blanks
	marks []mark
	rows  int
}

// mark says where a row begins.
type mark struct {
	at   int64
	line int // the number of its line, from 1
}

const (
	markEvery = 1024    // rows
	longLine  = 1 << 24 // the most bytes of a line

	byteOrderMark = "\xef\xbb\xbf" // before the first line, in UTF-8
)

// openText opens a text and counts its rows. If the first one that is not empty holds something else than
// numbers, it is a header.
func openText(f *os.File, name string, t reflect.Type, cols int) (*File, error) {
	if err := numeric(name, t); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	x := &text{file: f, name: name, size: info.Size(), elem: t}
	start := make([]byte, len(byteOrderMark))
	if n, err := f.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else if string(start[:n]) != byteOrderMark {
		start = nil
	}
	lines := x.lines(int64(len(start)), 0)
	for first := true; ; first = false {
		row, at, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if x.rows == 0 {
			x.sep = separator(row)
			if first && x.isHeader(row) {
				continue
			}
			x.cols = len(x.fields(row))
		}
		if x.rows%markEvery == 0 {
			x.marks = append(x.marks, mark{at, lines.line})
		}
		x.rows++
	}
	if x.rows == 0 {
		return nil, fmt.Errorf("%s: it holds no numbers", name)
	}
	if err := needCols(name, x.cols, cols); err != nil {
		return nil, err
	}
	return &File{x, f, x.rows, x.cols}, nil
}

// separator returns what separates the numbers of a line.
func separator(line []byte) byte {
	for _, c := range []byte(";\t,") {
		if bytes.IndexByte(line, c) >= 0 {
			return c
		}
	}
	return ' '
}

// isHeader reports whether a field of a line is not a number. A missing number is none.
func (x *text) isHeader(line []byte) bool {
	for _, f := range x.fields(line) {
		if _, err := strconv.ParseFloat(f, 64); errors.Is(err, strconv.ErrSyntax) && f != "" {
			return true
		}
	}
	return false
}

// fields returns the fields of a line.
func (x *text) fields(line []byte) []string {
	if x.sep == ' ' {
		return strings.Fields(string(line))
	}
	all := strings.Split(string(line), string(rune(x.sep)))
	for i, f := range all {
		all[i] = strings.TrimSpace(f)
	}
	return all
}

// lines reads lines that are not empty.
type lines struct {
	x    *text
	r    *bufio.Reader
	at   int64 // of the next line
	line int   // lines so far
	long []byte
}

// lines returns a reader of the lines from offset at on, before which there are some.
func (x *text) lines(at int64, before int) *lines {
	section := io.NewSectionReader(x.file, at, x.size-at)
	return &lines{x: x, r: bufio.NewReaderSize(section, 1<<16), at: at, line: before}
}

// next returns the next line that is not empty, without blanks around it, and where it begins.
// The line is valid until the next call.
func (l *lines) next() (line []byte, at int64, err error) {
	for {
		at = l.at
		line, err = l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			l.long = append(l.long[:0], line...)
			for errors.Is(err, bufio.ErrBufferFull) && len(l.long) < longLine {
				line, err = l.r.ReadSlice('\n')
				l.long = append(l.long, line...)
			}
			line = l.long
		}
		l.line++
		l.at += int64(len(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, at, fmt.Errorf("%s:%d: the line has more than %d bytes", l.x.name, l.line, longLine)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, at, fmt.Errorf("%s:%d: %w", l.x.name, l.line, err)
		}
		if row := bytes.TrimSpace(line); len(row) > 0 {
			return row, at, nil
		}
		if err != nil {
			return nil, at, io.EOF
		}
	}
}

// ReadAt parses the rows that hold the bytes and returns those that are asked for.
func (x *text) ReadAt(p []byte, off int64) (int, error) {
	rowBytes := int64(x.cols) * int64(x.elem.Size())
	first, last := off/rowBytes, (off+int64(len(p))-1)/rowBytes // rows
	if len(p) == 0 {
		return 0, nil
	}
	if last >= int64(x.rows) {
		return 0, io.ErrUnexpectedEOF
	}
	m := x.marks[first/markEvery]
	l := x.lines(m.at, m.line-1)
	row := make([]byte, rowBytes)
	n := 0
	for i := first / markEvery * markEvery; i <= last; i++ {
		line, _, err := l.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%s: it has become shorter", x.name)
			}
			return n, err
		}
		if i < first {
			continue
		}
		if err := x.parse(line, l.line, row); err != nil {
			return n, err
		}
		n += copy(p[n:], row[max(0, off-i*rowBytes):])
	}
	return n, nil
}

// parse parses the numbers of a line into row.
func (x *text) parse(line []byte, number int, row []byte) error {
	fields := x.fields(line)
	if len(fields) != x.cols {
		return fmt.Errorf("%s:%d: %d numbers, where the first row has %d", x.name, number, len(fields), x.cols)
	}
	size := int(x.elem.Size())
	for j, f := range fields {
		if err := store(row[j*size:(j+1)*size], f, x.elem.Kind()); err != nil {
			if f == "" {
				err = errors.New("the value is missing")
			}
			return fmt.Errorf("%s:%d: column %d: %w", x.name, number, j+1, err)
		}
	}
	return nil
}

// store parses a number and stores it in this machine's order.
func store(to []byte, s string, kind reflect.Kind) error {
	bits := 8 * len(to)
	var raw uint64
	var err error
	switch kind {
	case reflect.Float32, reflect.Float64:
		var v float64
		if v, err = strconv.ParseFloat(s, bits); bits == 32 {
			copy(to, driver.Bytes([]float32{float32(v)}))
		} else {
			copy(to, driver.Bytes([]float64{v}))
		}
		return plain(err, s, kind)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var v int64
		v, err = strconv.ParseInt(s, 10, bits)
		raw = uint64(v)
	default:
		raw, err = strconv.ParseUint(s, 10, bits)
	}
	for i := range to {
		at := i
		if !littleEndian {
			at = len(to) - 1 - i
		}
		to[at] = byte(raw >> (8 * i))
	}
	return plain(err, s, kind)
}

// plain returns the error of a number without the name of the function that found it.
func plain(err error, s string, kind reflect.Kind) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%q does not fit in %v", s, kind)
	}
	return fmt.Errorf("%q is not a number of type %v", s, kind)
}
