package pass

import "github.com/skelgo/skelgo/codegen/ir"

// Cost returns the number of operations in f: operators, conversions, reads of elements,
// calls, assignments, branches and returns count 1 each, and a call also counts the body
// of the function that it calls, as a compiler for GPUs inlines it. A loop counts once,
// however many iterations it has: skeletons use the cost to decide whether to repeat a
// call in an unrolled loop, which multiplies its code. Names, types, constants and
// positions cost nothing, so that moving or renaming a function leaves its cost as it is.
// The cost is at least 1.
func Cost(f *ir.Func) int { return max(1, costs{}.function(f)) }

// costs holds the costs of functions that have been counted.
type costs map[*ir.Func]int

func (c costs) function(f *ir.Func) int {
	n, known := c[f]
	if !known {
		n = c.stmts(f.Body)
		c[f] = n
	}
	return n
}

func (c costs) stmts(list []ir.Stmt) (n int) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Block, *ir.Break, *ir.Continue: // the branch around them counts
		case *ir.For:
			n++
			for _, p := range s.Post {
				n += c.stmts([]ir.Stmt{p})
			}
		default:
			n++
		}
		for _, x := range ir.Exprs(s) {
			n += c.expr(x)
		}
		for _, inner := range ir.Bodies(s) {
			n += c.stmts(inner)
		}
	}
	return n
}

func (c costs) expr(x ir.Expr) (n int) {
	switch x := x.(type) {
	case *ir.Const, *ir.Local, *ir.FieldOf, *ir.Dim, *ir.Composite, *ir.Addr, *ir.Deref:
	case *ir.Call:
		n = 1 + c.function(x.Func)
	default:
		n = 1
	}
	for _, inner := range ir.Children(x) {
		n += c.expr(inner)
	}
	return n
}
