package skel

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// TestTwoForms checks that a kernel in which one name stands for two functions does not
// compile, and that positions make no difference.
func TestTwoForms(t *testing.T) {
	const c = "#line 12 \"lib/a.go\"\nFUNC f32 half(CTX_P f32 x) {\n\treturn CHECK(x, 0x12ab34cdu) / 2;\n}\n"
	text := func(helper string) string {
		form := func(name, helper string) *function {
			return &function{reg: &registry.Func{Name: "m." + name, Form: &emit.Form{Ident: name, Params: []string{"f32"}, Result: "f32", Decls: []emit.Decl{{Ident: "half", C: helper}, {Ident: name, C: "FUNC f32 " + name +
				"(CTX_P f32 x);\n"}}}}}
		}
		inner := &node{kind: computed, fun: form("f", c), args: []*node{{kind: memory, size: 4}}}
		outer := &node{kind: computed, fun: form("g", helper), args: []*node{inner}}
		return kernelText(nil, "", "", []accessor{{name: "load", ctype: "f32", node: outer}}, nil, nil, nil)
	}
	const refused = "#error half, which m.f needs, has two device forms"
	moved := strings.NewReplacer("12", "99", "lib", "example.com/lib", "0x12ab34cd", "0x00000001",
		"\n\treturn", " return")
	for _, same := range []string{c, moved.Replace(c)} {
		if got := text(same); strings.Contains(got, "#error") || strings.Count(got, "FUNC f32 half") != 1 {
			t.Errorf("with\n%s\nthe kernel is\n%s", same, got)
		}
	}
	if got := text(strings.Replace(c, "/ 2", "/ 3", 1)); !strings.Contains(got, refused) {
		t.Errorf("the kernel does not contain %q:\n%s", refused, got)
	}
}
