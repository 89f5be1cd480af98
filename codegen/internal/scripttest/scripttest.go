package scripttest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

//go:embed skelgo.txtar
var standIn []byte

// Run runs the scripts in testdata/script. They work in a module m that uses
// a stand-in of this one, with the real registry from the folder given.
func Run(t *testing.T, registry string, env ...string) {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			e.Setenv("CGO_ENABLED", "0") // few scripts need C, for which the standard library is compiled once more
			e.Setenv("GOGC", "400")      // of the compiler
			e.Setenv("GOFLAGS", "-mod=mod")
			e.Setenv("GOPROXY", "off")
			e.Setenv("GOTOOLCHAIN", "local")
			return prepare(e.WorkDir, registry)
		},
	})
}

// prepare lays out the stand-in and a go.mod that points to it.
func prepare(work, registry string) error {
	files := txtar.Parse(standIn).Files
	for _, name := range []string{"registry.go", "table.go"} {
		text, err := os.ReadFile(filepath.Join(registry, name))
		if err != nil {
			return err
		}
		files = append(files, txtar.File{Name: "codegen/registry/" + name, Data: text})
	}
	for i := range files {
		files[i].Name = "skelgo/" + files[i].Name
	}
	files = append(files, txtar.File{Name: "go.mod", Data: []byte(
		"module m\n\ngo 1.26\n\nrequire github.com/skelgo/skelgo v0.0.0\n\nreplace github.com/skelgo/skelgo => ./skelgo\n")})
	for _, f := range files {
		path := filepath.Join(work, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
