package skel

import (
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// TestNumbered checks that ArgMin does not compare indices if they are the positions of the
// elements, and that it compares them otherwise.
func TestNumbered(t *testing.T) {
	named := func(name string, decls ...emit.Decl) *function {
		return &function{reg: &registry.Func{Name: name, Form: &emit.Form{
			Ident: "f", Params: []string{"f32", "i64"}, Result: "pair", Decls: decls,
		}}}
	}
	argMin, err := registry.Of(ArgMin[float32])
	if err != nil {
		t.Fatal(err)
	}
	least, pair := &function{reg: argMin}, argMin.Result
	isBefore := func(d emit.Decl) bool { return strings.HasPrefix(d.Ident, "skel_before_") }
	asked := slices.IndexFunc(argMin.Decls, isBefore)
	if asked < 0 {
		t.Fatal("ArgMin compares no indices")
	}
	before := argMin.Decls[asked].C
	never := strings.Replace(before[:strings.IndexByte(before, '{')], "(", "_never(", 1) + "{ return 0; }"
	other := named("other/skel.ArgMin[float32]")
	mem, index := &node{kind: memory, size: 4}, &node{kind: indices}
	zip := func(f *function, b *node) *node { return &node{kind: computed, fun: f, args: []*node{mem, b}} }
	withIndex := named(thisPackage + "WithIndex[float32]")
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
			t.Errorf("%s: numbered = %t, want %t", c.name, got, c.want)
		}
	}
	load := accessor{name: "load", ctype: pair, node: zip(withIndex, index)}
	changed := withoutIndexComparison(least.reg)
	if withoutIndexComparison(least.reg) != changed {
		t.Error("an operator has two forms without the comparison")
	}
	for _, in := range []bool{false, true} {
		form := least.reg
		if in {
			form = changed
		}
		text := kernelText(nil, "", "", []accessor{load}, least, form, nil)
		if strings.Contains(text, before) == in || strings.Contains(text, never) != in {
			t.Errorf("numbered is %t, but the kernel text is\n%s", in, text)
		}
	}
	// A kernel whose elements call the operator, too, needs both forms.
	calls := named("main.f", least.reg.Decls...)
	load.node.args[0] = &node{kind: computed, fun: calls, args: []*node{mem, mem}}
	text := kernelText(nil, "", "", []accessor{load}, least, changed, nil)
	for _, want := range []string{
		before, never,
		" " + argMin.Ident + "(CTX_P " + pair + " a", " f(CTX_A ",
		argMin.Ident + "_numbered(CTX_P " + pair + " a", "return " + argMin.Ident + "_numbered(CTX_A a, b);",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the kernel text lacks %q:\n%s", want, text)
		}
	}
	if argMin.Decls[asked].C != before {
		t.Error("the text of the registered operator was changed")
	}
}
