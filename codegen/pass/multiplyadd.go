package pass

import "github.com/skelgo/skelgo/codegen/ir"

// MultiplyAdd reports whether a program is nothing but the function of sum, a and b that
// returns fma(a, b, sum), or fma(b, a, sum), of one type of numbers.
func MultiplyAdd(p *ir.Program) bool {
	f := p.Root
	if len(f.Params) != 3 || len(f.Body) != 1 {
		return false
	}
	end, ok := f.Body[0].(*ir.Return)
	if !ok {
		return false
	}
	x, ok := end.X.(*ir.Intrinsic)
	if !ok || x.Name != "skel_fma_"+f.Result.Ident || len(x.Args) != 3 {
		return false
	}
	sum, a, b := f.Params[0], f.Params[1], f.Params[2]
	return isLocal(x.Args[2], sum) &&
		(isLocal(x.Args[0], a) && isLocal(x.Args[1], b) || isLocal(x.Args[0], b) && isLocal(x.Args[1], a))
}
