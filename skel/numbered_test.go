package skel

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/registry"
)

// Indices are not compared where the reduction numbers its elements itself, and
// nowhere else.
func TestNumbered(t *testing.T) {
	named := func(name string, decls ...registry.Decl) *function {
		return &function{reg: &registry.Func{Name: name, Ident: "f", Params: []string{"f32", "i64"}, Result: "pair", Decls: decls}}
	}
	const before = "FUNC b8 skel_before_x(CTX_P pair b, pair a) { return b.Index < a.Index; }\n"
	least := named(ours+"ArgMin[float32]", registry.Decl{Ident: "skel_before_x", C: before}, registry.Decl{Ident: "f", C: "FUNC pair f;\n"})
	other := named("other/skel.ArgMin[float32]")
	mem, index := &node{kind: memory, size: 4}, &node{kind: indices}
	zip := func(f *function, b *node) *node { return &node{kind: computed, fun: f, args: []*node{mem, b}} }
	withIndex := named(ours + "WithIndex[float32]")
	for _, c := range []struct {
		name string
		n    *node
		op   *function
		want bool
	}{
		{"its own numbers", zip(withIndex, index), least, true},
		{"numbers from memory", zip(withIndex, mem), least, false},
		{"another function", zip(named("main.WithIndex[float32]"), index), least, false},
		{"another operator", zip(withIndex, index), other, false},
		{"memory", mem, least, false},
	} {
		if got := numbered(c.n, c.op); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	for _, in := range []bool{false, true} {
		text := kernelText(nil, "", "", []accessor{{name: "load", ctype: "pair", node: zip(withIndex, index), numbered: in}}, least, nil)
		if strings.Contains(text, before) == in || strings.Contains(text, "skel_before_x(CTX_P pair b, pair a) { return 0; }") != in {
			t.Errorf("numbered is %t, and the text is\n%s", in, text)
		}
	}
	if least.reg.Decls[0].C != before {
		t.Error("the operator's own text was changed")
	}
}
