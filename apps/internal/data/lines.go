package data

import (
	"bufio"
	"bytes"
	"io"
)

// line is a line of text without its line end, and its number from 1.
type line struct {
	text   []byte
	number int
}

// lines reads the lines of a text, of any length, and skips empty ones.
type lines struct {
	r        *bufio.Reader
	comments bool // # starts a comment line
	number   int
	long     []byte // a line that is longer than r's buffer
	pending  []line // lines that peek has read
}

// next returns the next line, or io.EOF. The text is valid until the next call.
func (l *lines) next() (line, error) {
	if len(l.pending) > 0 {
		first := l.pending[0]
		l.pending = l.pending[1:]
		return first, nil
	}
	for {
		text, err := l.raw()
		if err != nil {
			return line{}, err
		}
		l.number++
		switch rest := bytes.TrimLeft(text, " \t\r\n"); {
		case len(rest) == 0:
		case l.comments && rest[0] == '#':
		default:
			return line{bytes.TrimRight(text, "\r\n"), l.number}, nil
		}
	}
}

// peek returns the next n lines, or fewer at the end, without consuming them.
func (l *lines) peek(n int) ([]line, error) {
	var ahead []line
	for range n {
		next, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		ahead = append(ahead, line{bytes.Clone(next.text), next.number})
	}
	l.pending = ahead
	return ahead, nil
}

// raw returns the next line with its line end, which the last line may lack.
func (l *lines) raw() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.long) > 0 || err == bufio.ErrBufferFull {
			l.long = append(l.long, part...)
			part = l.long
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(part) > 0:
			return part, nil
		default:
			return part, err
		}
	}
}
