package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skelgo/skelgo/codegen"
	"github.com/skelgo/skelgo/codegen/internal/scripttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skelvet": main, "skelgen": generate})
}

// generate writes all generated files of the module.
func generate() {
	program, err := codegen.Load(".", "./...")
	if err != nil {
		panic(err)
	}
	files, _, err := program.Generate()
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			panic(err)
		}
	}
	os.Exit(0)
}

func TestScripts(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "skelvet")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scripttest.Run(t, "../registry", "SKELVET="+tool)
}
