package ir_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/everything.ir")

// TestString compares the text of a program that has every kind of node with a golden file.
func TestString(t *testing.T) {
	const file = "testdata/everything.ir"
	got := everything().String()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the text has changed (go test -update writes it):\n%s", diff)
	}
}
