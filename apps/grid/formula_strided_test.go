package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// Every node of a block is in one strided run, and the runs that a warp evaluates at the same time begin at
// neighbouring nodes.
func TestStridedFirst(t *testing.T) {
	for _, n := range []int{1, 33, 1000, 8192, 8193, enoughRuns, 3*enoughRuns + 5, 70*enoughRuns + 77} {
		length := stridedLen(n)
		if length > 1 && n/length < enoughRuns || length < longestRun && n/length >= 2*enoughRuns {
			t.Errorf("runs of %d for %d nodes", length, n)
		}
		count := stridedRuns(n, length)
		times := make([]uint8, n)
		for i := range count {
			first := stridedFirst(i, length)
			for j := range length {
				if node := first + j*stride; node < n {
					times[node]++
				}
			}
			if i%(stride*neighbours) >= neighbours && first != stridedFirst(i-neighbours, length)+1 {
				t.Fatalf("run %d of %d begins at %d", i, length, first)
			}
		}
		for node, k := range times {
			if k != 1 {
				t.Fatalf("%d nodes: node %d is in %d runs", n, node, k)
			}
		}
	}
}

// stridedFormulas have ties, NaNs and infinities. By number, from 1, of variables.
var stridedFormulas = []string{
	1: "floor(x)/floor(x/3) + log(abs(x - 2))",
	2: "log(x*y) + floor(y)*0 - 1/floor(x/2) - floor(x + y)",
	3: "sqrt(x*y + z) - floor(y*z + x)",
	4: "(x*y - 1)^2 + (y*z - 0.5)^2 - 1/floor(w*y) + floor(x + y + z + w)^4",
	8: "exp(x1)*x2 - x3*x4 + hypot(x5, x6)*x7 - sqrt(x8) + x1",
}

// stridedAxes are axes of awkward lengths.
func stridedAxes(r *rand.Rand, dim int) Axes {
	axes := make(Axes, dim)
	lengths := []int{1, 2, 5, 31, 32, 33, 177}
	for k := range axes {
		n := lengths[r.IntN(len(lengths))]
		switch {
		case dim == 1:
			n = 1 + r.IntN(20_000)
		case dim == 2:
			n *= 1 + r.IntN(3)
		case dim > 3:
			n = min(n, 1+r.IntN(200/dim/(dim-3)))
		}
		axes[k] = Axis{Begin: float64(r.IntN(9) - 4), Step: float64(1+r.IntN(8)) / 8, Count: n}
		if r.IntN(4) == 0 && n < 200 {
			axes[k] = Axis{Begin: 0.25, Step: 1.0625, Count: n, Geometric: true}
		}
	}
	return axes
}

// testStrided compares the strided runs of random blocks with their values.
func testStrided(t *testing.T, where vector.Distribution, dims ...int) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(dims[0])))
	for _, dim := range dims {
		f := formulaOf(t, stridedFormulas[dim], dim)
		for range 12 {
			axes := stridedAxes(r, dim)
			s, err := newSearch(t.Context(), f, axes, &Options{Where: where})
			if err != nil {
				t.Fatal(err)
			}
			s.tabled = s.tabled && r.IntN(4) > 0
			first := 0
			if r.IntN(3) > 0 {
				first = r.IntN(s.nodes)
			}
			testStridedBlock(t, s, first, min(s.nodes-first, 1+r.IntN(30_000)), 1<<r.IntN(7))
			s.strided = true
			testStridedMinimum(t, s, first, min(s.nodes-first, 1+r.IntN(30_000)))
			s.free()
		}
	}
}

// testStridedBlock compares strided runs of a length with the values of their nodes.
func testStridedBlock(t *testing.T, s *search, first, n, length int) {
	t.Helper()
	b := s.from(first)
	b.Nodes, b.Run = n, length
	got, err := s.f.runs(s.tabled, true).With(*b).Apply(s.indices(stridedRuns(n, length))).Host()
	if err != nil {
		t.Fatal(err)
	}
	values, err := s.values(first, n).Host()
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range got {
		node := stridedFirst(i, length)
		want := best{math.Inf(1), uint32(node), 0}
		for k := range length {
			at := node + k*stride
			if at >= n {
				break
			}
			if v := values[at]; v-v != 0 {
				want.Lost++
			} else if v < want.Value {
				want.Value, want.Node = v, uint32(at)
			}
		}
		if g != want {
			t.Fatalf("%s on %v, tables %v, %d nodes from %d: run %d of %d nodes is %+v, want %+v",
				s.f.Name, s.axes, s.tabled, n, first, i, length, g, want)
		}
	}
}

// testStridedMinimum compares the best node by strided runs with that of a search node by node.
func testStridedMinimum(t *testing.T, s *search, first, n int) {
	t.Helper()
	got, err := minimum.Apply(s.bestsAnywhere(first, n)).Value()
	if err != nil {
		t.Fatal(err)
	}
	values, err := s.values(first, n).Host()
	if err != nil {
		t.Fatal(err)
	}
	want := best{Value: math.Inf(1)}
	for i, v := range values {
		if c := candidate(v, i); c.Value < want.Value {
			want.Value, want.Node = c.Value, c.Node
		} else if c.Lost > 0 {
			want.Lost++
		}
	}
	if math.IsInf(want.Value, 1) {
		got.Node = 0
	}
	if got != want {
		t.Fatalf("%s on %v, %d nodes from %d: %+v, want %+v", s.f.Name, s.axes, n, first, got, want)
	}
}

// Strided runs have the best nodes of the values that formulas have node by node.
func TestStridedRuns(t *testing.T) {
	for dim, formula := range stridedFormulas {
		if formula == "" {
			continue
		}
		if dim == 3 { // building kernels takes seconds on PoCL
			each2(t, func(t *testing.T, where vector.Distribution) { testStrided(t, where, dim) })
			continue
		}
		t.Run(fmt.Sprint(dim), func(t *testing.T) { testStrided(t, onCPU(t), dim) })
	}
}

// TestStridedRunsEmulated runs the kernels for CUDA devices, and whole searches, one of them with the CPU.
func TestStridedRunsEmulated(t *testing.T) {
	devicestest.Long(t) // clang builds the kernels
	dev, err := emulator.New()
	if err != nil && !strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	testStrided(t, vector.Single(d), 1, 2, 4, 8)
	for k, c := range cases[:3] {
		f := formulaOf(t, c.formula, 0)
		where := vector.Single(d)
		if k == 2 {
			where = vector.Block(d, onCPU(t).Device())
		}
		if !usesStridedRuns(where) {
			t.Error("the emulated GPU does not use strided runs")
		}
		if d := diff.Diff(plainLoops(f, c.axes, Options{}), minimumOf(t, f, c.axes, Options{Where: where})); d != "" {
			t.Errorf("%s (-plain +got):\n%s", c.formula, d)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
