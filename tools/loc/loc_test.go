package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, tool := range []string{"cloc", "clang-format"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"docs/loc.txt": "# app version kind file\ndot skelgo host a.go\n\ndot raw host b.go\ndot raw kernel k.cl\ndot raw generated z.go\n",
		"a.go":         "package a\n\n// a comment\nvar x = 1 // and another\n",
		"b.go":         "package b\n\nfunc f() {\n\tprintln()\n\tlap() // timing\n}\n",
		"k.cl":         "kernel void f(global int *p) { p[0] = 1; p[1] = 2; }\n",
		"z.go":         "package z\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "loc.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| dot | skelgo | 2 | 0 | 2 | 1.0 | 0 |\n",
		"| dot | raw | 4 | 4 | 8 | 4.0 | 1 |\n", // the kernel has one line, and four when formatted
	} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("docs/loc.md does not contain %q:\n%s", want, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\na b c\n":            "loc.txt:2: 3 words",
		"a b kernels x.cl d\n": "loc.txt:1: 5 words",
		"a b kernels x.cl\n":   `loc.txt:1: kind "kernels"`,
	} {
		if _, err := parse("loc.txt", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
