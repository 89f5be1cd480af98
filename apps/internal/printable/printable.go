package printable

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String returns s with control characters as \u001b and invalid UTF-8 as \xff. Line feeds and tabs
// remain.
func String(s string) string {
	if safe(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !unicode.IsControl(r) || r == '\n' || r == '\t':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

func safe(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
				return unicode.IsControl(r) && r != '\n' && r != '\t'
			})
		}
	}
	return true
}

// JSON returns JSON text, as package json writes it, with the control characters that package json does
// not escape as escapes.
func JSON(text []byte) []byte {
	if safe(string(text)) {
		return text
	}
	var b strings.Builder
	for _, r := range string(text) {
		if unicode.IsControl(r) && r >= 0x7f {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return []byte(b.String())
}

// XML returns s with U+FFFD for what XML 1.0 does not allow: invalid UTF-8, control characters other than
// tabs and line ends, and the two noncharacters.
func XML(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r // strings.Map decodes invalid UTF-8 as U+FFFD
	}, s)
}

// Writer is a buffered writer that changes text as a function such as String does. It does not split
// characters.
type Writer struct {
	out    *bufio.Writer
	change func(string) string
	rest   []byte // the beginning of a character
}

// NewWriter returns a Writer.
func NewWriter(w io.Writer, change func(string) string) *Writer {
	return &Writer{out: bufio.NewWriter(w), change: change}
}

// Write writes text. An incomplete character at the end waits for its other bytes.
func (w *Writer) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	n := len(text)
	for i := 1; i <= min(utf8.UTFMax-1, len(text)); i++ {
		if at := len(text) - i; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				n = at
			}
			break
		}
	}
	if _, err := w.out.WriteString(w.change(string(text[:n]))); err != nil {
		return 0, err
	}
	w.rest = append([]byte(nil), text[n:]...)
	return len(p), nil
}

// Flush writes what is buffered, with an incomplete character at the end.
func (w *Writer) Flush() error {
	if len(w.rest) > 0 {
		if _, err := w.out.WriteString(w.change(string(w.rest))); err != nil {
			return err
		}
		w.rest = nil
	}
	return w.out.Flush()
}
