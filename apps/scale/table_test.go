package scale

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readText reads a table from a file with the given text.
func readText(t *testing.T, text string) (*textTable, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readTable(t.Context(), name, nil)
}

// TestEmptyFields reads empty fields between each kind of separator.
func TestEmptyFields(t *testing.T) {
	for _, separator := range []string{",", ";", "\t"} {
		table, err := readText(t, strings.ReplaceAll("x,y,g\n1,,a\n,2,b\n", ",", separator))
		if err != nil {
			t.Errorf("%q: %v", separator, err)
			continue
		}
		if diff := cmp.Diff(table.rows, [][]string{{"1", "", "a"}, {"", "2", "b"}}); diff != "" {
			t.Errorf("%q: %s", separator, diff)
		}
	}
}

// TestEqualNames rejects columns of the same name.
func TestEqualNames(t *testing.T) {
	_, err := readText(t, "# patients\nx,g,x\n1,a,2\n")
	if want := `t.csv:2: columns 1 and 3 are both called "x"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, not %q", err, want)
	}
}
