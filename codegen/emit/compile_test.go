package emit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// dialect is a compiler that must accept the emitted text.
type dialect struct {
	name, prelude, ext string
	flags              []string
}

var dialects = []dialect{
	{"OpenCL C", "../../devices/opencl/prelude.cl", ".cl",
		[]string{"-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header"}},
	{"CUDA C", "../../devices/cuda/prelude.cu", ".cu",
		[]string{"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only"}},
}

// stencil holds the macros that a program with windows defines.
const stencil = "#define WINDOW_ROWS 2\n#define WINDOW_COLS 1\n#define WINDOW_PITCH 34\n"

// sharedPrelude is the part of the preludes that all dialects have.
const sharedPrelude = "../../devices/internal/prelude/shared.h"

// text returns the whole prelude.
func (d dialect) text(t *testing.T) string {
	t.Helper()
	return readText(t, d.prelude) + readText(t, sharedPrelude)
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// check compiles text, unchecked and checked, without warnings.
func (d dialect) check(t *testing.T, text string) {
	t.Helper()
	clang := need(t, "clang")
	if clang == "" {
		return
	}
	file := filepath.Join(t.TempDir(), "program"+d.ext)
	if err := os.WriteFile(file, []byte(d.text(t)+stencil+text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"-USKEL_CHECK", "-DSKEL_CHECK"} {
		args := append(append([]string{}, d.flags...), "-fsyntax-only", "-Wall", "-Werror",
			"-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-missing-braces",
			"-Wno-unused-value", mode, file)
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			t.Errorf("%s (%s): %v\n%s", d.name, mode, err, out)
		}
	}
}

// need returns the path of a tool. If the tool is missing, it returns "", or
// fails the test if SKEL_REQUIRE names the tool.
func need(t *testing.T, tool string) string {
	t.Helper()
	p, err := exec.LookPath(tool)
	if err == nil {
		return p
	}
	if strings.Contains(os.Getenv("SKEL_REQUIRE"), tool) {
		t.Fatalf("SKEL_REQUIRE asks for %s: %v", tool, err)
	}
	t.Logf("the C is not built: %s is missing", tool)
	return ""
}
