package registry

import (
	"strings"

	"github.com/skelgo/skelgo/codegen/emit"
)

// Operations returns the cost of a call in operations. A form without a Cost, such as one
// that was written by hand, gets an estimate from its C text.
func (f *Func) Operations() int {
	if f.Cost > 0 {
		return f.Cost
	}
	return textCost(f.Decls, nil)
}

// textCost estimates the cost of the last declaration from its text by the rules of
// pass.Cost: an operator, an index, a call and a return count 1, and a call of another
// declaration, or of a function in known, also what that costs. Types and directives cost
// nothing.
func textCost(decls []emit.Decl, known map[string]int) (cost int) {
	costs := map[string]int{}
	for ident, n := range known {
		costs[ident] = n
	}
	for _, d := range decls {
		cost = 0
		if _, body, ok := strings.Cut(d.C, ") {"); ok && strings.Contains(d.C, "FUNC ") {
			cost = bodyCost(body, costs)
		}
		if _, ok := known[d.Ident]; !ok {
			costs[d.Ident] = cost
		}
	}
	return max(1, cost)
}

// bodyCost counts the operations in the body of a C function.
func bodyCost(c string, calls map[string]int) (n int) {
	for line := range strings.Lines(c) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		word := "" // the identifier or number before line[i]
		for i := 0; i < len(line); i++ {
			b := line[i]
			if isWord(b) {
				from := i
				for i < len(line) && isWord(line[i]) {
					i++
				}
				word = line[from:i]
				i--
				if word == "return" {
					n++
				}
				continue
			}
			switch {
			case b == ' ' || b == '\t':
				continue // a word may precede its parenthesis
			case b == '(' && word != "":
				n += 1 + calls[word]
			case b == '[':
				n++
			case strings.HasPrefix(line[i:], "->"):
				i++
			case strings.IndexByte("+-*/%&|^<>=!~?", b) >= 0:
				n++
				for i+1 < len(line) && strings.IndexByte("+-&|<>=", line[i+1]) >= 0 {
					i++ // an operator of several characters
				}
			}
			word = ""
		}
	}
	return n
}

// isWord reports whether b belongs to an identifier or a number.
func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
