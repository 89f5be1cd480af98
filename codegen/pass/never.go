package pass

import (
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Never changes p for operands of which the kernel knows the answer to a question that p asks:
// the function whose name begins with asked returns false. Its name then ends in _never, and
// that of the root in suffix, because a kernel may also call those that they were; only the
// root may call the changed function. Never does nothing if p has no such function.
func Never(p *ir.Program, asked, suffix string) {
	for _, f := range p.Funcs {
		if f != p.Root && strings.HasPrefix(f.Ident, asked) {
			f.Ident += "_never"
			f.Body = []ir.Stmt{&ir.Return{X: &ir.Const{T: f.Result}, Pos: f.Pos}}
			p.Root.Ident += suffix
			return
		}
	}
}
