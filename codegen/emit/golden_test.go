package emit_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/lower"
)

var update = flag.Bool("update", false, "write the C of the golden files")

// TestGolden compares the IR and the C text of every function marked //skel:func with the
// files want.ir and want.c of its archive, and compiles the C as OpenCL C and as CUDA C.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := translate(t, a)
			for _, dialect := range dialects {
				dialect.check(t, got)
			}
			var text strings.Builder
			for _, p := range lowered(t, a) {
				text.WriteString(p.String() + "\n")
			}
			if *update {
				setFile(a, "want.ir", text.String())
				setFile(a, "want.c", got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for name, got := range map[string]string{"want.ir": text.String(), "want.c": got} {
				if diff := cmp.Diff(archived(a, name), got); diff != "" {
					t.Errorf("%s has changed (go test -update writes it):\n%s", name, diff)
				}
			}
		})
	}
}

// translate returns the C text of an archive, with each declaration once, and
// the registry's description of each function.
func translate(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	var b strings.Builder
	seen := map[string]bool{}
	for _, f := range programs(t, a) {
		for _, d := range append(slices.Clone(f.Decls), f.Twice...) {
			if !seen[d.Ident] {
				seen[d.Ident] = true
				b.WriteString(d.C + "\n\n")
			}
		}
		fmt.Fprintf(&b, "/* %s(%s) %s", f.Ident, strings.Join(f.Params, ", "), f.Result)
		for _, l := range f.Extra {
			fmt.Fprintf(&b, "\n   extra%s: kind %d of %s", l.Path, l.Kind, l.C)
		}
		b.WriteString(" */\n\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// programs returns the C of the marked functions of an archive's first package.
func programs(t *testing.T, a *txtar.Archive) (out []*emit.Form) {
	t.Helper()
	for _, p := range lowered(t, a) {
		f := emit.C(p)
		decoded, err := ir.Decode(ir.Encode(p), testload.Library(p))
		if err != nil {
			t.Fatalf("%s: %v", f.Ident, err)
		}
		if diff := cmp.Diff(f, emit.C(decoded)); diff != "" {
			t.Errorf("%s: the C of the program that was encoded and decoded (-want +got):\n%s", f.Ident, diff)
		}
		out = append(out, f)
	}
	return out
}

// lowered lowers the marked functions of an archive's first package.
func lowered(t *testing.T, a *txtar.Archive) (out []*ir.Program) {
	t.Helper()
	pkgs, err := testload.Load(a)
	if err != nil {
		t.Fatal(err)
	}
	l := lower.New(pkgs)
	for _, fn := range marked(pkgs[0]) {
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatalf("%s: %v", fn.Name(), err)
		}
		out = append(out, p)
	}
	return out
}

func marked(p *packages.Package) []*types.Func {
	var l []*types.Func
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Doc == nil {
				continue
			}
			for _, c := range d.Doc.List {
				if c.Text == "//skel:func" {
					l = append(l, p.TypesInfo.Defs[d.Name].(*types.Func))
				}
			}
		}
	}
	return l
}

func archived(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setFile(a *txtar.Archive, name, text string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}
