package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/SECURITY.md promises that only skelgo bench and skelgo grid --func start other programs.
func TestProgramsStarted(t *testing.T) {
	starters := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if i.Path.Value == `"os/exec"` {
				starters[filepath.ToSlash(name)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		`../bench/start.go`:                true,
		`../bench/yardsticks.go`:           true,
		`../internal/benchmark/program.go`: true, // for skelgo bench
		`../grid/gofile.go`:                true,
		`../skelgo/genlicenses/main.go`:    true, // for go generate
	}
	if diff := cmp.Diff(want, starters); diff != "" {
		t.Errorf("files that import os/exec: %s", diff)
	}
}
