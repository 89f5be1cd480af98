package data

import (
	"bytes"
	"errors"
)

// field is a field of a line: its text without quotes, and the column in which it starts,
// in bytes from 1.
type field struct {
	text []byte
	col  int
	err  error // what is wrong with its quotes; an error only if the field is used
}

// splitter splits lines into fields. The separator sep may be blanks, a run of blanks and
// tabs, or rodinia, a run of blanks, tabs and commas.
type splitter struct {
	sep    byte
	fields []field // reused from line to line
}

const (
	blanks  = 0
	rodinia = 'r'
)

var (
	errQuote      = errors.New("a quoted field has no closing quote on its line")
	errAfterQuote = errors.New("text follows the closing quote of a field; a quote inside a field is written twice")
)

// detect picks the separator from the first line.
func detect(line []byte) byte {
	quoted := false
	outside := bytes.Map(func(r rune) rune {
		if r == '"' {
			quoted = !quoted
		}
		if quoted {
			return -1
		}
		return r
	}, line)
	for _, sep := range []byte{';', '\t', ','} {
		if bytes.IndexByte(bytes.TrimSpace(outside), sep) >= 0 {
			return sep
		}
	}
	return blanks
}

// split splits a line without its line end. The fields share the line's memory and are
// valid until the next call.
func (s *splitter) split(line []byte) ([]field, error) {
	s.fields = s.fields[:0]
	if s.sep == blanks || s.sep == rodinia {
		err := s.splitRuns(line)
		return s.fields, err
	}
	for i := 0; ; i++ {
		for i < len(line) && blank(line[i]) && line[i] != s.sep {
			i++
		}
		start := i
		if i < len(line) && line[i] == '"' {
			text, next, err := unquote(line, i)
			if err != nil {
				return nil, err
			}
			var after error
			for i = next; i < len(line) && line[i] != s.sep; i++ {
				if !blank(line[i]) {
					after = errAfterQuote
				}
			}
			s.fields = append(s.fields, field{text, start + 1, after})
		} else {
			for i < len(line) && line[i] != s.sep {
				i++
			}
			end := i
			for end > start && blank(line[end-1]) {
				end--
			}
			s.fields = append(s.fields, field{line[start:end], start + 1, nil})
		}
		if i >= len(line) {
			return s.fields, nil
		}
	}
}

// splitRuns splits a line whose fields have any number of separators between them.
func (s *splitter) splitRuns(line []byte) error {
	commas := s.sep == rodinia
	between := func(b byte) bool { return blank(b) || commas && b == ',' }
	for i := 0; i < len(line); {
		if between(line[i]) {
			i++
			continue
		}
		start := i
		if line[i] == '"' && !commas {
			text, next, err := unquote(line, i)
			if err != nil {
				return err
			}
			var after error
			for i = next; i < len(line) && !between(line[i]); i++ {
				after = errAfterQuote
			}
			s.fields = append(s.fields, field{text, start + 1, after})
			continue
		}
		for i < len(line) && !between(line[i]) {
			i++
		}
		s.fields = append(s.fields, field{line[start:i], start + 1, nil})
	}
	return nil
}

func blank(b byte) bool { return b == ' ' || b == '\t' }

// unquote reads the quoted field that starts at line[i], in which "" stands for a quote.
// It returns the text and the position after the field.
func unquote(line []byte, i int) (text []byte, next int, err error) {
	for j := i + 1; j < len(line); j++ {
		switch {
		case line[j] != '"':
		case j+1 < len(line) && line[j+1] == '"':
			j++
		default:
			return bytes.ReplaceAll(line[i+1:j], []byte(`""`), []byte(`"`)), j + 1, nil
		}
	}
	return nil, 0, errQuote
}
