package skel

import (
	"strings"
	"sync"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/pass"
	"github.com/skelgo/skelgo/codegen/registry"
)

// A reduction keeps the order of its elements. If the index of each element is its
// position, as in ArgMin of Zip(WithIndex) of a vector and vector.Indices, the left
// operand always has the lower index. The kernel of such a reduction omits the
// comparisons of indices: they have 64 bits, so they cost a GPU more than comparisons
// of values. The results are the same because the left of two equal values wins.

// thisPackage is the prefix of the names of this package's functions.
const thisPackage = "github.com/skelgo/skelgo/skel."

// hasPrefix reports whether the name of f begins with prefix.
func (f *function) hasPrefix(prefix string) bool {
	return f.reg != nil && strings.HasPrefix(f.reg.Name, prefix)
}

// numbered reports whether the elements of n have their positions as indices, and op
// is an operator that compares indices.
func numbered(n *node, op *function) bool {
	return n.kind == computed && n.fun.hasPrefix(thisPackage+"WithIndex[") && n.args[1].kind == indices &&
		(op.hasPrefix(thisPackage+"ArgMin[") || op.hasPrefix(thisPackage+"ArgMax["))
}

// formsWithoutIndexComparison holds the results of withoutIndexComparison by its arguments.
var formsWithoutIndexComparison sync.Map

// withoutIndexComparison returns the device form of an operator for operands whose
// indices are in order: its function before always returns false. The changed functions
// have other names, because the kernel may call the original ones as well. An operator has
// one such form, because kernels are found by their operators' forms.
func withoutIndexComparison(op *registry.Func) *registry.Func {
	if f, ok := formsWithoutIndexComparison.Load(op); ok {
		return f.(*registry.Func)
	}
	f := *op
	if p, err := op.Decode(); err == nil && p != nil {
		pass.Never(p, "skel_before_", "_numbered")
		f.Program, f.Form = p, emit.C(p)
	}
	kept, _ := formsWithoutIndexComparison.LoadOrStore(op, &f)
	return kept.(*registry.Func)
}
