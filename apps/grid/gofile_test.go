package grid

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// write writes a file with a function.
func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFunction(t *testing.T) {
	for _, c := range []struct {
		text, err string
		dim       int
		list      bool
	}{
		{"package a\n\nfunc F(x [3]float64) float64 { return x[0] }", "", 3, false},
		{"// Package b.\npackage b // main\n\nfunc F(x, y float64) float64 { return x }", "", 2, true},
		{"package c\n\nfunc F(x float64, y, z float64) float64 { return x }", "", 3, true},
		{"package d\n\ntype t int\n\nfunc (t) F() {}\n", "there is no function F", 0, false},
		{"package e\n\nfunc F(x []float64) float64 { return 1 }", "f.go:3:1: F must be func", 0, false},
		{"package f\n\nfunc F(x [9]float64) float64 { return 1 }", "with 1 to 8 variables", 0, false},
		{"package g\n\nfunc F() float64 { return 1 }", "F must be func", 0, false},
		{"package h\n\nfunc F(x float64) { }", "F must be func", 0, false},
		{"package i\n\nfunc F[T any](x float64) float64 { return 1 }", "F must be func", 0, false},
		{"package main\n\nfunc F(x float64) float64 { return x }\n\nfunc main() { F(1) }\n", "", 1, true},
		{"package j\n\nfunc F(x float64 float64", "f.go:3:18: ", 0, false},
	} {
		f, err := readFunction(write(t, c.text))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if err != nil || f.dim != c.dim || f.list != c.list || !bytes.Contains(f.text, []byte("package main")) ||
			bytes.Contains(f.text, []byte("func main")) {
			t.Errorf("%s: %v, %+v", c.text, err, f)
		}
	}
}

func TestChildArgs(t *testing.T) {
	for line, want := range map[string]string{
		"grid --func f.go --axis 0:1:2":          "--axis 0:1:2",
		"grid minimize --axis 0:1:2 --func=f.go": "--axis 0:1:2",
		"grid --axis -1:1:2 --json --func f.go":  "--axis -1:1:2 --json",
	} {
		if got := strings.Join(childArgs(strings.Fields(line)), " "); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// A program is built and run, with the function's own mistakes reported at their places. Building
// takes seconds.
func TestRunFile(t *testing.T) {
	devicestest.Long(t)
	run := func(text string, args ...string) (string, error) {
		name := write(t, text)
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		env := &app.Env{Args: append([]string{"grid", "--func", name}, args...), Stdout: out, Stderr: out}
		err = runFile(context.Background(), env, name, 2)
		printed, _ := os.ReadFile(out.Name())
		return string(printed), err
	}
	const bowl = "package f\n\nimport \"math\"\n\nfunc F(x, y float64) float64 { return math.Abs(x-1) + y*y }\n\n" +
		"func main() { println(F(1, 2)) }\n"
	out, err := run(bowl, "--axis", "-2:0.5:9", "--axis", "-1:0.25:9", "-d", "cpu", "--json")
	if err != nil || !strings.Contains(out, `"position":58,"argument":[1,0],"value":0,`) {
		t.Errorf("%v: %s", err, out)
	}
	_, err = run("package f\n\nvar m = []float64{1}\n\nfunc F(x [2]float64) float64 { return m[0] }\n")
	if err == nil || !strings.Contains(err.Error(), "f.go:5:") || app.ExitCode(err) != app.ExitInput {
		t.Error(err)
	}
	t.Setenv("PATH", "")
	if _, err := run(bowl); err == nil || !strings.Contains(err.Error(), "needs the go command") ||
		errors.Is(err, context.Canceled) || app.ExitCode(err) != app.ExitFailed {
		t.Error(err)
	}
}

// TestSourceIsNotSearched checks that a folder that claims to be skelgo is not used because the user is
// in it or below it.
func TestSourceIsNotSearched(t *testing.T) {
	planted := t.TempDir()
	below := filepath.Join(planted, "apps", "grid")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(planted, "go.mod"), []byte("module "+modulePath+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{planted, below} {
		t.Chdir(dir)
		for _, file := range []string{
			"/nonexistent/apps/grid/gofile.go", "gofile.go", "apps/grid/gofile.go", modulePath + "/apps/grid/gofile.go",
		} {
			if source := sourceOf(file); source != "" {
				t.Errorf("in %s, source of %s is %s", dir, file, source)
			}
		}
	}
	if source := sourceOf(filepath.Join(below, "gofile.go")); source != planted {
		t.Errorf("the source is %q, not %s", source, planted)
	}
}

func TestModuleFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                  "-mod=mod",
		"-tags=x  -race -buildvcs=false\n":  "-tags=x -race -buildvcs=false -mod=mod",
		"-mod=vendor --modfile=a -trimpath": "-trimpath -mod=mod",
	} {
		if got := moduleFlags(flags); got != want {
			t.Errorf("%q: %q", flags, got)
		}
	}
}
