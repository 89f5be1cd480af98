package skeltest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryFamily checks that run.go names every folder with subjects, and that no two
// subjects have the same name.
func TestEveryFamily(t *testing.T) {
	run, err := os.ReadFile("run.go")
	if err != nil {
		t.Fatal(err)
	}
	families, err := filepath.Glob("*/suite_test.go")
	if err != nil || len(families) < 2 {
		t.Fatal("no families: ", families, err)
	}
	for _, f := range families {
		name := filepath.Dir(f)
		if !strings.Contains(string(run), name+".Subjects") && !strings.Contains(string(run), name+".Run(") {
			t.Errorf("run.go does not run the subjects of %s", name)
		}
	}
	names := Names()
	slices.Sort(names)
	if n := len(slices.Compact(slices.Clone(names))); n != len(names) {
		t.Errorf("%d subjects have %d names: %v", len(names), n, names)
	}
}

// TestUnknownName checks that a misspelt subject is not left out silently.
func TestUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Names accepted a subject that does not exist")
		}
	}()
	Names("Mapp")
}
