package skel

import (
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/registry"
)

// A reduction keeps the order of its elements. So where it numbers them itself,
// as in ArgMin of Zip(WithIndex) of a vector and vector.Indices, the left operand
// always has the lower index, and its kernel leaves comparisons of indices out,
// which are of 64 bits and cost a GPU more than those of values. The results are
// the same: of equal values the left one wins.

// ours is the prefix of the names of this package's functions.
const ours = "github.com/skelgo/skelgo/skel."

// begins says whether a function has a name that begins so.
func (f *function) begins(name string) bool {
	return f.reg != nil && strings.HasPrefix(f.reg.Name, name)
}

// numbered says whether elements of a node have their own numbers as indices,
// and op is an operator that compares these.
func numbered(n *node, op *function) bool {
	return n.kind == computed && n.fun.begins(ours+"WithIndex[") && n.args[1].kind == indices &&
		(op.begins(ours+"ArgMin[") || op.begins(ours+"ArgMax["))
}

// inOrder is an operator's device form where its right operand never is before
// the left one.
func inOrder(op *registry.Func) *registry.Func {
	f := *op
	f.Decls = slices.Clone(op.Decls)
	for i, d := range f.Decls {
		if strings.HasPrefix(d.Ident, "skel_before_") {
			head, _, _ := strings.Cut(d.C, "{")
			f.Decls[i].C = head + "{ return 0; }\n"
		}
	}
	return &f
}
