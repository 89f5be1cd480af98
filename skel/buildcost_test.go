package skel

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// TestBuildCost compiles the dot product's kernel for CPUs and a hand-written one, and compares the lines of
// optimized LLVM IR, from which an OpenCL compiler generates machine code. The kernel has 4.0 times as many
// lines; it had 5.2 times as many while each call of the pair tree was inlined (docs/adr/0019).
func TestBuildCost(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(err)
		}
		t.Skip("no clang")
	}
	read := func(file string) string {
		c, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(c)
	}
	lines := func(name, c string) int {
		cmd := exec.Command("clang", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
			"-O2", "-w", "-S", "-emit-llvm", "-o", "-", "-")
		cmd.Stdin = strings.NewReader(c)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return strings.Count(string(out), "\n  ")
	}
	binary := func(name, sign string) *function {
		return &function{reg: &registry.Func{Form: &emit.Form{
			Ident: name, Params: []string{"f32", "f32"}, Result: "f32",
			Decls: []emit.Decl{
				{Ident: name, C: "FUNC f32 " + name + "(CTX_P f32 a, f32 b) { return a " + sign + " b; }\n"},
			},
		}}}
	}
	mem := &node{kind: memory, size: 4}
	times := &node{kind: computed, fun: binary("mul", "*"), args: []*node{mem, mem}}
	add := binary("add", "+")
	text := kernelText([]string{"order", "arrive", "reduce"}, shapeCPU,
		"#define T f32\n#define RUN 16\n#define SIDE_BY_SIDE\n",
		[]accessor{{name: "load", ctype: "f32", node: times}}, add, add.reg, nil)
	ours := lines("reduce", read("../devices/opencl/prelude.cl")+read("../devices/internal/prelude/shared.h")+text)
	hand := lines("chunk.cl", read("../apps/dot/baseline/chunk.cl"))
	if 2*ours > 9*hand {
		t.Errorf("the dot product's kernel has %d lines of LLVM IR, want at most 4.5 times the %d by hand", ours, hand)
	}
}
