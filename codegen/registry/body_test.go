package registry_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

func template(x float32) float32 { return x }

func half(x float32) float32 { return x / 2 }

// The form of a function that the program makes at run time: its C text calls another function.
func ExampleFunc_WithBody() {
	like := &registry.Func{Name: "example.template", Type: "func(float32) float32", Go: template, Form: &emit.Form{
		Ident: "example_template", Params: []string{"f32"}, Result: "f32",
		Decls: []emit.Decl{{Ident: "example_template", C: "FUNC f32 example_template(CTX_P f32 x) { return x; }"}},
	}}
	called := &registry.Func{Name: "example.half", Type: "func(float32) float32", Go: half, Form: &emit.Form{
		Ident: "example_half", Params: []string{"f32"}, Result: "f32",
		Decls: []emit.Decl{{Ident: "example_half", C: "FUNC f32 example_half(CTX_P f32 x) { return x / 2; }"}},
	}}
	f := like.WithBody("half of x, plus 1", "made_1",
		"FUNC f32 made_1(CTX_P f32 x) { return example_half(CTX_A x) + 1; }", called)
	for _, d := range f.Decls {
		fmt.Println(d.Ident)
	}
	// Output:
	// example_half
	// made_1
}

func TestWithBody(t *testing.T) {
	own := emit.Leaf{Path: ".V", Kind: emit.View, C: "f32", Own: true}
	decl := func(name string) emit.Decl { return emit.Decl{Ident: name, C: name} }
	like := &registry.Func{Form: &emit.Form{
		Ident: "t", Params: []string{"i64", "e"}, Result: "f32", Exact: "add", Share: 2,
		Decls: []emit.Decl{decl("e"), decl("a"), decl("t")}, Sites: []emit.Site{{ID: 1}},
		Extra: []emit.Leaf{own}, Twice: []emit.Decl{decl("t2")},
	}}
	other := &registry.Func{Form: &emit.Form{Decls: []emit.Decl{decl("a"), decl("b")}, Sites: []emit.Site{{ID: 2}}}}
	f := like.WithBody("name", "new", "text", other)
	var names string
	for _, d := range f.Decls {
		names += d.Ident + " "
	}
	if names != "e a b new " || f.Decls[3].C != "text" || f.Ident != "new" || f.Result != "f32" || len(f.Params) != 2 {
		t.Errorf("%s%+v", names, f)
	}
	if f.Exact != "" || f.Share != 0 || f.Twice != nil || f.Extra[0].Own || !like.Extra[0].Own || len(f.Sites) != 2 {
		t.Errorf("what is known of the template is not known of the text: %+v", f)
	}
}

// TestEstimatedCosts checks the costs of forms for which skelgen has counted no operations.
func TestEstimatedCosts(t *testing.T) {
	decl := func(ident, c string) emit.Decl { return emit.Decl{Ident: ident, C: c} }
	half := decl("half", "FUNC f32 half(CTX_P f32 x) {\n\treturn x / 2;\n}\n")                  // 2
	twice := decl("twice", "FUNC f32 twice(CTX_P f32 x) { return half(CTX_A half(CTX_A x)); }") // 1 + 2 * 3
	far := decl("half", "#line 1234 \"far/away/measure-ments.go\"\n"+half.C)
	point := decl("point", "typedef struct {\n\tf32 x;\n\tf32 y;\n} point;\n")
	for _, c := range []struct {
		name string
		f    registry.Func
		want int
	}{
		{"counted", registry.Func{Form: &emit.Form{Cost: 40, Decls: []emit.Decl{half}}}, 40},
		{"nothing", registry.Func{Form: &emit.Form{}}, 1},
		{"a function", registry.Func{Form: &emit.Form{Decls: []emit.Decl{half}}}, 2},
		{"with a position", registry.Func{Form: &emit.Form{Decls: []emit.Decl{far}}}, 2},
		{"with a type", registry.Func{Form: &emit.Form{Decls: []emit.Decl{point, half}}}, 2},
		{"with calls", registry.Func{Form: &emit.Form{Decls: []emit.Decl{half, twice}}}, 7},
		{"operators", registry.Func{Form: &emit.Form{Decls: []emit.Decl{decl("f", "FUNC i64 f(CTX_P i64 *p) {\n"+
			"\ti64 n = p->n + a[1];\n\tif (n >= 3) {\n\t\tn <<= 2;\n\t}\n\treturn n;\n}\n")}}}, 3 + 2 + 1 + 1},
	} {
		if got := c.f.Operations(); got != c.want {
			t.Errorf("%s: %d operations, want %d", c.name, got, c.want)
		}
	}
	costly := &registry.Func{Form: &emit.Form{Ident: "half", Cost: 100, Decls: []emit.Decl{half}}}
	f := costly.WithBody("made", "made", "FUNC f32 made(CTX_P f32 x) { return half(CTX_A x) + 1; }", costly)
	if f.Cost != 103 {
		t.Errorf("a call of a function of 100 operations costs %d, want 103", f.Cost)
	}
}
