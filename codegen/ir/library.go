package ir

import (
	"fmt"
	"slices"
)

// withoutLibraries returns the functions of p without those that only functions with a Library call.
func withoutLibraries(p *Program) []*Func {
	offered := func(f *Func) bool { return f.Library != "" && f != p.Root }
	inner, needed := map[*Func]bool{}, map[*Func]bool{}
	var within, need func(f *Func)
	within = func(f *Func) { // marks what f calls
		calls(f, func(x *Call) {
			if !inner[x.Func] {
				inner[x.Func] = true
				within(x.Func)
			}
		})
	}
	need = func(f *Func) {
		if needed[f] {
			return
		}
		if needed[f] = true; !offered(f) {
			calls(f, func(x *Call) { need(x.Func) })
		}
	}
	for _, f := range p.Funcs {
		if offered(f) {
			within(f)
		}
	}
	for _, f := range p.Funcs {
		if !inner[f] {
			need(f)
		}
	}
	if p.Twice != nil {
		calls(p.Twice, func(x *Call) { need(x.Func) })
	}
	return slices.DeleteFunc(slices.Clone(p.Funcs), func(f *Func) bool { return !needed[f] })
}

// fromLibrary adds the function of a library, of which f has the name, and what it calls to p.
func (c *coder) fromLibrary(p *Program, f *Func) *Func {
	if c.library == nil {
		c.damaged("it needs %s, and there are no libraries", f.Library)
	}
	q, err := c.library(f.Library)
	if err != nil {
		c.err = fmt.Errorf("it calls %s: %w", f.Library, err)
		c.damaged("")
	}
	if q.Root.Ident != f.Ident {
		c.damaged("%s is %s and was %s", f.Library, q.Root.Ident, f.Ident)
	}
	for _, t := range q.Types {
		if !slices.ContainsFunc(p.Types, t.Is) {
			p.Types = append(p.Types, t)
		}
	}
	here := func(f *Func) *Func {
		if i := slices.IndexFunc(p.Funcs, func(g *Func) bool { return g.Ident == f.Ident }); i >= 0 {
			return p.Funcs[i]
		}
		return nil
	}
	for _, g := range q.Funcs {
		if here(g) != nil {
			continue
		}
		calls(g, func(x *Call) { x.Func = here(x.Func) })
		p.Funcs = append(p.Funcs, g)
	}
	root := here(f)
	root.Library = f.Library
	return root
}

// calls gives all calls of functions in f to visit.
func calls(f *Func, visit func(*Call)) {
	var in func(list []Stmt)
	in = func(list []Stmt) {
		for _, s := range list {
			Walk(s, func(x Expr) {
				if call, ok := x.(*Call); ok {
					visit(call)
				}
			})
			for _, inner := range Bodies(s) {
				in(inner)
			}
		}
	}
	in(f.Body)
}
