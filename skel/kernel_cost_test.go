package skel

import (
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// moved returns a form as if its declarations stood in a distant file of a package with a
// long name.
func moved(f registry.Func) *registry.Func {
	decls, form := f.Decls, *f.Form
	f.Form, form.Decls = &form, nil
	const line = "#line 123456 \"apps/a folder with a long name/for (n.rows)/while (f.cols)/f.go\"\n"
	for _, d := range decls {
		c := line + strings.ReplaceAll(d.C, "\n\t", "\n"+strings.Repeat(line, 30)+"\t")
		f.Decls = append(f.Decls, emit.Decl{Ident: d.Ident, C: c})
	}
	return &f
}

var lineDirective = regexp.MustCompile(`(?m)^#line [0-9]* "apps/.*\n`)

func productOf(fold *registry.Func) *product[float32, float32, float32] {
	p := &pairs[float32, float32, float32]{fun: &function{reg: fold}}
	return &product[float32, float32, float32]{pairs: p}
}

// TestKernelsWithoutPosition checks that the position of a function changes no kernel.
func TestKernelsWithoutPosition(t *testing.T) {
	form := registry.Func{Form: &emit.Form{
		Ident: "half", Params: []string{"f32"}, Result: "f32", Cost: 2,
		Decls: []emit.Decl{{Ident: "half", C: "FUNC f32 half(CTX_P f32 x) {\n\treturn x / 2;\n}\n"}},
	}}
	text := func(reg *registry.Func) string {
		n := &node{kind: computed, fun: &function{reg: reg}, args: []*node{{kind: memory, size: 4}}}
		load := accessor{name: "load", ctype: "f32", node: n, chunk: mapChunk(n, 4), aligned: true}
		c := kernelText([]string{"map"}, "", "", []accessor{load}, nil, nil, nil)
		return lineDirective.ReplaceAllString(c, "")
	}
	if here, there := text(&form), text(moved(form)); here != there {
		t.Errorf("the kernel of a map depends on the position of its function:\n%s\nand\n%s", here, there)
	}
	form.Cost = costlyCall + 1
	if c := text(&form); !strings.Contains(c, "#define EACH_LOAD ROLLED") {
		t.Errorf("the calls of a costly function are unrolled:\n%s", c)
	}

	fold := registry.Func{Form: &emit.Form{
		Ident: "fold", Params: []string{"f32", "f32", "f32"}, Result: "f32", Cost: 3,
		Decls: []emit.Decl{{Ident: "fold", C: "FUNC f32 fold(CTX_P f32 acc, f32 a, f32 b) {\n" +
			"\treturn skel_fma_f32(a, b, acc);\n}\n"}},
	}}
	if x := productOf(&fold); x.costly() {
		t.Errorf("a costly multiply-add:\n%s", fold.Decls[0].C)
	}
	fold.Cost = costlyFold + 1
	if x := productOf(&fold); !x.costly() {
		t.Error("a fold of many operations is not costly")
	}
}
