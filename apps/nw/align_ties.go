package nw

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/align"
)

// Ties chooses among equally good alignments: from the last column to the first, the path
// takes at each column the first of these moves that a best alignment can take there. It is
// a permutation of align.Aligned (diagonal), align.Delete (up, a letter of A) and
// align.Insert (left, a letter of B); the zero value is that order.
//
// Of the best local alignments, those whose end comes first in A are considered, among
// them those whose end comes first in B, and of these the one that begins last.
type Ties [3]align.Op

var moveNames = map[align.Op]string{align.Aligned: "diagonal", align.Delete: "up", align.Insert: "left"}

// ParseTies parses an order of moves such as "diagonal,up,left".
func ParseTies(text string) (Ties, error) {
	var t Ties
	n := 0
	for name := range strings.SplitSeq(text, ",") {
		found := false
		for op, known := range moveNames {
			if strings.EqualFold(strings.TrimSpace(name), known) && n < len(t) && !t.has(op) {
				t[n], found = op, true
				n++
			}
		}
		if !found {
			return Ties{}, fmt.Errorf("ties %q: it must name diagonal, up and left, each once", text)
		}
	}
	if n < len(t) {
		return Ties{}, fmt.Errorf("ties %q: it must name diagonal, up and left, each once", text)
	}
	return t, nil
}

func (t Ties) has(op align.Op) bool { return t[0] == op || t[1] == op || t[2] == op }

// String returns the order of moves in the form that ParseTies parses.
func (t Ties) String() string {
	names := make([]string, 0, len(t))
	for _, op := range t.order() {
		names = append(names, moveNames[op])
	}
	return strings.Join(names, ",")
}

func (t Ties) order() Ties {
	if t == (Ties{}) {
		return Ties{align.Aligned, align.Delete, align.Insert}
	}
	return t
}

// check returns what is wrong with an order that was not parsed.
func (t Ties) check() error {
	o := t.order()
	for _, op := range []align.Op{align.Aligned, align.Delete, align.Insert} {
		if !o.has(op) {
			return fmt.Errorf("ties %q: it must hold %q, %q and %q, each once",
				[3]align.Op(t), align.Aligned, align.Delete, align.Insert)
		}
	}
	return nil
}

// ranks returns the ranks of the diagonal, up and left moves in keys: 2 is preferred to 1.
func (t Ties) ranks() [3]int32 {
	var r [3]int32
	for i, op := range t.order() {
		switch op {
		case align.Aligned:
			r[0] = int32(2 - i)
		case align.Delete:
			r[1] = int32(2 - i)
		case align.Insert:
			r[2] = int32(2 - i)
		}
	}
	return r
}
