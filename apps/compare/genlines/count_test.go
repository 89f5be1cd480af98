package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var root = filepath.Join("..", "..", "..")

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a.go", "package a\n", 1},
		{"a.go", "package a\n\n// comment\nvar x = 1 // another\n", 2},
		{"a.go", "package a\n\nfunc f() {\n\tlap() // timing\n}\n", 3},
		{"a.go", "package a\n\nfunc f()   { g();h() }\n", 2},
		{"a.go", "package a\n\nvar s = `// text\n\nmore /*` + \"//\" + \"\\\"/*\"\n", 3},
		{"a.go", "package a\n\n/* one\ntwo */ var r = '\"' /* three */\n", 2},
		{"a.cl", "kernel void f() {\n  /* a\n\n b */\n  int x; // c\n}", 3},
	} {
		got, err := lines(c.name, []byte(c.text))
		if err != nil || got != c.want {
			t.Errorf("%q: %d lines, %v; want %d", c.text, got, err, c.want)
		}
	}
	if _, err := lines("a.go", []byte("package")); err == nil {
		t.Error("a file that is not Go was counted")
	}
}

// TestCloc checks that cloc counts the same.
func TestCloc(t *testing.T) {
	if _, err := exec.LookPath("cloc"); err != nil {
		t.Skip(err)
	}
	entries := list()
	dir, want := t.TempDir(), map[string]int{}
	args := []string{"--quiet", "--by-file", "--json", "--skip-uniqueness", "--force-lang=C,cl"}
	for _, e := range entries {
		text, err := e.read(root)
		if err != nil {
			t.Fatal(err)
		}
		n, err := lines(e.file, text)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(dir, filepath.FromSlash(e.file))
		if _, ok := want[copied]; ok {
			continue
		}
		want[copied] = n
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, timing.ReplaceAll(text, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, copied)
	}
	out, err := exec.Command("cloc", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]struct{ Code int }
	if err := json.Unmarshal(out, &counts); err != nil {
		t.Fatal(err)
	}
	for file, n := range want {
		if counts[file].Code != n {
			t.Errorf("%s: %d lines, cloc counts %d", file, n, counts[file].Code)
		}
	}
}

// TestFormatted checks that the OpenCL files are formatted, so that their lines can be
// compared with those of formatted Go.
func TestFormatted(t *testing.T) {
	if _, err := exec.LookPath("clang-format"); err != nil {
		t.Skip(err)
	}
	entries := list()
	for _, e := range entries {
		if e.kind != "kernel" {
			continue
		}
		text, err := e.read(root)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("clang-format", "--style=LLVM", "--assume-filename=x.c")
		cmd.Stdin = bytes.NewReader(text)
		if formatted, err := cmd.Output(); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("%s is not formatted; use: clang-format --style=LLVM --assume-filename=x.c -i (%v)", e.file, err)
		}
	}
}

// TestCurrent checks that the table in the program and the list for cloc are current.
func TestCurrent(t *testing.T) {
	entries := list()
	want, err := table(root, entries)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "zlines.go"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("apps/compare/zlines.go is not what go generate ./apps/compare makes (%v):\n%s", err, want)
	}
	list, err := os.ReadFile(filepath.Join(root, "docs", "loc.txt"))
	if want := listing(entries); err != nil || !bytes.Equal(list, want) {
		t.Errorf("docs/loc.txt is not what go generate ./apps/compare makes (%v):\n%s", err, want)
	}
}
