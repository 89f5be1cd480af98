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

// meaning maps every byte to the letter that it stands for, or to refused or skipped.
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
	letters []byte // of earlier records and, after start, of the last one
	start   int
	kind    byte   // first byte of the line
	header  []byte // the line, if it has a name
	line    int    // from 1
	column  int    // bytes of the line that were taken
}

// read reads the whole file. A line longer than the buffer comes in parts.
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
		return r.in.Errorf("the file is empty; a FASTA file starts with a line such as >NAME")
	}
	if len(r.records) == 0 {
		return r.in.Errorf("the file has no sequence; a FASTA file starts with a line such as >NAME")
	}
	return r.finish()
}

// take adds a part of a line; last marks its last part.
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

// begin starts a record.
func (r *reader) begin(header []byte) error {
	if err := r.finish(); err != nil {
		return err
	}
	if len(header) == 0 {
		return r.errorf(0, "the name after '>' is missing")
	}
	if i := bytes.IndexByte(header, '\r'); i >= 0 {
		return r.errorf(bytes.IndexByte(r.header, '\r')+1, "a carriage return inside the line: "+
			"lines end with LF or CR LF (tr '\\r' '\\n' converts files of old Macintoshes)")
	}
	name, comment := string(header), ""
	if i := strings.IndexAny(name, " \t"); i >= 0 {
		name, comment = name[:i], strings.TrimLeft(name[i:], " \t")
	}
	r.records = append(r.records, Record{Name: name, Comment: comment, File: r.in.Label, Line: r.line})
	return nil
}

// finish gives the letters that were read to their record.
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

// reserve makes room for n more letters. Only the letters of the current record move;
// earlier records keep their memory.
func (r *reader) reserve(n int) {
	if cap(r.letters)-len(r.letters) >= n {
		return
	}
	own := r.letters[r.start:]
	r.letters = append(make([]byte, 0, max(1<<20, 2*len(own)+n)), own...)
	r.start = 0
}

// early returns an error if there is text before the first name.
func (r *reader) early(part []byte) error {
	text := bytes.TrimSpace(part)
	if len(text) == 0 {
		return nil
	}
	column := r.column + bytes.IndexByte(part, text[0]) + 1
	switch {
	case text[0] == '@':
		return r.errorf(column, "the line starts with '@': this looks like FASTQ; "+
			"convert it to FASTA, where names start with '>'")
	case len(text) > 20:
		text = append(bytes.Clone(text[:20]), "..."...)
	}
	return r.errorf(column, "%q comes before the first name; a FASTA file starts with a line such as >NAME", text)
}

// refuse returns the error of the character with which rest starts.
func (r *reader) refuse(rest []byte, column int) error {
	name := r.records[len(r.records)-1].Name
	c, _ := utf8.DecodeRune(rest)
	switch {
	case c == '-' || c == '.':
		return r.errorf(column, "sequence %q: %q is a gap; remove the gaps from the sequences", name, c)
	case c == '>':
		return r.errorf(column, "sequence %q: '>' is not a letter; a name must start its own line", name)
	case c == utf8.RuneError:
		return r.errorf(column, "sequence %q: the byte %#02x is not a letter; is this a FASTA file?", name, rest[0])
	}
	return r.errorf(column, "sequence %q: %q is not a letter", name, c)
}

// errorf returns an error at a column of the line, or in the line if column is 0.
func (r *reader) errorf(column int, format string, args ...any) error {
	place := fmt.Sprintf("%s:%d", r.in.Label, r.line)
	if column > 0 {
		place = fmt.Sprintf("%s:%d", place, column)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}
