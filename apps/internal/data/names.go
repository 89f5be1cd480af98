package data

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkNames converts a header that is not UTF-8, which notes say, and refuses names with control
// characters: names are printed on terminals and written into files of other formats.
func checkNames(l *layout) error {
	if !utf8.ValidString(strings.Join(l.names, "")) {
		for i, name := range l.names {
			l.names[i] = fromWindows1252(name)
		}
		l.notes = append(l.notes, "the header is not UTF-8 and is read as Windows-1252 (Latin-1)")
	}
	for i, name := range l.names {
		if strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("the name of column %d, %s, has a control character; rename it", i+1, quote(field{text: []byte(name)}))
		}
	}
	return nil
}

// windows1252 holds the characters 0x80 to 0x9f; the others of Windows-1252 are those of Unicode.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

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
