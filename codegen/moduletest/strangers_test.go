package moduletest

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen"
	"github.com/skelgo/skelgo/internal/testmodule"

	// The programs use these packages, too.
	_ "github.com/skelgo/skelgo/rng"
)

//go:embed strangers.txtar
var strangers []byte

// TestStrangers runs a program of several modules and packages on the CPU and on OpenCL.
//   - A library and the program have device forms of the same functions.
//   - A package that nobody generates uses the functions of skelgo for every type.
//   - Functions and types have names that are equal once they are joined by underscores.
func TestStrangers(t *testing.T) {
	dir := newModule(t, strangers)
	lib := filepath.Join(dir, "lib")
	if err := os.WriteFile(filepath.Join(dir, "ready", "forms.go"), []byte(readyForms()), 0o644); err != nil {
		t.Fatal(err)
	}
	testmodule.Require(t, dir)
	testmodule.Run(t, dir, "go", "mod", "edit", "-require=example.com/lib@v0.0.0", "-replace=example.com/lib=./lib")
	testmodule.Run(t, dir, "go", "mod", "edit", "-replace="+skelgo+"="+testmodule.Root(t), "lib/go.mod")
	testmodule.Tidy(t, lib)
	testmodule.Tidy(t, dir)
	generateIn(t, lib)
	testmodule.Run(t, dir, "go", "generate", "./...")
	if out := testmodule.Run(t, dir, "go", "tool", "skelgen", "-check", "."); out != "" {
		t.Errorf("skelgen -check says\n%s", out)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "ready", "zkernels*")); len(files) > 0 {
		t.Fatalf("the package that is not to be generated has %v", files)
	}
	onDevices(t, dir)
}

// readyForms returns a Go file with a list of the generic functions of skelgo for all types.
// It has one mention of each: in a generic function, a mention has an entry point of its own.
func readyForms() string {
	integers := []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}
	floats := []string{"float32", "float64"}
	var b strings.Builder
	b.WriteString(`package ready

import (
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/ops"
)

func operator[T any](op func(x, y T) T, _ T) func(x, y T) T { return op }

var forms = []any{
`)
	list := func(types []string, format string, names ...string) {
		for _, t := range types {
			for _, name := range names {
				fmt.Fprintf(&b, "\t"+format+",\n", name+"["+t+"]")
			}
		}
	}
	list([]string{"bool"}, "%s", "ops.And", "ops.Or")
	list([]string{"bool"}, "operator(%s())", "skel.And", "skel.Or")
	list(integers, "%s", "ops.BitAnd", "ops.BitOr", "ops.BitXor")
	list(integers, "operator(%s())", "skel.BitAnd", "skel.BitOr", "skel.BitXor")
	list(append(integers, floats...), "%s", "ops.Add", "ops.Mul", "ops.Min", "ops.Max", "skel.WithIndex", "skel.ArgMin",
		"skel.ArgMax")
	list(append(integers, floats...), "operator(%s())", "skel.Sum", "skel.Prod", "skel.Min", "skel.Max")
	list(floats, "%s", "math32.FMA")
	b.WriteString("}\n")
	return b.String()
}

// generateIn does the same as skelgen ./... in a folder.
func generateIn(t *testing.T, dir string) {
	t.Helper()
	program, err := codegen.Load(dir, "./...")
	if err != nil {
		t.Fatal(err)
	}
	files, problems, err := program.Generate()
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
}
