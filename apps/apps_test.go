package apps_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps"
)

// harnesses are the folders that are not applications.
var harnesses = []string{"bench", "compare", "internal", "skelgo"}

// foundations are the applications that others build on, whose packages they import.
var foundations = map[string][]string{
	"tmixture": {"kmeans"},                    // whose clusters start the iterations
	"spikes":   {"kmeans", "pca", "tmixture"}, // which it applies to waveforms, one after the other
}

// TestListed checks that the list has all folders of applications.
func TestListed(t *testing.T) {
	var listed []string
	for _, a := range apps.All {
		listed = append(listed, a.Name)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(harnesses, e.Name()) && !slices.Contains(listed, e.Name()) {
			t.Errorf("apps/%s is not in the list of apps.go", e.Name())
		}
	}
	for _, name := range listed {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			t.Errorf("the list has %s, which is not a folder below apps: %v", name, err)
		}
	}
}

// TestImports checks that applications import neither the harnesses nor each other, but for
// foundations, so that each can be removed with its line.
func TestImports(t *testing.T) {
	const prefix = "github.com/skelgo/skelgo/apps"
	for _, a := range apps.All {
		err := filepath.WalkDir(a.Name, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".go" {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, i := range file.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				rest, ok := strings.CutPrefix(path, prefix)
				if own := "/" + a.Name; ok && rest != own && !strings.HasPrefix(rest, own+"/") &&
					!strings.HasPrefix(rest, "/internal/") &&
					!slices.Contains(foundations[a.Name], strings.TrimPrefix(rest, "/")) {
					t.Errorf("%s imports %s; an application imports only its own packages and apps/internal",
						name, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
