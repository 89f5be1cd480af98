package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Program is a random function with everything that it needs.
type Program struct {
	Seed    uint64
	Source  string // Go declarations; package-level names end in _0, or in the number in a batch
	root    string
	params  []*typ // except the extra argument
	extra   *typ   // nil, or a struct of views and plain values
	results []*typ
}

// New returns the program for a seed.
func New(seed uint64) *Program {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 0x5ce1)), taken: map[string]bool{}}
	return g.program(seed)
}

// variable is a variable or parameter that can be read.
type variable struct {
	name  string
	typ   *typ
	fixed bool // must not be assigned
}

// function is a generated helper.
type function struct {
	name    string
	recv    *typ
	ptr     bool // the first parameter is a pointer to params[0]
	params  []*typ
	results []*typ
}

// gen is the state of generating one program.
type gen struct {
	*rand.Rand
	n       int // number of the next name
	decls   strings.Builder
	types   []*typ
	helpers []*function
	joined  []string        // names of types and what belongs to them, joined by underscores
	taken   map[string]bool // the names of functions, and of methods after a dot

	// State of the function that is being generated.
	body    strings.Builder
	scopes  [][]variable
	results []*typ
	loops   []string // labels of the enclosing loops; "" inside a switch
	used    map[string]bool
	bounds  map[string]int64 // bounds of variables that count up from 0 or more
	nested  int              // indices around the one that is being generated
	indent  int
	size    int // number of statements so far

	// Compilers vectorize short programs without loops and switches, element by
	// element.
	straight bool
}

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *gen, list []T) T { return list[g.IntN(len(list))] }

func (g *gen) name(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d_0", prefix, g.n)
}

func (g *gen) program(seed uint64) *Program {
	g.straight = g.chance(40)
	for range g.IntN(3) {
		g.newType()
	}
	helpers, statements := g.IntN(4), 6+g.IntN(8)
	if g.straight {
		helpers, statements = g.IntN(2), 1+g.IntN(4)
	}
	for range helpers {
		g.helper()
	}
	if !g.straight && g.chance(30) { // the program has a loop
		g.genericHelper()
	}
	for range 2 {
		if !g.straight && g.chance(50) {
			g.alike()
		}
	}
	p := &Program{Seed: seed, root: "root_0"}
	for range 1 + g.IntN(3) {
		p.params = append(p.params, g.typ())
	}
	if g.chance(50) {
		p.extra = g.extraType()
	}
	p.results = []*typ{g.typ()}
	if g.chance(15) {
		p.results[0] = g.localArray()
	}
	if g.chance(20) {
		p.results = append(p.results, g.typ())
	}
	switch seed % 8 {
	case 3: // a predicate, as of a Filter
		p.params, p.results = p.params[:1], []*typ{basics[boolean]}
	case 7: // a comparison, as of a Sort or a Unique
		p.params, p.results = []*typ{p.params[0], p.params[0]}, []*typ{basics[boolean]}
	}
	params := p.params
	if p.extra != nil {
		params = append(params[:len(params):len(params)], p.extra)
	}
	g.function(p.root, nil, false, params, p.results, statements)
	p.Source = g.decls.String()
	return p
}

// basic returns a random number type or bool.
func (g *gen) basic() *typ { return basics[g.IntN(len(basics))] }

func (g *gen) numeric() *typ { return basics[g.IntN(int(boolean))] }

func (g *gen) integer() *typ { return basics[g.IntN(int(f32))] }

// typ returns a random type that a buffer can hold.
func (g *gen) typ() *typ {
	if len(g.types) > 0 && g.chance(30) {
		return pick(g, g.types)
	}
	return g.basic()
}

// newType declares a struct, an array or a named number.
func (g *gen) newType() {
	var t *typ
	switch g.IntN(4) {
	case 0:
		base := *g.numeric()
		base.name = g.typeName("n")
		fmt.Fprintf(&g.decls, "type %s %s\n\n", base.name, basicNames[base.kind])
		t = &base
	case 1:
		t = arrayOf(g.typ(), int64(1+g.IntN(4)))
	default:
		name := g.typeName("s")
		var fields []field
		fmt.Fprintf(&g.decls, "type %s struct {\n", name)
		for i := range 1 + g.IntN(4) {
			f := field{name: fmt.Sprintf("f%d", i), typ: g.typ()}
			if g.chance(20) {
				f.typ = g.localArray()
			}
			fields = append(fields, f)
			fmt.Fprintf(&g.decls, "\t%s %s\n", f.name, f.typ.name)
		}
		g.decls.WriteString("}\n\n")
		t = structOf(name, fields)
	}
	if t.size <= 128 {
		g.types = append(g.types, t)
	}
}

// localArray returns an array type for a local variable, often with at most 8
// bytes, which compilers clear with one store. They do not vectorize larger
// ones.
func (g *gen) localArray() *typ {
	elem, n := g.numeric(), pick(g, []int64{2, 3, 4, 8})
	for g.chance(80) && n > 1 && n*elem.size > 8 {
		elem, n = g.numeric(), pick(g, []int64{2, 4, 8})
	}
	return arrayOf(elem, n)
}

// Views have these lengths in every run, and indices are always smaller.
// Adjacent elements of rows can be read together.
const (
	viewLen  = 13
	viewRows = 3
	viewCols = 8
)

// extraType declares a struct with views and plain fields.
func (g *gen) extraType() *typ {
	t := &typ{kind: structure, name: g.name("e")}
	fmt.Fprintf(&g.decls, "type %s struct {\n", t.name)
	for i := range 1 + g.IntN(3) {
		elem := g.typ()
		f := field{name: fmt.Sprintf("V%d", i), typ: elem}
		switch g.IntN(4) {
		case 0:
			f.typ = &typ{kind: view, name: "vector.View[" + elem.name + "]", elem: elem, n: viewLen}
		case 1:
			f.typ = &typ{kind: outView, name: "vector.OutView[" + elem.name + "]", elem: elem, n: viewLen}
		case 2:
			f.typ = &typ{kind: matView, name: "matrix.View[" + elem.name + "]", elem: elem, n: viewRows * viewCols}
		}
		t.fields = append(t.fields, f)
		fmt.Fprintf(&g.decls, "\t%s %s\n", f.name, f.typ.name)
	}
	g.decls.WriteString("}\n\n")
	if !slices.ContainsFunc(t.fields, func(f field) bool { return !f.typ.plain() }) {
		return structOf(t.name, t.fields) // passed as one value
	}
	t.views = true
	return t
}

// helper generates a function that later functions may call.
func (g *gen) helper() {
	f := &function{name: g.name(pick(g, []string{"h", "h", "h", "\u00e9"}))}
	for range 1 + g.IntN(3) {
		f.params = append(f.params, g.typ())
	}
	if t := f.params[0]; t.named() {
		if g.chance(50) {
			f.recv = t
			g.joined = append(g.joined, t.name+"_"+f.name)
		}
	}
	if f.recv == nil && g.chance(20) {
		f.ptr = true
	}
	g.finish(f)
}

// finish chooses the results and the body of a helper.
func (g *gen) finish(f *function) {
	g.taken[f.key()] = true
	f.results = []*typ{g.typ()}
	if g.chance(25) {
		f.results = append(f.results, g.typ())
	}
	g.function(f.name, f.recv, f.ptr, f.params, f.results, 2+g.IntN(4))
	g.helpers = append(g.helpers, f)
}

// key identifies a function or method.
func (f *function) key() string {
	if f.recv == nil {
		return f.name
	}
	return f.recv.name + "." + f.name
}

// typeName returns the name of a new type. It may begin with the name of another one.
func (g *gen) typeName(prefix string) string {
	name := g.name(prefix)
	for _, t := range g.types {
		if t.named() && g.chance(30) {
			name = t.name + "_" + name
			break
		}
	}
	g.taken[name] = true
	return name
}

// alike generates a function whose name, joined with that of its receiver by an
// underscore, is the same as that of another function or instance: T.a_b, T_a.b and T_a_b.
func (g *gen) alike() {
	if len(g.joined) == 0 {
		return
	}
	name := pick(g, g.joined)
	list := []*function{{name: name, params: []*typ{g.typ()}}}
	for _, t := range g.types {
		if rest, ok := strings.CutPrefix(name, t.name+"_"); ok && t.named() {
			list = append(list, &function{name: rest, recv: t, params: []*typ{t}})
		}
	}
	f := pick(g, list)
	if g.taken[f.key()] {
		return
	}
	for range g.IntN(2) {
		f.params = append(f.params, g.typ())
	}
	g.finish(f)
}

// genericHelper generates a generic function and one instance for later calls.
func (g *gen) genericHelper() {
	name := g.name("g")
	fmt.Fprintf(&g.decls,
		`func %[1]s[T int8 | int16 | int32 | int64 | int | uint8 | uint16 | uint32 | uint64 | uint |
	float32 | float64](x, y T) T {
	for i := range 3 {
		if x < y {
			x += y * T(i)
			continue
		}
		x, y = y-x, x
	}
	return min(x, y) %[2]s T(%[3]d)
}

`, name, pick(g, []string{"+", "-", "*"}), 1+g.IntN(100))
	for range 2 {
		t := g.numeric()
		g.joined = append(g.joined, name+"_"+t.name)
		g.helpers = append(g.helpers,
			&function{name: name + pick(g, []string{"", "[" + t.name + "]"}), params: []*typ{t, t}, results: []*typ{t}})
	}
}

// function generates a declaration with about n statements.
func (g *gen) function(name string, recv *typ, ptr bool, params, results []*typ, n int) {
	g.body.Reset()
	g.scopes = [][]variable{nil, nil}
	g.results, g.loops, g.used, g.size = results, nil, map[string]bool{}, 0
	g.bounds = map[string]int64{}
	g.indent = 1
	var list []string
	for i, t := range params {
		v := fmt.Sprintf("p%d", i)
		spelled := t.name
		if ptr && i == 0 {
			spelled = "*" + t.name
			v = "(*p0)"
		}
		list = append(list, fmt.Sprintf("p%d %s", i, spelled))
		g.scopes[0] = append(g.scopes[0], variable{v, t, t.kind > array})
	}
	head := "func "
	if recv != nil {
		head += "(" + list[0] + ") "
		list = list[1:]
	}
	out := make([]string, len(results))
	named := g.chance(20)
	for i, t := range results {
		out[i] = t.name
		if named {
			out[i] = fmt.Sprintf("r%d %s", i, t.name)
			g.scopes[0] = append(g.scopes[0], variable{fmt.Sprintf("r%d", i), t, false})
		}
	}
	// Every function can read at least one number.
	g.declare("k", basics[integer], fmt.Sprint(g.IntN(50)))
	for range n {
		g.statement(0)
	}
	if g.views() && !g.straight {
		g.loop(0)
	}
	if named && g.chance(50) {
		g.line("return")
	} else {
		g.ret()
	}
	fmt.Fprintf(&g.decls, "%s%s(%s) (%s) {\n%s}\n\n",
		head, name, strings.Join(list, ", "), strings.Join(out, ", "), g.body.String())
}
