package dataset

import (
	"fmt"
	"slices"
)

// layout is what the first lines say of a text.
type layout struct {
	header bool
	names  []string // of all fields; nil when there is no header
	fields int      // in a line of data
	drop   []int    // fields that hold no data
	notes  []string
}

// study finds the layout from the fields of the first line and those of the
// second, which is nil when there is none.
func study(first, second []field, isNumber func([]byte) bool) layout {
	numbers := 0
	for _, f := range first {
		if isNumber(f.text) {
			numbers++
		}
	}
	shift := len(second) - len(first) // 1 when the header does not name the row names
	textAboveNumber := false
	if shift == 0 || shift == 1 {
		for i, f := range first {
			textAboveNumber = textAboveNumber || !missing(f.text) && !isNumber(f.text) && isNumber(second[i+shift].text)
		}
	}
	if numbers > 0 && !textAboveNumber {
		l := layout{fields: len(first)}
		l.dropLabel(first, isNumber)
		return l
	}
	l := layout{header: true, fields: len(first)}
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
		l.dropLabel(second, isNumber)
	}
	return l
}

// dropLabel leaves the last field out when it is text.
func (l *layout) dropLabel(row []field, isNumber func([]byte) bool) {
	last := len(row) - 1
	if last == 0 || isNumber(row[last].text) || missing(row[last].text) {
		return
	}
	name := ""
	if l.names != nil {
		name = fmt.Sprintf(" (%s)", l.names[last])
	}
	l.drop = append(l.drop, last)
	l.notes = append(l.notes, fmt.Sprintf("column %d%s is text and is left out", last+1, name))
}
