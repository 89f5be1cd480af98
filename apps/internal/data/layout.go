package data

import (
	"fmt"
	"slices"
	"strconv"
)

// layout describes the lines of a text.
type layout struct {
	header bool
	mixed  bool     // the header also holds numbers
	names  []string // of all fields; nil without a header
	fields int      // the number of fields in a line of data
	drop   []int    // the fields that hold no data
	empty  int      // the field after the last separator of each line, which is empty; -1 if there is none
	notes  []string
}

// kind is the kind of a field, judged by its text.
type kind int

const (
	absent  kind = iota // empty, or NA
	numeric             // a number, or one in a notation that is not accepted, such as 0x10
	garbled             // starts like a number: 2O, 1st, 2024-05-01
	word                // anything else
)

// study derives the layout from the fields of the first line and those of the second,
// which is nil if there is none. The first line is a header if it holds no number, or if
// it holds a word above a number. A field such as 2O above a number does not make the
// line a header, because it is probably a mistyped number, which add reports.
//
// If trims is set, an empty field after the last separator of each line is no column.
func study(first, second []field, kindOf func([]byte) kind, trims bool) layout {
	l := layout{empty: -1}
	if trims {
		first, second = l.trim(first, second)
	}
	numbers := 0
	for _, f := range first {
		if kindOf(f.text) == numeric {
			numbers++
		}
	}
	shift := len(second) - len(first) // 1 if the header has no name for the row names
	wordAboveNumber := false
	if shift == 0 || shift == 1 {
		for i, f := range first {
			wordAboveNumber = wordAboveNumber || kindOf(f.text) == word && kindOf(second[i+shift].text) == numeric
		}
	}
	l.fields = len(first)
	if numbers > 0 && !wordAboveNumber {
		if sequence(first) && shift == 0 && !sequence(second) {
			l.notes = append(l.notes, fmt.Sprintf("the first line (%s, %s, ...) is read as data; "+
				"remove it if it is a header", first[0].text, first[1].text))
		}
		l.dropLabel(first, kindOf)
		return l
	}
	l.header, l.mixed = true, numbers > 0
	for _, f := range first {
		l.names = append(l.names, string(f.text))
	}
	if shift == 1 {
		l.names, l.fields = slices.Insert(l.names, 0, ""), len(second)
	}
	if l.names[0] == "" && l.fields > 1 {
		l.drop = append(l.drop, 0)
		l.notes = append(l.notes, "column 1 holds row names and is left out")
	}
	if len(second) == l.fields {
		l.dropLabel(second, kindOf)
	}
	return l
}

// trim removes the empty field after a separator at the end of the line: of both lines, of the only
// one, or of one that has a field more than the other.
func (l *layout) trim(first, second []field) ([]field, []field) {
	ends := func(f []field) bool { return len(f) > 1 && len(f[len(f)-1].text) == 0 }
	shift := len(second) - len(first)
	switch {
	case ends(first) && (second == nil || shift == 0 && ends(second)):
		l.empty = len(first) - 1
		first, second = first[:l.empty], second[:max(0, len(second)-1)]
	case ends(second) && shift == 1 && len(second[0].text) > 0 && !ends(first):
		l.empty = len(first)
		second = second[:l.empty]
	case ends(first) && shift == -1 && second != nil:
		l.empty = len(second)
		first = first[:l.empty]
	}
	return first, second
}

// sequence reports whether a line consists of consecutive integers, such as the years or the numbers
// from 0 that a program has written as names of columns.
func sequence(line []field) bool {
	if len(line) < 2 {
		return false
	}
	before := 0
	for i, f := range line {
		v, err := strconv.Atoi(string(f.text))
		if err != nil || i > 0 && v != before+1 {
			return false
		}
		before = v
	}
	return true
}

// dropLabel leaves out the last field if it is text.
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
