package skel

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestNoVariadicMacros checks that no macro of a kernel is variadic: OpenCL C 1.2 has none, and NVIDIA's compiler
// refuses them, which clang and PoCL accept.
func TestNoVariadicMacros(t *testing.T) {
	variadic := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+\w+\([^)]*\.\.\.`)
	texts, err := kernels.ReadDir("kernels")
	if err != nil || len(texts) == 0 {
		t.Fatal(texts, err)
	}
	for _, f := range texts {
		text := kernelFile(strings.TrimSuffix(f.Name(), ".cl"))
		if found := variadic.Find(text); found != nil {
			t.Errorf("kernels/%s: %q: write a macro for each number of arguments", f.Name(), found)
		}
	}
}

// TestKernelsCompile compiles every kernel, in every shape, with clang as OpenCL C and as CUDA.
func TestKernelsCompile(t *testing.T) {
	devicestest.Long(t)
	if strings.Contains(os.Getenv("SKEL_DEVICE"), "all") {
		t.Skip("the tests with one device run this test")
	}
	if _, err := exec.LookPath("clang"); err != nil {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(err)
		}
		t.Skip("no clang: kernels are not type-checked")
	}
	add := &function{reg: &registry.Func{Form: &emit.Form{
		Ident: "add", Params: []string{"f32", "f32"}, Result: "f32",
		Decls: []emit.Decl{{Ident: "add", C: "FUNC f32 add(CTX_P f32 a, f32 b) { return a + b; }\n"}},
	}}}
	check := func(name, prelude, text string, args ...string) {
		t.Helper()
		var pre string
		for _, file := range []string{prelude, "../devices/internal/prelude/shared.h"} {
			part, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pre += string(part)
		}
		args = append(args, "-fsyntax-only", "-Wall", "-Wno-unused-function", "-Wno-sometimes-uninitialized", "-")
		cmd := exec.Command("clang", args...)
		cmd.Stdin = strings.NewReader(pre + text)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	mem := &node{kind: memory, size: 4}
	sq := &node{kind: computed, fun: add, args: []*node{mem, mem}}
	T := "#define T f32\n#define RUN 16\n"
	tilesFiles := []string{"order", "blocks", "cuts", "warp", "runs", "tiles"}
	segmentsFiles := []string{"order", "blocks", "cuts", "warp", "runs", "segments"}
	oneTileFiles := []string{"order", "blocks", "warp", "upto", "onetile"}
	lookbackFiles := []string{"order", "warp", "upto", "slots", "lookback"}
	lookback := "#define TV skel_v16\n#define TN 4\n#define SLOT 32768\n" +
		"#define IN_PLACE 0\n#define SLOTS 4\n#define GROUPS 3\n"
	load := func(n *node, chunk, span int) []accessor {
		return []accessor{{name: "load", ctype: "f32", node: n, chunk: chunk, span: span}}
	}
	stagedLoad := func(n *node, l slotLayout) []accessor {
		return []accessor{{name: "load", ctype: "f32", node: n, slots: &l}}
	}
	keyed := func(chunk int) []accessor {
		return append(load(sq, chunk, 0), accessor{name: "key", ctype: "i32", node: mem})
	}
	anyKeyed := []accessor{
		{name: "load", ctype: "T", node: mem, chunk: 4}, {name: "key", ctype: "i32", node: mem, chunk: 4},
	}
	anyOrder := "#define LANES 256\n#define REPLICAS 8\n#define UNSIGNED u64\n#define NEUTRAL ((WORD)0)\n"
	small := "#define T f32\n#ifndef SHAPE_CPU\n#define LANES 256\n#define WIDTH 32\n#endif\n"
	pairs := func(accessors ...accessor) []accessor {
		return append([]accessor{
			{name: "load_a", ctype: "f32", node: mem, chunk: 4}, {name: "load_b", ctype: "f32", node: sq, chunk: 4},
			{name: "finish", ctype: "f32", node: &node{kind: computed, fun: add, args: []*node{epilogueInputNode, mem}},
				xType: "f32"},
		}, accessors...)
	}
	fold := &function{reg: &registry.Func{Form: &emit.Form{
		Ident: "fma3", Params: []string{"f32", "f32", "f32"}, Result: "f32",
		Decls: []emit.Decl{
			{Ident: "fma3", C: "FUNC f32 fma3(CTX_P f32 acc, f32 a, f32 b) { return acc + a * b; }\n"},
		},
	}}}
	ofRows := &function{reg: &registry.Func{Form: &emit.Form{
		Ident: "first", Params: []string{"row_f32", "row_f32"}, Result: "f32",
		Decls: []emit.Decl{
			{Ident: "row_f32", C: "typedef struct { ROW_P(f32) p; i64 n, step; } row_f32;\n"},
			{Ident: "first", C: "FUNC f32 first(CTX_P row_f32 a, row_f32 b) { return a.p[0] + b.p[b.step]; }\n"},
		},
	}}}
	tile := pairTile{units: 1, local: 48 << 10, rows: 999, cols: 1000, depth: 1000, byColumns: true, a: 4, b: 4, acc: 4,
		out: 4}
	block := pairTile{cpu: true, units: 1, rows: 999, cols: 1000, depth: 1000, a: 4, b: 4, acc: 4, out: 4}
	pairTiles := func(tile, block pairTile) string {
		tile.choose()
		block.choose()
		return "#ifdef SHAPE_CPU\n" + block.defines() + "#else\n" + tile.defines() +
			"#endif\n#define T f32\n#define TA f32\n#define TB f32\n#define OUT f32\n"
	}
	tiles := pairTiles(tile, block)
	tile.split, block.split = true, true
	split := pairTiles(tile, block)
	wideFold := &function{reg: &registry.Func{Form: &emit.Form{
		Ident: "wide", Params: []string{"f64", "f64", "f64"}, Result: "f64",
		Decls: []emit.Decl{
			{Ident: "wide", C: "FUNC f64 wide(CTX_P f64 acc, f64 a, f64 b) { return skel_fma_f64(a, b, acc); }\n"},
		},
	}}}
	wides := func(fold accessor) []accessor {
		return []accessor{
			{name: "load_a", ctype: "f64", node: mem, chunk: 2},
			{name: "load_b", ctype: "f64", node: &node{kind: repeats, placed: true, size: 8}, chunk: 2, placed: true},
			{name: "finish", ctype: "f32", node: sq, xType: "f64"}, fold,
		}
	}
	product := pairTile{products: true, rawA: true, units: 1, local: 48 << 10, most: 200 << 10, rows: 999, cols: 1000,
		depth: 1000, byColumns: true, a: 8, b: 8, acc: 8, out: 4}
	product.choose()
	products := product.defines() + "#define T f64\n#define TA f64\n#define TB f64\n#define OUT f32\n"
	rows := "#define TA f32\n#define TB f32\n#define OUT f32\n#define ROW_A row_f32\n#define ROW_B row_f32\n"
	for _, c := range []struct {
		name    string
		files   []string
		defines string
		acc     []accessor
	}{
		{"map", []string{"map"}, T + "#define LANES 256\n#define OUT_VECTOR skel_v16\n", load(sq, 4, 0)},
		{"each", []string{"each"}, T, []accessor{{name: "visit", node: sq}}},
		{"reduce", []string{"order", "arrive", "warp", "reduce"}, T, load(sq, 16, 1)},
		{"lookback", lookbackFiles, T + lookback, stagedLoad(mem, slotLayout{run: 16, bytes: 16384, inPlace: true})},
		{"lookback", lookbackFiles, T + lookback + "#define EXCLUSIVE\n",
			stagedLoad(sq, slotLayout{run: 16, bytes: 32768})},
		{"onetile", oneTileFiles, T + "#define LANES 256\n", load(mem, 0, 0)},
		{"onetile", oneTileFiles, T + "#define LANES 256\n#define EXCLUSIVE\n", load(sq, 0, 0)},
		{"scan", []string{"order", "blocks", "cuts", "scan"}, T + "#define LANES 256\n", load(sq, 0, 0)},
		{"scanx", []string{"order", "blocks", "cuts", "scan"}, T + "#define LANES 256\n" +
			"#define EXCLUSIVE\n#define RAGGED\n", load(sq, 0, 0)},
		{"reduce, several runs a lane", []string{"order", "arrive", "warp", "reduce"}, "#define T f32\n#define RUN 4\n",
			load(sq, 4, 4)},
		{"tiles", tilesFiles, T + "#define LANES 256\n", load(sq, 4, 0)},
		{"tiles of ragged segments", tilesFiles, T + "#define LANES 256\n#define RAGGED\n#define OWNED\n",
			load(sq, 4, 0)},
		{"segments", segmentsFiles, T + "#define LANES 256\n", load(sq, 4, 0)},
		{"ragged segments", segmentsFiles, T + "#define LANES 256\n#define RAGGED\n#define OWNED\n", load(sq, 4, 0)},
		{"finish", []string{"order", "blocks", "cuts", "warp", "finish"}, T + "#define LANES 256\n", load(sq, 0, 0)},
		{"finish of ragged segments", []string{"order", "blocks", "cuts", "warp", "finish"},
			T + "#define LANES 256\n#define RAGGED\n#define OWNED\n", load(sq, 0, 0)},
		{"columns", []string{"order", "columns"}, T + "#define LANES 512\n", load(sq, 0, 0)},
		{"fill", []string{"fill"}, T, nil},
		{"bykey", []string{"bykey"}, T, keyed(0)},
		{"bykey", []string{"bykey"}, T + "#define KEYS 16\n#define WIDTH 36\n", keyed(4)},
		{"bykeyany", []string{"foldany", "bykeyany"}, anyOrder + "#define FOLD_MIN\n#define WORD i32\n#define T i8\n",
			anyKeyed},
		{"bykeyany of 64 bits", []string{"foldany", "bykeyany"},
			anyOrder + "#define FOLD_ADD\n#define LONG\n#define WORD i64\n#define T i64\n", anyKeyed},
		{"bykeyrows", []string{"foldany", "bykeyrows"},
			anyOrder + "#define FOLD_XOR\n#define ITEMS 4\n#define WORD u32\n#define T u16\n", keyed(0)},
		{"allpairs", []string{"pairs", "allpairs"}, tiles + "#define BY_COLUMNS\n",
			pairs(accessor{name: "fold", fun: fold})},
		{"allpairs of rows and pairs", []string{"pairs", "allpairs"}, tiles + "#define PAIRS\n",
			pairs(accessor{name: "pair", fun: add}, accessor{name: "combine", fun: add})},
		{"allpairs with reduced rows", []string{"pairs", "allpairs"}, tiles + "#define SEG 25\n#define RUN 16\n",
			pairs(accessor{name: "fold", fun: fold})},
		{"allpairs of columns", []string{"pairs", "allpairs"}, split + "#define BY_COLUMNS\n",
			pairs(accessor{name: "fold", fun: fold})},
		{"allpairs by products", []string{"pairs", "products", "allpairs"}, products + "#define BY_COLUMNS\n",
			wides(accessor{name: "fold", fun: wideFold})},
		{"rowpairs", []string{"rowpairs"}, rows, pairs(accessor{name: "between", fun: ofRows})[2:]},
		{"rowpairs by columns", []string{"rowpairs"}, rows + "#define BY_COLUMNS\n",
			pairs(accessor{name: "between", fun: ofRows})[2:]},
		{"rowpairs in local memory", []string{"rowpairs"}, rows + "#define STAGED\n#define BY_COLUMNS\n",
			pairs(accessor{name: "between", fun: ofRows})},
		{"cholesky", []string{"dense", "cholesky"}, small, load(sq, 0, 0)},
		{"cholesky in local memory", []string{"dense", "cholesky"}, small + "#define STAGED\n", load(sq, 0, 0)},
		{"solvelower", []string{"dense", "solvelower"}, small + "#define TRANSPOSED\n", load(sq, 0, 0)},
		{"solvelower in local memory", []string{"dense", "solvelower"}, small + "#define INVERSE\n#define STAGED\n",
			nil},
		{"factorr", []string{"dense", "factorr"}, small, load(sq, 0, 0)},
		{"factorr in registers", []string{"dense", "factorr"},
			"#define T f64\n#define DOUBLE\n#define STAGED\n#ifndef SHAPE_CPU\n#define IN_REGISTERS\n" +
				"#define RESIDENT 2\n#define RUNS 4\n#define LANES 256\n#define WIDTH 64\n#endif\n", load(sq, 0, 0)},
		{"eigensym", []string{"dense", "eigensym"}, small, load(sq, 0, 0)},
		{"eigensym in local memory", []string{"dense", "eigensym"},
			small + "#ifndef SHAPE_CPU\n#define STAGED\n#define STAGED_VECTORS\n#endif\n", load(sq, 0, 0)},
		{"bykey kept", []string{"bykey"}, T + "#define KEEP_KEYS\n#define LOCAL_TOTALS\n", keyed(0)},
	} {
		for _, shape := range []string{"", shapeCPU} {
			if shape != "" && c.files[0] == "foldany" {
				continue // it has no form for CPUs
			}
			for _, mode := range []string{"-USKEL_CHECK", "-DSKEL_CHECK"} {
				before := shape
				if strings.Contains(c.defines, "STAGED") {
					before += rowsLocal
				}
				src := kernelText(c.files, before, c.defines, c.acc, add, add.reg, nil)
				name := fmt.Sprintf("%s %q %s", c.name, shape, mode)
				if c.name != "lookback" && c.name != "onetile" && c.name != "allpairs by products" { // these need warps
					check(name, "../devices/opencl/prelude.cl", src, mode, "-x", "cl", "-cl-std=CL1.2", "-Xclang",
						"-finclude-default-header")
				}
				if shape != "" {
					continue
				}
				if c.name != "allpairs by products" { // these need CUDA
					check(name+" as NVIDIA's OpenCL C", "../devices/opencl/prelude.cl", src, mode, "-target", "nvptx64",
						"-D__NV_CL_C_VERSION", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header")
				}
				check(name+" as CUDA", "../devices/cuda/prelude.cu", src, mode, "-x", "cuda", "-nocudainc",
					"-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=sm_80")
			}
		}
	}
}
