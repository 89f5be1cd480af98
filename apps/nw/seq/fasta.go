package seq

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// meaning has for every byte the letter that it stands for, or one of these.
var meaning [256]byte

const (
	refused = iota
	skipped
)

func init() {
	for _, c := range " \t\r\n" {
		meaning[c] = skipped
	}
	for c := 'A'; c <= 'Z'; c++ {
		meaning[c], meaning[c-'A'+'a'] = byte(c), byte(c)
	}
	meaning['*'] = '*'
}

// reader reads a FASTA file.
type reader struct {
	in      *input.File
	records []Record
	letters []byte // of the last record, after start, and of earlier ones
	start   int
	kind    byte   // what the line starts with
	header  []byte // the line, when it holds a name
	line    int    // from 1
	column  int    // how many bytes of the line came before
}

// read reads all of it. A line longer than the buffer comes in parts.
func (r *reader) read() error {
	for {
		part, err := r.in.ReadSlice('\n')
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if len(part) > 0 {
			if err := r.take(part, err != bufio.ErrBufferFull); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
	}
	if r.line == 0 {
		return r.in.Errorf("it is empty; a FASTA file starts with a line such as >NAME")
	}
	if len(r.records) == 0 {
		return r.in.Errorf("it holds no sequence; a FASTA file starts with a line such as >NAME")
	}
	return r.finish()
}

// take takes a part of a line, or its last part.
func (r *reader) take(part []byte, last bool) (err error) {
	if r.column == 0 {
		r.line++
		r.kind, r.header = part[0], r.header[:0]
	}
	switch r.kind {
	case '>':
		if r.header = append(r.header, part...); last {
			err = r.begin(bytes.TrimSpace(r.header[1:]))
		}
	case ';':
	default:
		err = r.add(part)
	}
	if r.column += len(part); last {
		r.column = 0
	}
	return err
}

// begin begins a record.
func (r *reader) begin(header []byte) error {
	if err := r.finish(); err != nil {
		return err
	}
	if len(header) == 0 {
		return r.errorf(0, "there is no name after the '>'")
	}
	if i := bytes.IndexByte(header, '\r'); i >= 0 {
		return r.errorf(bytes.IndexByte(r.header, '\r')+1, "a carriage return inside the line: lines end with LF or CR LF (tr '\\r' '\\n' mends files of old Macintoshes)")
	}
	name, comment := string(header), ""
	if i := strings.IndexAny(name, " \t"); i >= 0 {
		name, comment = name[:i], strings.TrimLeft(name[i:], " \t")
	}
	r.records = append(r.records, Record{Name: name, Comment: comment, File: r.in.Label, Line: r.line})
	return nil
}

// finish hands the letters over to their record.
func (r *reader) finish() error {
	if len(r.records) == 0 {
		return nil
	}
	last := &r.records[len(r.records)-1]
	if len(r.letters) == r.start {
		return fmt.Errorf("%s:%d: sequence %q has no letters", last.File, last.Line, last.Name)
	}
	last.Letters = r.letters[r.start:len(r.letters):len(r.letters)]
	r.start = len(r.letters)
	return nil
}

// add adds letters to the last record.
func (r *reader) add(part []byte) error {
	if len(r.records) == 0 {
		return r.early(part)
	}
	r.reserve(len(part))
	n := len(r.letters)
	to := r.letters[n : n+len(part)]
	k := 0
	for i, c := range part {
		letter := meaning[c]
		if letter <= skipped {
			if letter == refused {
				return r.refuse(part[i:], r.column+i+1)
			}
			continue
		}
		to[k] = letter
		k++
	}
	r.letters = r.letters[:n+k]
	return nil
}

// reserve makes room for n more letters. Only those of the record that is
// being read move, and the earlier records keep the memory that they are in.
func (r *reader) reserve(n int) {
	if cap(r.letters)-len(r.letters) >= n {
		return
	}
	own := r.letters[r.start:]
	r.letters = append(make([]byte, 0, max(1<<20, 2*len(own)+n)), own...)
	r.start = 0
}

// early looks at what comes before the first name.
func (r *reader) early(part []byte) error {
	text := bytes.TrimSpace(part)
	if len(text) == 0 {
		return nil
	}
	column := r.column + bytes.IndexByte(part, text[0]) + 1
	switch {
	case text[0] == '@':
		return r.errorf(column, "the line starts with '@': it looks like FASTQ, and FASTA is needed, where names start with '>'")
	case len(text) > 20:
		text = append(bytes.Clone(text[:20]), "..."...)
	}
	return r.errorf(column, "%q comes before the first name; a FASTA file starts with a line such as >NAME", text)
}

// refuse says what is wrong with the character that rest starts with.
func (r *reader) refuse(rest []byte, column int) error {
	name := r.records[len(r.records)-1].Name
	c, _ := utf8.DecodeRune(rest)
	switch {
	case c == '-' || c == '.':
		return r.errorf(column, "sequence %q: %q is a gap, and sequences must come without gaps; take them out", name, c)
	case c == '>':
		return r.errorf(column, "sequence %q: '>' is not a letter; a name starts its own line", name)
	case c == utf8.RuneError:
		return r.errorf(column, "sequence %q: the byte %#02x is not a letter; is it FASTA?", name, rest[0])
	}
	return r.errorf(column, "sequence %q: %q is not a letter", name, c)
}

// errorf makes an error about a place in the line; column 0 is all of it.
func (r *reader) errorf(column int, format string, args ...any) error {
	place := fmt.Sprintf("%s:%d", r.in.Label, r.line)
	if column > 0 {
		place = fmt.Sprintf("%s:%d", place, column)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}
