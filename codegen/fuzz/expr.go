package fuzz

import (
	"fmt"
	"strconv"
	"strings"
)

// Expressions are never constant, so that Go's rules for constants (overflow,
// division by zero) do not matter; literals appear only as right operands.

// expr returns an expression of type t.
func (g *gen) expr(t *typ, depth int) string {
	if g.straight {
		depth = min(depth, 1)
	}
	if depth <= 0 || g.chance(15) {
		return g.leaf(t)
	}
	if g.chance(12) {
		if call := g.call(t, depth); call != "" {
			return call
		}
	}
	switch {
	case t.kind == boolean:
		return g.condition(depth)
	case t.kind == structure || t.kind == array:
		if g.chance(60) {
			return g.leaf(t)
		}
		return g.composite(t, depth-1)
	case t.float():
		return g.floating(t, depth)
	}
	return g.integral(t, depth)
}

func (g *gen) operand(t *typ, depth int) string {
	if g.chance(25) {
		return g.literal(t)
	}
	return g.expr(t, depth)
}

func (g *gen) integral(t *typ, depth int) string {
	x := g.expr(t, depth-1)
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)",
			x, pick(g, []string{"+", "-", "*", "&", "|", "^", "&^"}), g.operand(t, depth-1))
	case 4:
		return fmt.Sprintf("(%s %s (%s | 1))", x, pick(g, []string{"/", "%"}), g.expr(t, depth-1))
	case 5:
		lit := g.literal(t)
		if lit == "0" {
			lit = "3"
		}
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"/", "%"}), lit)
	case 6:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"<<", ">>"}), g.shiftCount(depth-1))
	case 7:
		return fmt.Sprintf("(%s%s)", pick(g, []string{"-", "^", "+"}), x)
	case 8:
		return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), x, g.operand(t, depth-1))
	case 9:
		return g.bitCount(t, depth-1)
	}
	return g.convert(t, depth-1)
}

func (g *gen) shiftCount(depth int) string {
	switch g.IntN(3) {
	case 0:
		return strconv.Itoa(g.IntN(70))
	case 1:
		return g.expr(basics[u8+kind(g.IntN(5))], depth)
	}
	return "(" + g.expr(g.signed(), depth) + " & 63)"
}

func (g *gen) signed() *typ { return basics[g.IntN(int(integer)+1)] }

// convert returns a conversion of another number to t.
func (g *gen) convert(t *typ, depth int) string {
	from := g.numeric()
	if t.integer() && from.float() && g.chance(70) {
		from = g.integer()
	}
	return t.name + "(" + g.expr(from, depth) + ")"
}

func (g *gen) bitCount(t *typ, depth int) string {
	width := pick(g, []kind{u8, u16, u32, u64})
	x := g.expr(basics[width], depth)
	n := basics[width].bits()
	var call string
	switch f := pick(g, []string{"LeadingZeros", "TrailingZeros", "OnesCount", "Len", "RotateLeft", "Reverse",
		"ReverseBytes"}); f {
	case "RotateLeft":
		call = fmt.Sprintf("bits.RotateLeft%d(%s, %s)", n, x, g.expr(basics[integer], depth-1))
	case "ReverseBytes":
		if width == u8 {
			f = "Reverse"
		}
		call = fmt.Sprintf("bits.%s%d(%s)", f, n, x)
	default:
		call = fmt.Sprintf("bits.%s%d(%s)", f, n, x)
	}
	return t.name + "(" + call + ")"
}

func (g *gen) floating(t *typ, depth int) string {
	x := g.expr(t, depth-1)
	switch g.IntN(10) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"+", "-", "*", "/"}), g.operand(t, depth-1))
	case 8:
		y, z := g.expr(t, depth-1), g.expr(t, depth-1)
		if t.kind == f64 && g.chance(50) {
			return fmt.Sprintf("%s(math.FMA(float64(%s), float64(%s), float64(%s)))", t.name, x, y, z)
		}
		return fmt.Sprintf("math32.FMA(%s, %s, %s)", x, y, z)
	case 4:
		return "(-" + x + ")"
	case 5:
		return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), x, g.operand(t, depth-1))
	case 6, 7:
		// For a float32 argument, the device function is the float32 version.
		// These functions are exact, so the results are the same.
		return fmt.Sprintf("%s(math.%s(float64(%s)))",
			t.name, pick(g, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc"}), x)
	}
	return g.convert(t, depth-1)
}

func (g *gen) condition(depth int) string {
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("(%s %s %s)",
			g.condition(depth-1), pick(g, []string{"&&", "||", "==", "!="}), g.expr(basics[boolean], depth-1))
	case 1:
		return "!" + g.expr(basics[boolean], depth-1)
	case 2:
		if len(g.types) > 0 {
			t := pick(g, g.types)
			if t.kind == structure || t.kind == array {
				return fmt.Sprintf("(%s %s %s)", g.leaf(t), pick(g, []string{"==", "!="}), g.leaf(t))
			}
		}
	}
	t := g.numeric()
	return fmt.Sprintf("(%s %s %s)",
		g.expr(t, depth-1), pick(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.operand(t, depth-1))
}

// literal returns a constant of type t.
func (g *gen) literal(t *typ) string {
	switch {
	case t.kind == boolean:
		return pick(g, []string{"true", "false"})
	case t.float():
		return pick(g, []string{"0.5", "1", "-2", "3.25", "1e-3", "0.1", "1e10", "-0.3333333333333333", "16777217",
			"1e-40", "255.9"})
	case t.kind == structure || t.kind == array:
		return g.composite(t, 0)
	case t.signed():
		n := pick(g, []int64{0, 1, 2, 3, 7, 31, 100, 1<<(t.bits()-1) - 1, -1 << (t.bits() - 1), -1, -5})
		return fmt.Sprint(n)
	}
	return fmt.Sprint(pick(g, []uint64{0, 1, 2, 3, 5, 127, 200, 1<<t.bits() - 1, 1 << (t.bits() - 1)}))
}

func (g *gen) composite(t *typ, depth int) string {
	var parts []string
	keyed := g.chance(50)
	for _, f := range t.fields {
		v := g.expr(f.typ, depth)
		if keyed {
			v = f.name + ": " + v
		}
		parts = append(parts, v)
	}
	if t.kind == array {
		for range t.n {
			parts = append(parts, g.expr(t.elem, depth))
		}
	}
	return "(" + t.name + "{" + strings.Join(parts, ", ") + "})"
}

// call returns a call of a helper with one result of type t.
func (g *gen) call(t *typ, depth int) string {
	var fit []*function
	for _, f := range g.helpers {
		if len(f.results) == 1 && f.results[0] == t && !f.ptr {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return g.callOf(pick(g, fit), depth, "")
}

// callOf returns a call of f; addressed is the variable whose address is passed
// to a pointer parameter.
func (g *gen) callOf(f *function, depth int, addressed string) string {
	args := make([]string, len(f.params))
	for i, t := range f.params {
		args[i] = g.expr(t, depth-2)
	}
	if f.ptr {
		args[0] = "&" + addressed
	}
	if f.recv != nil {
		return args[0] + "." + f.name + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

// leaf returns an expression that reads a value of type t, or constructs one.
func (g *gen) leaf(t *typ) string {
	if found := g.paths(t, false); len(found) > 0 {
		return pick(g, found)
	}
	switch {
	case t.kind == boolean:
		u := g.numeric()
		return fmt.Sprintf("(%s < %s)", g.leaf(u), g.literal(u))
	case t.number():
		return t.name + "(" + g.anyNumber() + ")"
	}
	return g.composite(t, 0)
}

// anyNumber returns an expression that reads a number of any type.
func (g *gen) anyNumber() string {
	for range 8 {
		if found := g.paths(g.numeric(), false); len(found) > 0 {
			return pick(g, found)
		}
	}
	return pick(g, g.paths(basics[integer], false)) // at least k
}

// paths returns the places of type t that can be read or assigned.
func (g *gen) paths(t *typ, assign bool) []string {
	var found []string
	seen := map[string]bool{}
	for i := len(g.scopes) - 1; i >= 0; i-- {
		for j := len(g.scopes[i]) - 1; j >= 0; j-- {
			v := g.scopes[i][j]
			if !seen[v.name] && !(assign && v.fixed) {
				found = g.below(found, v.name, v.typ, t, assign, 3)
			}
			seen[v.name] = true
		}
	}
	return found
}

func (g *gen) below(found []string, path string, at, want *typ, assign bool, depth int) []string {
	if at == want {
		found = append(found, path)
	}
	if depth == 0 {
		return found
	}
	switch at.kind {
	case structure:
		for _, f := range at.fields {
			found = g.below(found, path+"."+f.name, f.typ, want, assign, depth-1)
		}
	case array:
		found = g.below(found, path+"["+g.index(at.n)+"]", at.elem, want, assign, depth-1)
	case view, outView:
		if !assign {
			found = g.below(found, path+".At("+g.index(viewLen)+")", at.elem, want, true, 0)
			if want == basics[integer] {
				found = append(found, path+".Len()")
			}
		}
	case matView:
		if !assign {
			found = g.below(found, fmt.Sprintf("%s.At(%s, %s)", path, g.index(viewRows), g.index(viewCols)), at.elem,
				want, true, 0)
			if want == basics[integer] {
				found = append(found, path+".Rows()", path+".Cols()")
			}
		}
	default: // has no parts
	}
	return found
}

// index returns an int in [0, n).
func (g *gen) index(n int64) string {
	if i := g.counted(n); i != "" {
		return i
	}
	if g.chance(60) {
		return fmt.Sprint(g.Int64N(n))
	}
	for i := len(g.scopes) - 1; i >= 0; i-- {
		for _, v := range g.scopes[i] {
			if v.typ.integer() && g.chance(30) && !g.shadowed(v.name, i) {
				return fmt.Sprintf("int(uint8(%s)%%%d)", v.name, n)
			}
		}
	}
	return fmt.Sprint(g.Int64N(n))
}

// counted returns an index that increases in each iteration of a loop with few
// enough iterations, or "" if there is none.
func (g *gen) counted(n int64) string {
	for i := len(g.scopes) - 1; i >= 0; i-- {
		for _, v := range g.scopes[i] {
			room := n - g.bounds[v.name]
			if g.bounds[v.name] == 0 || !v.fixed || v.typ != basics[integer] || room < 0 || g.chance(30) ||
				g.shadowed(v.name, i) {
				continue
			}
			switch g.IntN(3) {
			case 0:
				return v.name
			case 1:
				return fmt.Sprintf("%s+%d", v.name, g.Int64N(room+1))
			}
			if g.nested > 1 { // the places of a program with many arrays have indices with further places
				return v.name
			}
			g.nested++
			defer func() { g.nested-- }()
			times := pick(g, []int64{1, 2, 4}) // often aligned for words
			return fmt.Sprintf("int(uint8(%s)%%%d)*%d+%s",
				pick(g, g.paths(basics[integer], true)), room/times+1, times, v.name)
		}
	}
	return ""
}

func (g *gen) shadowed(name string, scope int) bool {
	for _, s := range g.scopes[scope+1:] {
		for _, v := range s {
			if v.name == name {
				return true
			}
		}
	}
	return false
}
