package skel

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/registry"
)

// TestTwoForms checks that a kernel in which one name stands for two functions does not
// compile, and that positions make no difference.
func TestTwoForms(t *testing.T) {
	f32 := ir.Basic(ir.F32)
	// form returns a function that calls half, which divides by divisor at a position.
	form := func(name string, divisor uint64, pos ir.Pos) *function {
		x := &ir.Var{Name: "x", Type: f32}
		half := &ir.Func{Ident: "half", Name: "lib.half", Pos: pos, Params: []*ir.Var{x}, Result: f32, Pure: true}
		pos.Line += pos.Col // on another line or not
		half.Body = []ir.Stmt{&ir.Return{Pos: pos, X: &ir.Binary{Op: ir.Div, X: &ir.Local{Var: x},
			Y: &ir.Convert{T: f32, X: &ir.Const{T: ir.Basic(ir.I32), Bits: divisor}}}}}
		root := &ir.Func{Ident: name, Name: "m." + name, Params: []*ir.Var{x}, Result: f32, Pure: true}
		root.Body = []ir.Stmt{&ir.Return{X: &ir.Call{Func: half, Args: []ir.Expr{&ir.Local{Var: x}}}}}
		p := &ir.Program{Root: root, Funcs: []*ir.Func{half, root}}
		if err := ir.Verify(p); err != nil {
			t.Fatal(err)
		}
		return &function{reg: &registry.Func{Name: "m." + name, Program: p, Form: emit.C(p)}}
	}
	here := ir.Pos{File: "lib/a.go", Line: 12, Col: 1}
	text := func(outer *function) string {
		inner := &node{kind: computed, fun: form("f", 2, here), args: []*node{{kind: memory, size: 4}}}
		n := &node{kind: computed, fun: outer, args: []*node{inner}}
		return kernelText(nil, "", "", []accessor{{name: "load", ctype: "f32", node: n}}, nil, nil, nil)
	}
	const refused = "#error half, which m.f needs, has two device forms"
	for _, pos := range []ir.Pos{here, {File: "example.com/lib/a.go", Line: 99, Col: 0}} {
		if got := text(form("g", 2, pos)); strings.Contains(got, "#error") || strings.Count(got, "FUNC f32 half") != 1 {
			t.Errorf("with another half at %s, the kernel is\n%s", pos, got)
		}
	}
	other := form("g", 3, here)
	if got := text(other); !strings.Contains(got, refused) {
		t.Errorf("the kernel does not contain %q:\n%s", refused, got)
	}
	other.reg.Program = nil // one that the program made
	if got := text(other); !strings.Contains(got, refused) {
		t.Errorf("the kernel does not contain %q:\n%s", refused, got)
	}
}
