package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLicenses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"LICENSE.md", "main.go", "COPYING", "licenses/FTL.txt",
		"licenses/gpl.txt", "THIRD_PARTY_LICENSES/Sun-LICENSE", "other/LICENSE"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := licenses(dir)
	want := []string{"COPYING", "LICENSE.md", "licenses/FTL.txt", "THIRD_PARTY_LICENSES/Sun-LICENSE"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := licenses(filepath.Join(dir, "other", "LICENSE", "..", "none")); err == nil {
		t.Errorf("no folder: %q", got)
	}
}

func TestPlain(t *testing.T) {
	if got := plain([]byte("\n a \r\n\f\nb\xff")); got != "a\n\nb?\n" {
		t.Errorf("%q", got)
	}
}
