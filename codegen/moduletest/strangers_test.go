package moduletest

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen"

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
	m := newModule(t, strangers)
	lib := filepath.Join(m.dir, "lib")
	m.run("go", "mod", "edit", "-require="+skelgo+"@v0.0.0", "-replace="+skelgo+"="+root(t),
		"-require=example.com/lib@v0.0.0", "-replace=example.com/lib=./lib", "-tool="+skelgo+"/codegen/skelgen")
	m.run("go", "mod", "edit", "-replace="+skelgo+"="+root(t), "lib/go.mod")
	m.tidy()
	sums, err := os.ReadFile(filepath.Join(m.dir, "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(lib, "go.sum"), sums, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	generateIn(t, m, lib)
	m.run("go", "generate", "./...")
	if out := m.run("go", "tool", "skelgen", "-check", "."); out != "" {
		t.Errorf("skelgen -check says\n%s", out)
	}
	if files, _ := filepath.Glob(filepath.Join(m.dir, "ready", "zkernels*")); len(files) > 0 {
		t.Fatalf("the package that is not to be generated has %v", files)
	}
	m.onDevices()
}

// generateIn does the same as skelgen ./... in a folder.
func generateIn(t *testing.T, m *module, dir string) {
	t.Helper()
	for _, e := range m.env[len(os.Environ()):] {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
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
