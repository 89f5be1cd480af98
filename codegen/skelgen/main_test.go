package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skelgen": func() { os.Exit(run(os.Args[1:], os.Stderr)) },
	})
}

// Scripts work in a module m that uses a stand-in of this one.
func TestScripts(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			env.Setenv("GOFLAGS", "-mod=mod")
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			return prepare(env.WorkDir)
		},
	})
}

// prepare lays out the stand-in and a go.mod that points to it.
func prepare(work string) error {
	archive, err := txtar.ParseFile("testdata/skelgo.txtar")
	if err != nil {
		return err
	}
	files := archive.Files
	for _, name := range []string{"registry.go", "table.go"} {
		text, err := os.ReadFile(filepath.Join("..", "registry", name))
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
