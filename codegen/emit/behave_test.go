package emit_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/internal/testmodule"
)

// TestBehaviour runs the functions of testdata/behave as Go and as C on the
// host, where the compiler also detects undefined behaviour. A function is
// called once for each line "// in: arguments" above it, and the bits of the
// results are compared.
func TestBehaviour(t *testing.T) {
	gcc := need(t, "gcc")
	if gcc == "" {
		t.Skip("running the C requires gcc")
	}
	files, _ := filepath.Glob("testdata/behave/*.go")
	a := &txtar.Archive{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		a.Files = append(a.Files, txtar.File{Name: filepath.Base(f), Data: text})
	}
	calls, text, main := behaviours(t, a)
	for _, d := range dialects {
		d.check(t, text)
	}
	c := text + main
	want := runGo(t, a, calls)
	t.Logf("%d calls", len(calls))
	for _, level := range []string{"-O0", "-O2"} {
		got := runC(t, gcc, level, c)
		if len(got) != len(want) || len(want) < len(calls) {
			t.Fatalf("%d calls, %d results of Go, %d of C", len(calls), len(want), len(got))
		}
		for i, call := range calls {
			if diff := cmp.Diff(want[i], got[i]); diff != "" {
				t.Errorf("%s: %s: Go %s, C %s", level, call, want[i], got[i])
			}
		}
	}
}

// behaviours returns the calls as Go text, the C text of the functions, and the
// C program that calls them.
func behaviours(t *testing.T, a *txtar.Archive) (calls []string, functions, program string) {
	t.Helper()
	pkgs, err := testload.Load(a)
	if err != nil {
		t.Fatal(err)
	}
	var text, main strings.Builder
	seen := map[string]bool{}
	l := lower.New(pkgs)
	for _, file := range pkgs[0].Syntax {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Doc == nil {
				continue
			}
			fn := pkgs[0].TypesInfo.Defs[d.Name].(*types.Func)
			var inputs []string
			for _, c := range d.Doc.List {
				if in, ok := strings.CutPrefix(c.Text, "// in:"); ok {
					inputs = append(inputs, in)
				}
			}
			if inputs == nil {
				continue
			}
			p, err := l.Lower(lower.Request{Func: fn})
			if err != nil {
				t.Fatal(err)
			}
			f := emit.C(p)
			for _, decl := range f.Decls {
				if !seen[decl.Ident] {
					seen[decl.Ident] = true
					text.WriteString(decl.C + "\n")
				}
			}
			for _, in := range inputs {
				goArgs, cArgs := arguments(t, fn, f.Params, strings.Fields(in))
				calls = append(calls, fn.Name()+"("+goArgs+")")
				fmt.Fprintf(&main, "\tprintf(\"%%llx\\n\", (unsigned long long)show_%s(%s(%s)));\n",
					f.Result, f.Ident, cArgs)
			}
		}
	}
	return calls, text.String(), "\nint main(void) {\n" + main.String() + "\treturn 0;\n}\n"
}

// arguments formats the arguments of a call for Go and for C.
func arguments(t *testing.T, fn *types.Func, params, in []string) (goArgs, cArgs string) {
	t.Helper()
	if len(in) != len(params) {
		t.Fatalf("%s: %d arguments for %d parameters", fn.Name(), len(in), len(params))
	}
	var g, c []string
	for i, s := range in {
		typ := types.TypeString(fn.Signature().Params().At(i).Type(), func(*types.Package) string { return "" })
		switch {
		case s == "NaN" || strings.HasSuffix(s, "Inf") || s == "-0" && params[i][0] == 'f':
			goText := map[string]string{"NaN": "math.NaN()", "Inf": "math.Inf(1)", "-Inf": "math.Inf(-1)",
				"-0": "math.Copysign(0, -1)"}[s]
			g = append(g, typ+"("+goText+")")
			c = append(c, map[string]string{"NaN": "NAN", "Inf": "INFINITY", "-Inf": "-INFINITY", "-0": "-0.0"}[s])
		case params[i] == "u64" || params[i] == "i64":
			g = append(g, s)
			if v, err := strconv.ParseInt(s, 0, 64); err == nil {
				c = append(c, fmt.Sprintf("(i64)0x%xULL", uint64(v)))
			} else {
				c = append(c, s+"ULL")
			}
		case params[i] == "b8":
			g, c = append(g, s), append(c, map[string]string{"true": "1", "false": "0"}[s])
		default:
			g, c = append(g, s), append(c, "("+params[i]+")"+s)
		}
	}
	return strings.Join(g, ", "), strings.Join(c, ", ")
}

const goMain = `package main

import (
	"fmt"
	"math"
)

func show(v any) {
	var u uint64
	switch v := v.(type) {
	case bool:
		if v {
			u = 1
		}
	case int:
		u = uint64(v)
	case int8:
		u = uint64(v)
	case int16:
		u = uint64(v)
	case int32:
		u = uint64(v)
	case int64:
		u = uint64(v)
	case uint8:
		u = uint64(v)
	case uint16:
		u = uint64(v)
	case uint32:
		u = uint64(v)
	case uint64:
		u = v
	case uint:
		u = uint64(v)
	case float32:
		if u = uint64(math.Float32bits(v)); v != v {
			u = 0x7fc00000
		}
	case float64:
		if u = math.Float64bits(v); v != v {
			u = 0x7ff8000000000000
		}
	default:
		panic(fmt.Sprintf("no way to show a %T", v))
	}
	fmt.Printf("%x\n", u)
}

func main() {
`

func runGo(t *testing.T, a *txtar.Archive, calls []string) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module behave\n\ngo 1.26\n")
	for _, f := range a.Files {
		write(f.Name, strings.Replace(string(f.Data), "package behave", "package main", 1))
	}
	var b strings.Builder
	b.WriteString(goMain)
	for _, c := range calls {
		b.WriteString("\tshow(" + c + ")\n")
	}
	write("main.go", b.String()+"}\n")
	testmodule.Setenv(t)
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	return output(t, cmd)
}

func runC(t *testing.T, gcc, level, text string) []string {
	t.Helper()
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "behave.c"), filepath.Join(dir, "behave")
	text = readText(t, "testdata/behave/host.h") + readText(t, sharedPrelude) + text
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	output(t, exec.Command(gcc, level, "-std=gnu11", "-ffp-contract=off", "-fsanitize=undefined",
		"-fno-sanitize-recover=all",
		"-o", bin, file, "-lm"))
	return output(t, exec.Command(bin))
}

func output(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, errs.String())
	}
	return strings.Fields(string(out))
}
