package skel

import (
	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/pass"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/internal/array"
)

// unrolled returns the C text of the function with the name ident, the root of f or its twin for two
// elements, in which the loops are marked that are short for the extents of x that are
// constants. It returns c, the text without marks, for a function that the program made.
func (x *bound) unrolled(f *registry.Func, ident, c string) string {
	if f.Program == nil {
		return c
	}
	g := f.Program.Root
	if g.Ident != ident {
		g = f.Program.Twice
	}
	return emit.Function(g, pass.Short(g, g.Params[len(g.Params)-1], x.known(f)))
}

// known returns the extents of the views in x that are constants.
func (x *bound) known(f *registry.Func) pass.Extent {
	type extent struct {
		path string
		n    int
	}
	known := map[extent]int{}
	view := 0
	for i, l := range f.Extra {
		kind := x.plan.leaves[i].kind
		if kind == array.NoView {
			continue
		}
		for n := range extentNames(kind) {
			if v, is := x.shape.constant(2*view + n); is {
				known[extent{l.Path, n}] = v
			}
		}
		view++
	}
	return func(path string, n int) (int, bool) {
		v, is := known[extent{path, n}]
		return v, is
	}
}
