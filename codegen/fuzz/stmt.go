package fuzz

import (
	"fmt"
	"slices"
	"strings"
)

func (g *gen) line(format string, args ...any) {
	g.body.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.body, format, args...)
	g.body.WriteByte('\n')
}

// declare writes the declaration of a new variable and adds it to the scope.
func (g *gen) declare(name string, t *typ, value string) {
	switch {
	case g.chance(60):
		g.line("var %s %s = %s", name, t.name, value)
	default:
		g.line("%s := %s(%s)", name, parenthesised(t.name), value)
	}
	g.line("_ = %s", name)
	g.bring(variable{name, t, false})
}

func parenthesised(name string) string {
	if strings.HasPrefix(name, "[") {
		return "(" + name + ")"
	}
	return name
}

func (g *gen) bring(v variable) {
	last := len(g.scopes) - 1
	g.scopes[last] = append(g.scopes[last], v)
}

// fresh returns a name for a variable, which occasionally hides another one.
func (g *gen) fresh() string {
	if g.chance(20) {
		inner := g.scopes[len(g.scopes)-1]
		for _, v := range g.scopes[len(g.scopes)-2] {
			if !strings.HasPrefix(v.name, "(") && v.name != "k" && g.chance(30) && len(g.scopes) > 2 &&
				!slices.ContainsFunc(inner, func(w variable) bool { return w.name == v.name }) {
				return v.name
			}
		}
	}
	g.n++
	return fmt.Sprintf("v%d", g.n)
}

// block writes statements in a new scope.
func (g *gen) block(depth, n int, vars ...variable) {
	g.scopes = append(g.scopes, vars, nil)
	g.indent++
	if len(vars) > 0 && g.bounds[vars[0].name] > 0 {
		g.read()
	}
	for range n {
		g.statement(depth)
	}
	g.indent--
	g.scopes = g.scopes[:len(g.scopes)-2]
}

const maxDepth = 3 // maximum nesting of statements

func (g *gen) statement(depth int) {
	g.size++
	if depth >= maxDepth || g.size > 40 {
		g.simple()
		return
	}
	if g.straight {
		switch {
		case depth == 0 && g.chance(40):
			g.slots()
		case depth == 0 && g.chance(15):
			g.ifStatement(depth)
		default:
			g.simple()
		}
		return
	}
	switch g.IntN(12) {
	case 0, 1:
		g.ifStatement(depth)
	case 2, 3:
		g.loop(depth)
	case 4:
		g.switchStatement(depth)
	case 5:
		if g.chance(30) {
			g.line("{")
			g.block(depth+1, 1+g.IntN(2))
			g.line("}")
			return
		}
		g.simple()
	case 6:
		g.jump()
	default:
		g.simple()
	}
}

// simple writes a statement without a body.
func (g *gen) simple() {
	switch g.IntN(10) {
	case 9:
		g.slots()
	case 8:
		g.read()
	case 0, 1:
		t := g.typ()
		v := g.expr(t, 3)
		g.declare(g.fresh(), t, v)
	case 2:
		g.multi()
	case 3:
		g.set()
	case 4:
		t := g.numeric()
		if p := g.paths(t, true); len(p) > 0 {
			g.line("%s%s", pick(g, p), pick(g, []string{"++", "--"}))
			return
		}
		fallthrough
	case 5:
		g.swap()
	default:
		g.assign()
	}
}

// slots declares an array, of a result's type if possible, and modifies
// elements at computed indices.
func (g *gen) slots() {
	t := g.localArray()
	for _, r := range g.results {
		if r.kind == array && r.elem.number() && g.chance(70) {
			t = r
		}
	}
	value := parenthesised(t.name + "{}")
	if g.chance(40) {
		value = g.composite(t, 0)
	}
	g.n++
	v := fmt.Sprintf("v%d", g.n)
	g.declare(v, t, value)
	for range 1 + g.IntN(3) {
		to := v + "[" + g.slot(t.n) + "]"
		if g.chance(30) {
			g.line("%s++", to)
		} else {
			g.line("%s %s %s", to, pick(g, []string{"=", "+=", "-="}), g.expr(t.elem, 2))
		}
	}
	g.line("k = k*31 ^ int(%s[%s])", v, g.slot(t.n))
}

// slot returns a computed index in [0, n).
func (g *gen) slot(n int64) string {
	switch g.IntN(3) {
	case 0: // with a branch
		g.n++
		i := fmt.Sprintf("j%d", g.n)
		g.line("%s := %d", i, g.Int64N(n))
		g.line("if %s {", g.condition(1))
		g.line("\t%s = %d", i, g.Int64N(n))
		g.line("}")
		return i
	case 1:
		if n&(n-1) == 0 {
			return fmt.Sprintf("%s&%d", g.leaf(g.integer()), n-1)
		}
	}
	return fmt.Sprintf("uint32(%s)%%%d", g.leaf(g.integer()), n)
}

func (g *gen) assign() {
	t := g.typ()
	p := g.paths(t, true)
	if len(p) == 0 {
		return
	}
	to := pick(g, p)
	switch {
	case t.integer() && g.chance(40):
		if g.chance(25) {
			g.line("%s %s %s", to, pick(g, []string{"<<=", ">>="}), g.shiftCount(1))
		} else {
			g.line("%s %s= %s", to, pick(g, []string{"+", "-", "*", "&", "|", "^", "&^"}), g.operand(t, 2))
		}
	case t.float() && g.chance(40):
		g.line("%s %s= %s", to, pick(g, []string{"+", "-", "*", "/"}), g.operand(t, 2))
	default:
		g.line("%s = %s", to, g.expr(t, 3))
	}
}

func (g *gen) swap() {
	t, u := g.typ(), g.typ()
	p, q := g.paths(t, true), g.paths(u, true)
	if len(p) == 0 || len(q) == 0 {
		return
	}
	to, from := pick(g, p), pick(g, q)
	if t == u && g.chance(50) {
		g.line("%s, %s = %s, %s", to, from, from, to)
		return
	}
	g.line("%s, %s = %s, %s", to, from, g.expr(t, 2), g.expr(u, 2))
}

// multi writes a call of a helper that has two results or a pointer parameter.
func (g *gen) multi() {
	if len(g.helpers) == 0 {
		return
	}
	f := pick(g, g.helpers)
	addressed := ""
	if f.ptr {
		var vars []string
		for i, scope := range g.scopes {
			for _, v := range scope {
				if v.typ == f.params[0] && !v.fixed && !g.shadowed(v.name, i) && !strings.HasPrefix(v.name, "(") {
					vars = append(vars, v.name)
				}
			}
		}
		if len(vars) == 0 {
			return
		}
		addressed = pick(g, vars)
	}
	call := g.callOf(f, 3, addressed)
	if f.ptr && strings.Count(call, addressed) > 1 {
		return // Go does not specify whether it is read before the call
	}
	names := make([]string, len(f.results))
	for i := range names {
		names[i] = g.fresh()
		if i > 0 && names[i] == names[0] {
			return
		}
	}
	g.line("%s := %s", strings.Join(names, ", "), call)
	for i, t := range f.results {
		g.line("_ = %s", names[i])
		g.bring(variable{names[i], t, false})
	}
}

// set writes an assignment to an element of an out-view.
func (g *gen) set() {
	for _, v := range g.scopes[0] {
		for _, f := range v.typ.fields {
			if f.typ.kind == outView {
				g.line("%s.%s.Set(%s, %s)", v.name, f.name, g.index(viewLen), g.expr(f.typ.elem, 2))
				return
			}
		}
	}
	g.assign()
}

func (g *gen) ifStatement(depth int) {
	cond := g.condition(2)
	var vars []variable
	if g.chance(20) {
		t := g.basic()
		g.n++
		v := fmt.Sprintf("v%d", g.n)
		g.line("if %s := %s; %s || %s == %s {", v, g.expr(t, 2), cond, v, v)
		vars = []variable{{v, t, false}}
	} else {
		g.line("if %s {", cond)
	}
	g.block(depth+1, 1+g.IntN(3), vars...)
	if g.chance(40) {
		if g.chance(30) {
			g.line("} else if %s {", g.condition(1))
			g.block(depth+1, 1+g.IntN(2), vars...)
		}
		g.line("} else {")
		g.block(depth+1, 1+g.IntN(2), vars...)
	}
	g.line("}")
}

// loop writes a loop that always ends: its count is fixed before it starts, and
// its variable is not assigned.
func (g *gen) loop(depth int) {
	if len(g.loops) >= 2 {
		g.simple()
		return
	}
	g.n++
	v := fmt.Sprintf("i%d", g.n)
	var head string
	vars := []variable{{v, basics[integer], true}}
	form := g.IntN(8)
	if g.views() && g.chance(50) {
		form = 7
	}
	switch form {
	case 0:
		g.bounds[v] = g.Int64N(5)
		head = fmt.Sprintf("for %s := range %d {", v, g.bounds[v])
	case 7:
		from := g.Int64N(3)
		g.bounds[v] = from + 1 + g.Int64N(8)
		head = fmt.Sprintf("for %s := %d; %s < %d; %s++ {", v, from, v, g.bounds[v], v)
	case 1:
		t := g.integer()
		vars[0].typ = t
		head = fmt.Sprintf("for %s := range %s(%s) & 3 {", v, t.name, g.expr(g.integer(), 2))
	case 2:
		vars = nil
		head = fmt.Sprintf("for range %d {", 1+g.IntN(4))
	case 3:
		t := g.integer()
		vars[0].typ = t
		head = fmt.Sprintf("for %s := %s(%d); %s < %d; %s += %d {",
			v, t.name, g.IntN(3), v, 3+g.IntN(4), v, 1+g.IntN(2))
	case 4:
		head = fmt.Sprintf("for %s := %d; %s > 0 && %s; %s-- {", v, 1+g.IntN(5), v, g.condition(2), v)
	case 5:
		g.line("%s := 0", v)
		head = fmt.Sprintf("for %s < %d {", v, 1+g.IntN(4))
	default:
		arrays := g.arrays()
		if len(arrays) == 0 {
			head = fmt.Sprintf("for %s := range 3 {", v)
			break
		}
		a := pick(g, arrays)
		vars = append(vars, variable{"e" + v, a.typ.elem, false})
		head = fmt.Sprintf("for %s, e%s := range %s {", v, v, a.name)
	}
	label := ""
	if g.chance(40) {
		g.n++
		label = fmt.Sprintf("L%d", g.n)
	}
	// The label is written only if it is used.
	before := g.body.String()
	g.body.Reset()
	g.loops = append(g.loops, label)
	g.line("%s", head)
	counted := strings.HasPrefix(head, "for "+v+" < ")
	if counted {
		g.line("\t%s++", v)
	}
	for _, w := range vars {
		g.line("\t_ = %s", w.name)
	}
	g.block(depth+1, 1+g.IntN(3), vars...)
	g.line("}")
	g.loops = g.loops[:len(g.loops)-1]
	text := g.body.String()
	g.body.Reset()
	g.body.WriteString(before)
	if g.used[label] && label != "" {
		g.indent--
		g.line("%s:", label)
		g.indent++
	}
	g.body.WriteString(text)
}

// views reports whether the function receives views.
func (g *gen) views() bool {
	return slices.ContainsFunc(g.scopes[0], func(v variable) bool { return v.typ.views })
}

// read writes statements that read an element of each view: adjacent elements,
// in a counting loop.
func (g *gen) read() {
	for _, v := range g.scopes[0] {
		for _, f := range v.typ.fields {
			if f.typ.kind <= array || !f.typ.elem.number() || g.shadowed(v.name, 0) {
				continue
			}
			at := g.index(viewLen)
			if f.typ.kind == matView {
				at = g.index(viewRows) + ", " + g.index(viewCols)
			}
			g.line("k = k*31 ^ int(%s.%s.At(%s))", v.name, f.name, at)
		}
	}
}

// arrays returns the array variables in scope.
func (g *gen) arrays() []variable {
	var list []variable
	for i, scope := range g.scopes {
		for _, v := range scope {
			if v.typ.kind == array && !g.shadowed(v.name, i) {
				list = append(list, v)
			}
		}
	}
	return list
}

func (g *gen) switchStatement(depth int) {
	t := g.integer()
	tagless := g.chance(30)
	if tagless {
		g.line("switch {")
	} else {
		g.line("switch %s {", g.expr(t, 2))
	}
	n := 1 + g.IntN(3)
	defaultAt := g.IntN(2 * (n + 1))
	for i := range n + 1 {
		last := i == n
		switch {
		case i == defaultAt:
			g.line("default:")
		case tagless:
			g.line("case %s:", g.condition(1))
		default: // distinct values
			g.line("case %d, %d:", 3*i, 3*i+1)
		}
		g.loops = append(g.loops, "switch")
		g.block(depth+1, 1+g.IntN(2))
		g.loops = g.loops[:len(g.loops)-1]
		if !last && g.chance(15) {
			g.line("\tfallthrough")
		}
	}
	g.line("}")
}

// jump writes a statement that conditionally leaves a loop, a switch or the
// function.
func (g *gen) jump() {
	var choices []string
	for i, label := range g.loops {
		innermost := i == len(g.loops)-1
		switch {
		case label == "switch":
			if innermost {
				choices = append(choices, "break")
			}
		default:
			if innermost {
				choices = append(choices, "break", "continue")
			}
			if label != "" {
				choices = append(choices, "break "+label, "continue "+label)
			}
		}
	}
	g.line("if %s {", g.condition(2))
	g.indent++
	if len(choices) == 0 || g.chance(15) {
		g.ret()
	} else {
		c := pick(g, choices)
		if _, label, ok := strings.Cut(c, " "); ok {
			g.used[label] = true
		}
		g.line("%s", c)
	}
	g.indent--
	g.line("}")
}

func (g *gen) ret() {
	values := make([]string, len(g.results))
	for i, t := range g.results {
		values[i] = g.expr(t, 3)
		if t.number() && g.chance(30) { // a value read in between
			values[i] = fmt.Sprintf("%s + %s(k)", values[i], t.name)
		}
	}
	g.line("return %s", strings.Join(values, ", "))
}
