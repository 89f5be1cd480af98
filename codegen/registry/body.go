package registry

import (
	"slices"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/ir"
)

// WithBody returns a device form for a function that the program makes at run time, such as
// the closure of a formula that a user has typed. The function has the type of f, which serves
// as a template: the parameters, the types and the functions that f calls are those of f. name
// is for messages. ident is the name in C, which must differ from those of all functions with
// another text, and c is the definition in the subset of C that skelgen writes
// (codegen/emit/prelude.md). calls lists further functions that c calls. The form has no loops.
// Its cost is estimated from c, and from what the functions that c calls cost.
func (f *Func) WithBody(name, ident, c string, calls ...*Func) *Func {
	g := &Func{Name: name, Type: f.Type, Form: &emit.Form{
		Ident: ident, Params: f.Params, Result: f.Result, Sites: slices.Clone(f.Sites),
	}}
	for _, l := range f.Extra {
		l.Own = false // c may read other elements
		g.Extra = append(g.Extra, l)
	}
	known := map[string]bool{}
	add := func(list []emit.Decl) {
		for _, d := range list {
			if !known[d.Ident] {
				known[d.Ident] = true
				g.Decls = append(g.Decls, d)
			}
		}
	}
	add(f.Decls[:len(f.Decls)-1])
	g.parts = f.Programs()
	costs := map[string]int{}
	for _, other := range calls {
		add(other.Decls)
		g.parts = append(g.parts, other.Programs()...)
		g.Sites = append(g.Sites, other.Sites...)
		costs[other.Ident] = other.Operations()
	}
	add([]emit.Decl{{Ident: ident, C: c}})
	g.Cost = textCost(g.Decls, costs)
	return g
}

// Programs returns what the declarations of the form mean: the function's Program or, for a function that the program
// made, those of the functions that it calls.
func (f *Func) Programs() []*ir.Program {
	if f.Program != nil {
		return []*ir.Program{f.Program}
	}
	return f.parts
}
