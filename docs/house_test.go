package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHouse checks the rules that no linter checks: every package has a doc.go,
// and no hand-written file is longer than 500 lines.
func TestHouse(t *testing.T) {
	packages := map[string]bool{} // whether a folder has a doc.go
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(file) != ".go" {
			return nil
		}
		dir := filepath.Dir(file)
		if !strings.HasSuffix(file, "_test.go") {
			packages[dir] = packages[dir] || d.Name() == "doc.go"
		}
		if strings.HasPrefix(d.Name(), "z") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if n := bytes.Count(text, []byte("\n")); n > 500 {
			t.Errorf("%s has %d lines, want at most 500: split it", file, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, documented := range packages {
		if !documented {
			t.Errorf("%s has no doc.go", dir)
		}
	}
}
