package data

import (
	"fmt"
	"slices"
)

// layout is what the first lines tell about a text.
type layout struct {
	header bool
	mixed  bool     // the header holds numbers, too
	names  []string // of all fields; nil without a header
	fields int      // in a line of data
	drop   []int    // fields that hold no data
	notes  []string
}

// kind is what a field looks like.
type kind int

const (
	absent  kind = iota // it is empty, or NA
	numeric             // a number, also one in a notation that is refused, such as 0x10
	garbled             // it starts as a number does: 2O, 1st, 2024-05-01
	word                // anything else
)

// study finds the layout from the fields of the first line and those of the
// second, which is nil if there is none. The first line is a header if it holds
// no number, or if it holds a word above a number. Something like 2O above a
// number does not make a header of a line with numbers: it is probably a
// mistyped number, which add reports.
func study(first, second []field, kindOf func([]byte) kind) layout {
	numbers := 0
	for _, f := range first {
		if kindOf(f.text) == numeric {
			numbers++
		}
	}
	shift := len(second) - len(first) // 1 when the header does not name the row names
	wordAboveNumber := false
	if shift == 0 || shift == 1 {
		for i, f := range first {
			wordAboveNumber = wordAboveNumber || kindOf(f.text) == word && kindOf(second[i+shift].text) == numeric
		}
	}
	if numbers > 0 && !wordAboveNumber {
		l := layout{fields: len(first)}
		l.dropLabel(first, kindOf)
		return l
	}
	l := layout{header: true, mixed: numbers > 0, fields: len(first)}
	for _, f := range first {
		l.names = append(l.names, string(f.text))
	}
	if shift == 1 {
		l.names, l.fields = slices.Insert(l.names, 0, ""), len(second)
	}
	if l.names[0] == "" && l.fields > 1 {
		l.drop = []int{0}
		l.notes = append(l.notes, "column 1 holds row names and is left out")
	}
	if len(second) == l.fields {
		l.dropLabel(second, kindOf)
	}
	return l
}

// dropLabel leaves the last field out when it is text.
func (l *layout) dropLabel(row []field, kindOf func([]byte) kind) {
	last := len(row) - 1
	if k := kindOf(row[last].text); last == 0 || k == numeric || k == absent {
		return
	}
	name := ""
	if l.names != nil {
		name = fmt.Sprintf(" (%s)", l.names[last])
	}
	l.drop = append(l.drop, last)
	l.notes = append(l.notes, fmt.Sprintf("column %d%s is text and is left out", last+1, name))
}
