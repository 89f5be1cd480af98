package pass

import "github.com/skelgo/skelgo/codegen/ir"

// Pass finds out something about every program when it is generated, and notes it there.
type Pass struct {
	Name string
	Run  func(p *ir.Program, r Roles)
}

// Roles are parameters of the root whose Go types tell more than those of ir.
type Roles struct {
	Index    *ir.Var // the only one that is an int or a matrix.Index, besides views in the last one; or nil
	Position *ir.Var // the only one that can be the index of an element of a vector, or nil
}

// List holds the passes that every program takes, in order. The program is verified after
// each.
var List = []Pass{
	{"twice", func(p *ir.Program, _ Roles) { p.Twice = Twice(p.Root) }},
	{"exact", func(p *ir.Program, _ Roles) { p.Exact = Exact(p.Root) }},
	{"own", func(p *ir.Program, r Roles) {
		if r.Index != nil {
			p.Own = Own(p.Root, r.Index)
		}
	}},
	{"share", func(p *ir.Program, r Roles) {
		if r.Position != nil {
			p.Share = Share(p.Root, r.Position)
		}
	}},
	{"runs", func(p *ir.Program, _ Roles) { FindRuns(p) }},
}
