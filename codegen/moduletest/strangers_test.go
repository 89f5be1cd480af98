package moduletest

import (
	_ "embed"
	"path/filepath"
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
