package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	utf8Mark    = []byte("\xef\xbb\xbf")
	utf16Little = []byte("\xff\xfe")
	utf16Big    = []byte("\xfe\xff")
	utf32Little = []byte("\xff\xfe\x00\x00")
	utf32Big    = []byte("\x00\x00\xfe\xff")
)

// Text prepares a file for reading as text: it skips the byte order mark of UTF-8,
// decodes UTF-16 with a byte order mark, and converts line ends that are carriage returns
// to line feeds. It returns an error if the file holds no text.
func (f *File) Text() error {
	start, _ := f.Peek(16)
	if what := Known(start); what != "" {
		return f.Errorf("%s", what)
	}
	switch {
	case f.Starts(utf32Little), f.Starts(utf32Big):
		return f.Errorf("its text is in UTF-32; convert it with: iconv -f UTF-32 -t UTF-8")
	case f.Starts(utf8Mark):
		f.Discard(len(utf8Mark))
	case f.Starts(utf16Little):
		f.decode(binary.LittleEndian)
	case f.Starts(utf16Big):
		f.decode(binary.BigEndian)
	default:
		if err := f.noNUL(); err != nil {
			return err
		}
	}
	if f.endsInCR() {
		f.Reader = bufio.NewReaderSize(carriageReturns{f.Reader}, f.Size())
	}
	return nil
}

const noMark = "its text seems to be in UTF-16 without a byte order mark; convert it with: iconv -f %s -t UTF-8"

// noNUL returns an error for UTF-16 without a byte order mark and other binary data.
func (f *File) noNUL() error {
	b, _ := f.Peek(4)
	switch i := bytes.IndexByte(b, 0); {
	case i < 0:
		return nil
	case i == 1 && len(b) == 4 && b[2] != 0 && b[3] == 0:
		return f.Errorf(noMark, "UTF-16LE")
	case i == 0 && len(b) == 4 && b[1] != 0 && b[2] == 0:
		return f.Errorf(noMark, "UTF-16BE")
	}
	return f.Errorf("it is not a text file: byte %d is zero", bytes.IndexByte(b, 0)+1)
}

// endsInCR reports whether all lines of the text in the buffer end in carriage returns
// only.
func (f *File) endsInCR() bool {
	b, err := f.Peek(f.Size())
	at := bytes.IndexByte(b, '\r')
	if at < 0 || bytes.IndexByte(b, '\n') >= 0 {
		return false
	}
	return at < len(b)-1 || err == io.EOF // otherwise a line feed may follow
}

// carriageReturns turns carriage returns into line feeds.
type carriageReturns struct{ r io.Reader }

func (c carriageReturns) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// decode makes the reader decode UTF-16, after its byte order mark.
func (f *File) decode(order binary.ByteOrder) {
	size := f.Size()
	f.Discard(len(utf16Little))
	f.Reader, f.Bytes = bufio.NewReaderSize(&utf16Reader{file: f.Reader, order: order, label: f.Label}, size), 0
}

// utf16Reader decodes UTF-16. Half of a surrogate pair becomes U+FFFD.
type utf16Reader struct {
	file  *bufio.Reader
	order binary.ByteOrder
	label string
	out   []byte // decoded and not yet read
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if err := u.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill decodes the data of one read.
func (u *utf16Reader) fill() error {
	u.out = u.out[:0]
	if _, err := u.file.Peek(2); err != nil {
		if err == io.EOF && u.file.Buffered() == 1 {
			return fmt.Errorf("%s: its text in UTF-16 is cut off in the middle of a character", u.label)
		}
		return err
	}
	if u.file.Buffered() < 4 {
		_, _ = u.file.Peek(4) // the file may end before
	}
	b, _ := u.file.Peek(u.file.Buffered() &^ 1)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = u.order.Uint16(b[2*i:])
	}
	if last := len(units) - 1; last > 0 && units[last]&0xfc00 == 0xd800 { // the other half of the pair comes next
		units = units[:last]
	}
	for _, r := range utf16.Decode(units) {
		u.out = utf8.AppendRune(u.out, r)
	}
	_, err := u.file.Discard(2 * len(units))
	return err
}
