package registry

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/registry/pieces"
)

// files returns a file system with the given texts.
func files(texts ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(texts); i += 2 {
		m[texts[i]] = &fstest.MapFile{Data: []byte(texts[i+1])}
	}
	return m
}

// sum returns the sum of a declaration in a text.
func sum(text, name string) string {
	for _, d := range pieces.Scan(text).Decls {
		if d.Names[0] == name {
			return strconv.FormatUint(d.Sum, 36)
		}
	}
	return "0"
}

func TestUses(t *testing.T) {
	const (
		own    = "package p\n\nfunc square(x float32) float32 { return help(x) }\n\nconst two = 2\n"
		other  = "package geo\n\nfunc Dist() {}\n"
		tests  = "package p_test\n\nfunc square(x float32) float32 { return 1 }\n"
		square = "func square(x float32) float32 { return help(x) }"
	)
	uses := "square=" + sum(own, "square") + " two=" + sum(own, "two") + " m/geo:Dist=" + sum(other, "Dist") +
		" :square=" + sum(tests, "square") +
		" example.com/unknown@v1.0.0"
	for _, c := range []struct {
		name            string
		own, tests, geo string
		want            string
	}{
		{"nothing", own, tests, other, ""},
		{"comments", strings.Replace(own, square, "// More.\nfunc other() {}\n"+square, 1), tests, other, ""},
		{"itself", strings.Replace(own, "help(x)", "help(x)+1", 1), tests, other,
			"registry.square has changed since skelgen ran (p.go:3): run 'go generate ./...'"},
		{"a constant", strings.Replace(own, "= 2", "= 3", 1), tests, other,
			"registry.square uses two, which has changed since skelgen ran (p.go:5): run 'go generate ./...'"},
		{"another package", own, tests, "package geo\nfunc Dist(int) {}",
			"registry.square uses geo.Dist, which has changed since skelgen ran (geo.go:2): run 'go generate ./...'"},
		{"gone", own, tests, "package geo",
			"registry.square uses geo.Dist, which has been moved or removed since skelgen ran: run 'go generate " +
				"./...'"},
		{"tests", own, strings.Replace(tests, "1", "2", 1), other,
			"registry.square uses square, which has changed since skelgen ran (p_test.go:3): run 'go generate ./...'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty(t)
			From("m/geo", files("geo.go", c.geo))
			s := From("m/p", files("p.go", c.own, "p_test.go", c.tests))
			s.Add([]Func{{Name: "m/p.square", Go: thrice, Uses: uses}})
			_, err := Of(thrice)
			if got := fmt.Sprint(err); err != nil &&
				got != strings.ReplaceAll(c.want, "registry.square ", "registry.thrice ") ||
				err == nil && c.want != "" {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func thrice(x float32) float32 { return 3 * x }

func TestVersion(t *testing.T) {
	old, oldMain := modules, mainModule
	defer func() { modules, mainModule = old, oldMain }()
	mainModule = func() string { return "m" }
	modules = func() map[string]string { return map[string]string{"example.com/stat": "v1.3.0"} }
	empty(t)
	s := From("m/p", files())
	s.Add([]Func{{Name: "a", Go: thrice, Uses: "example.com/stat@v1.2.0"}})
	s.Add([]Func{{Name: "b", Go: help, Uses: "example.com/stat@v1.3.0"}})
	const want = "registry.thrice uses module example.com/stat, which was v1.2.0 when skelgen ran and is v1.3.0 " +
		"now: run 'go generate ./...'"
	if _, err := Of(thrice); fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Of(help); err != nil {
		t.Error(err)
	}
	empty(t) // a library: the program's author cannot generate it again
	l := From("example.com/lib", files())
	l.Add([]Func{{Name: "a", Go: thrice, Uses: "example.com/stat@v1.2.0"}})
	if _, err := Of(thrice); err != nil {
		t.Error(err)
	}
}

// TestTwins has two literals of the same type on one line: they cannot be
// distinguished, so neither is found.
func TestTwins(t *testing.T) {
	empty(t)
	n := line()
	one, two := func(x float32) float32 { return x + 1 }, func(x float32) float32 { return x + 2 }
	within, span := lines("source_test.go", n+1, n+1)
	middle := (span[0] + span[1]) / 2
	for i, s := range [][2]int{{span[0], middle}, {middle, span[1]}} {
		fill(t, Func{Name: strconv.Itoa(i), Type: "func(float32) float32", Pos: "source_test.go:1:1",
			Within: within, Span: s})
	}
	for _, f := range []any{one, two} {
		if _, err := Of(f); err == nil || !strings.Contains(err.Error(), "shares its line") {
			t.Errorf("got %v", err)
		}
	}
}

type (
	inner struct {
		A, B float32
	}
	outer struct {
		In  inner
		N   [3]int32
		Own bool
		_   int8
		Set int
	}
	swapped struct {
		In  inner
		Own bool
		N   [3]int32
		_   int8
		Set int
	}
	doubled struct {
		In struct {
			A, B float64
		}
		N   [3]int32
		Own bool
		_   int8
		Set int
	}
	shorter struct {
		In  inner
		N   [2]int32
		Own bool
		_   int8
		Set int
	}
)

func TestLayouts(t *testing.T) {
	f32, i64 := ir.Basic(ir.F32), ir.Basic(ir.I64)
	in := &ir.Type{Kind: ir.Struct, Ident: "p_inner_1f0c",
		Fields: []ir.Field{{Name: "A", Type: f32}, {Name: "B", Type: f32}}}
	out := &ir.Type{Kind: ir.Struct, Ident: "p_outer_1f0c", Fields: []ir.Field{
		{Name: "In", Type: in}, {Name: "N", Type: ir.ArrayOf(ir.Basic(ir.I32), 3)},
		{Name: "Own", Type: ir.Basic(ir.Bool)},
		{Name: "blank3", Type: ir.Basic(ir.I8), Blank: true}, {Name: "Set_", Type: i64},
	}}
	view, both := ir.ViewOf(ir.View, in), ir.TupleOf(f32, i64)
	for _, c := range []struct {
		param, result *ir.Type
		f             any
		want          string
	}{
		{out, f32, func(outer) float32 { return 0 }, ""},
		{out, f32, func(swapped) float32 { return 0 },
			"registry.swapped has the fields In, Own, N, _, Set but had In, N, Own, blank3, Set_ when skelgen ran"},
		{out, f32, func(doubled) float32 { return 0 },
			"field A of struct { A float64; B float64 } is of type float64 but was float32 when skelgen ran"},
		{out, f32, func(shorter) float32 { return 0 },
			"field N of registry.shorter is of type [2]int32 but was [3]int32 when skelgen ran"},
		{out, f32, func(int) float32 { return 0 },
			"parameter 1 is of type int but was p.outer when skelgen ran"},
		{out, f32, func() float32 { return 0 },
			"it has 0 parameters but had 1 when skelgen ran"},
		{i64, both, func(int) (float32, int) { return 0, 0 }, ""},
		{i64, both, func(int) (float32, int32) { return 0, 0 },
			"its result is of type int32 but was int or int64 when skelgen ran"},
		{i64, nil, func(uint) {}, "parameter 1 is of type uint but was int or int64 when skelgen ran"},
		{i64, nil, func(int) bool { return true }, "it has 1 result but had 0 when skelgen ran"},
		{view, nil, func(float32) {},
			"parameter 1 is of type float32 but was vector.View[p.inner] when skelgen ran"},
	} {
		root := &ir.Func{Params: []*ir.Var{{Name: "x", Type: c.param}}, Result: c.result}
		err := fits(reflect.TypeOf(c.f), root)
		if err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%T: got %v, want %q", c.f, err, c.want)
		}
	}
}

// thriceProgram is what thrice means for a parameter of type t.
func thriceProgram(t *ir.Type) *ir.Program {
	x := &ir.Var{Name: "x", Type: t}
	f := &ir.Func{Ident: "thrice", Name: "registry.thrice", Params: []*ir.Var{x}, Result: t, Pure: true,
		Body: []ir.Stmt{&ir.Return{X: &ir.Binary{Op: ir.Add, X: &ir.Local{Var: x}, Y: &ir.Local{Var: x}}}}}
	return &ir.Program{Root: f, Funcs: []*ir.Func{f}}
}

// TestIR checks that a form is written from the IR of a function, or refused.
func TestIR(t *testing.T) {
	code := Code(thriceProgram(ir.Basic(ir.F32)))
	newer := "Ag" + code[2:] // version 2
	const unreadable = "registry.thrice is out of date: its IR cannot be read: "
	for _, c := range []struct{ name, ir, want string }{
		{"right", code, ""},
		{"of another type", Code(thriceProgram(ir.Basic(ir.F64))),
			"registry.thrice is out of date: parameter 1 is of type float32 but was float64 when skelgen ran: " +
				"run 'go generate ./...'"},
		{"of another version", newer, unreadable +
			"ir: it has version 2, and this skelgo reads version 1: run 'go generate ./...'"},
		{"cut off", code[:len(code)-2], unreadable +
			"ir: a coded program is damaged: it is cut off: run 'go generate ./...'"},
		{"no code", "?", unreadable + "illegal base64 data at input byte 0: run 'go generate ./...'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty(t)
			fill(t, Func{Name: "m/p.thrice", Go: thrice, Pos: "a.go:1:1", IR: c.ir})
			f, err := Of(thrice)
			if c.want != "" {
				if fmt.Sprint(err) != c.want {
					t.Errorf("got %v, want %s", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Ident != "thrice" || f.Result != "f32" || len(f.Params) != 1 || f.Params[0] != "f32" {
				t.Errorf("got %+v", f.Form)
			}
		})
	}
}

// TestLibrary checks that IR takes the functions of a library from the library's own generated
// file, if that is up to date.
func TestLibrary(t *testing.T) {
	f32 := ir.Basic(ir.F32)
	x := &ir.Var{Name: "x", Type: f32}
	calls := thriceProgram(f32)
	calls.Root.Ident, calls.Root.Library = "lib_Square", "m/lib.Square"
	call := &ir.Call{Func: calls.Root, Args: []ir.Expr{&ir.Local{Var: x}}}
	root := &ir.Func{Ident: "root", Name: "registry.thrice", Params: []*ir.Var{x}, Result: f32, Pure: true,
		Body: []ir.Stmt{&ir.Return{X: call}}}
	user := Code(&ir.Program{Root: root, Funcs: []*ir.Func{calls.Root, root}})
	const before, after = "package lib\n\nfunc Square(x float32) float32 { return x + x }\n",
		"package lib\n\nfunc Square(x float32) float32 { return x * x }\n"
	const unreadable = "registry.thrice is out of date: its IR cannot be read: it calls m/lib.Square: "
	sum := strconv.FormatUint(pieces.Scan(before).Decls[0].Sum, 36)
	for _, c := range []struct{ name, text, want string }{
		{"up to date", before, ""},
		{"changed", after, unreadable + "it has changed since skelgen ran (lib.go:3): " +
			"run 'go generate' in m/lib, too: run 'go generate ./...'"},
		{"not there", "", unreadable + "it has no device form in this program: run 'go generate ./...'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty(t)
			fill(t, Func{Name: "m/p.thrice", Go: thrice, Pos: "a.go:1:1", IR: user})
			if c.text != "" {
				lib := From("m/lib", files("lib.go", c.text))
				lib.Add([]Func{{Name: "m/lib.Square", Go: square, Pos: "lib.go:3:1", Uses: "Square=" + sum,
					IR: Code(calls)}})
			}
			f, err := Of(thrice)
			if c.want != "" {
				if fmt.Sprint(err) != c.want {
					t.Errorf("got %v, want %s", err, c.want)
				}
				return
			}
			if err != nil || len(f.Decls) != 2 || f.Decls[0].Ident != "lib_Square" {
				t.Errorf("got %+v, %v", f, err)
			}
		})
	}
}

// BenchmarkFirstUse measures the first use of a function in a package with 50
// KB of text in files of typical size.
func BenchmarkFirstUse(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("package p\n")
	for i := 0; text.Len() < 10_000; i++ {
		fmt.Fprintf(&text,
			"\n// f%d is a function that has a comment of one line or two, as they have on\n// the average.\nfunc "+
				"f%d(x, y float32) float32 {\n\tif x < %d {\n\t\treturn x*y + 1\n\t}\n\treturn y\n}\n", i, i, i)
	}
	m := files("a.go", text.String(), "b.go", text.String(), "c.go", text.String(), "d.go", text.String(), "e.go",
		text.String())
	b.SetBytes(int64(5 * text.Len()))
	for b.Loop() {
		s := &Source{path: "m/p", files: m}
		s.read()
	}
}
