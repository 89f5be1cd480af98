package data

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// convertNames converts the names of a header that are not UTF-8, and notes it.
func (l *layout) convertNames() {
	converted := false
	for i, name := range l.names {
		if !utf8.ValidString(name) {
			l.names[i], converted = fromWindows1252(name), true
		}
	}
	if converted {
		l.notes = append(l.notes, "the header is not UTF-8 and is read as Windows-1252 (Latin-1)")
	}
}

// checkHeader refuses names with control characters in the columns to keep, because names are printed on
// terminals and written into files of other formats, and names that split has reported. It returns the
// field of the header with the error.
func checkHeader(fields []field, l layout, keep []int) (int, error) {
	if !l.header {
		return 0, nil
	}
	shift := l.fields - len(fields) // 1 if the header has no name for the row names
	for _, c := range keep {
		i := max(0, min(c-max(0, shift), len(fields)-1))
		if fields[i].err != nil {
			return i, fields[i].err
		}
		if strings.ContainsFunc(l.names[c], unicode.IsControl) {
			return i, fmt.Errorf("the name of column %d, %s, has a control character; rename it", c+1,
				quote(field{text: []byte(l.names[c])}))
		}
	}
	return 0, nil
}

// windows1252 holds the characters 0x80 to 0x9f, five of which are not defined; the others of Windows-1252
// are those of Unicode.
var windows1252 = []rune("€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ")

func fromWindows1252(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		r := rune(c)
		if c >= 0x80 && c <= 0x9f {
			r = windows1252[c-0x80]
		}
		b.WriteRune(r)
	}
	return b.String()
}
