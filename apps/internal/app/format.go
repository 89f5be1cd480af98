package app

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table returns an empty table in the style that all commands use.
func Table(header ...any) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true, DrawBorder: false}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(header)
	return t
}

// Fold breaks a name into at most three lines of at most width characters, for the
// header of a table. It breaks at blanks and before the capitals of a NameLikeThis,
// and cuts off what does not fit.
func Fold(name string, width int) string {
	var parts []string
	for _, word := range strings.Fields(name) {
		start, last := 0, ' '
		for i, r := range word {
			if unicode.IsUpper(r) && unicode.IsLower(last) && utf8.RuneCountInString(word) > width {
				parts, start = append(parts, word[start:i]), i
			}
			last = r
		}
		parts = append(parts, word[start:]+" ")
	}
	var lines []string
	for _, p := range parts {
		n := len(lines)
		if n > 0 && utf8.RuneCountInString(strings.TrimSpace(lines[n-1]+p)) <= width {
			lines[n-1] += p
		} else {
			lines = append(lines, p)
		}
	}
	for i, l := range lines {
		lines[i] = text.Snip(strings.TrimSpace(l), width, "~")
	}
	if len(lines) > 3 {
		lines = append(lines[:2], text.Snip(lines[2], width-1, "")+"~")
	}
	return strings.Join(lines, "\n")
}

// AlignRight aligns columns, counted from 1, to the right.
func AlignRight(t table.Writer, columns ...int) {
	var config []table.ColumnConfig
	for _, c := range columns {
		config = append(config, table.ColumnConfig{
			Number: c, Align: text.AlignRight, AlignHeader: text.AlignRight, VAlignHeader: text.VAlignBottom,
		})
	}
	t.SetColumnConfigs(config)
}

// Duration formats a duration with three digits.
func Duration(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < 1000*time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

// Bytes formats a number of bytes with three digits.
func Bytes(n int64) string {
	v, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && v >= 1000 {
		v, units = v/1024, units[1:]
	}
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g %s", v, units[0])
}

// Digits formats n in groups of three digits: 1234567 as "1 234 567".
func Digits[T int | int64](n T) string {
	s, sign := fmt.Sprint(n), ""
	if n < 0 {
		s, sign = s[1:], "-"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return sign + s
}

// Count formats a number of things: "1 object", "1 234 objects".
func Count[T int | int64](n T, singular string) string {
	if n != 1 {
		singular += "s"
	}
	return Digits(n) + " " + singular
}
