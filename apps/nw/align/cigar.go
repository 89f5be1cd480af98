package align

import (
	"fmt"
	"slices"
	"strconv"
)

// Op is the kind of a column of an alignment.
type Op byte

// The kinds of columns, as SAM writes them.
const (
	Match    Op = '=' // a letter of A against the same letter of B
	Mismatch Op = 'X' // a letter of A against another one of B
	Insert   Op = 'I' // a letter of B against a gap in A
	Delete   Op = 'D' // a letter of A against a gap in B
	Aligned  Op = 'M' // Match or Mismatch
)

// inA reports whether the column has a letter of A.
func (o Op) inA() bool { return o != Insert }

// inB reports whether the column has a letter of B.
func (o Op) inB() bool { return o != Delete }

// Step is N columns of one kind.
type Step struct {
	Op Op
	N  int
}

// Cigar is the path of an alignment, from its first column to its last. Steps that follow
// one another have different kinds; Add merges equal ones.
type Cigar []Step

// Add appends n columns.
func (c *Cigar) Add(op Op, n int) {
	switch last := len(*c) - 1; {
	case n == 0:
	case last >= 0 && (*c)[last].Op == op:
		(*c)[last].N += n
	default:
		*c = append(*c, Step{op, n})
	}
}

// Reverse reverses the path in place; a traceback starts at the end.
func (c Cigar) Reverse() { slices.Reverse(c) }

// Length returns the number of columns.
func (c Cigar) Length() int { return c.count(func(Op) bool { return true }) }

// LenA returns the number of letters of A.
func (c Cigar) LenA() int { return c.count(Op.inA) }

// LenB returns the number of letters of B.
func (c Cigar) LenB() int { return c.count(Op.inB) }

// Identity returns the number of columns in which both letters are the same.
func (c Cigar) Identity() int { return c.count(func(o Op) bool { return o == Match }) }

// Gaps returns the number of letters that face a gap.
func (c Cigar) Gaps() int { return c.count(func(o Op) bool { return o == Insert || o == Delete }) }

// GapOpens returns the number of gaps, of any length.
func (c Cigar) GapOpens() int {
	n := 0
	for _, s := range c {
		if s.Op == Insert || s.Op == Delete {
			n++
		}
	}
	return n
}

// edits returns the number of columns that change A into B: NM in SAM and PAF.
func (c Cigar) edits() int { return c.Length() - c.Identity() }

func (c Cigar) count(which func(Op) bool) int {
	n := 0
	for _, s := range c {
		if which(s.Op) {
			n += s.N
		}
	}
	return n
}

// Resolve returns the path with Match or Mismatch in place of Aligned. a and b are the
// letters that the path covers; Resolve panics if their number differs from the path's.
func (c Cigar) Resolve(a, b []byte) Cigar {
	if len(a) != c.LenA() || len(b) != c.LenB() {
		panic(fmt.Sprintf("align: a path over %d and %d letters does not fit %d and %d", c.LenA(), c.LenB(),
			len(a), len(b)))
	}
	resolved := make(Cigar, 0, len(c))
	for _, s := range c {
		if s.Op == Aligned {
			for k := range s.N {
				resolved.Add(kind(a[k], b[k]), 1)
			}
		} else {
			resolved.Add(s.Op, s.N)
		}
		if s.Op.inA() {
			a = a[s.N:]
		}
		if s.Op.inB() {
			b = b[s.N:]
		}
	}
	return resolved
}

// kind returns the kind of a column with two letters.
func kind(a, b byte) Op {
	if a == b {
		return Match
	}
	return Mismatch
}

// String returns the path as SAM writes it, such as 5=1X2D, or "" without columns.
func (c Cigar) String() string {
	var text []byte
	for _, s := range c {
		text = append(strconv.AppendInt(text, int64(s.N), 10), byte(s.Op))
	}
	return string(text)
}

// maxStep is the longest step that ParseCigar accepts, longer than any known sequence.
const maxStep = 1 << 40

// ParseCigar parses a path that String or another program wrote, without clipping. "*" and
// "" have no columns.
func ParseCigar(text string) (Cigar, error) {
	path := Cigar{}
	if text == "*" {
		return path, nil
	}
	n, digits := 0, 0
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
			if n = 10*n + int(r-'0'); n > maxStep {
				return nil, fmt.Errorf("%.40q is not a CIGAR path: the number at character %d is too large",
					text, i+2-digits)
			}
		case r != '=' && r != 'X' && r != 'I' && r != 'D' && r != 'M':
			return nil, fmt.Errorf("%.40q is not a CIGAR path: character %d is %q; "+
				"the kinds of columns are =, X, I, D and M",
				text, i+1, r)
		case n == 0:
			return nil, fmt.Errorf("%.40q is not a CIGAR path: "+
				"the number of columns is missing before character %d, %q",
				text, i+1, r)
		default:
			path.Add(Op(r), n)
			n, digits = 0, 0
		}
	}
	if digits > 0 {
		return nil, fmt.Errorf("%.40q is not a CIGAR path: it ends with a number", text)
	}
	return path, nil
}
