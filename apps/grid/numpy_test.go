package grid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// numpyCases are functions of brute.py. With a step that is a power of two, those that need no functions of
// math are exact, so the best nodes are the same ones; others differ in the last places of their values.
var numpyCases = []struct {
	name, formula string // the formula is that of a function that is built in, if it is empty
	axes          Axes
	exact         bool
}{
	{"schwefel", "", Axes{{Begin: -500, Step: 1, Count: 1001}, {Begin: -500, Step: 0.7, Count: 1429}}, false},
	{"schwefel", "", Axes{{Begin: -500, Step: 0.1, Count: 10_001}}, false},
	{"himmelblau", "", Axes{{Begin: -6, Step: 0.25, Count: 49}, {Begin: 6, Step: -0.125, Count: 97}}, true},
	{"steps", "floor(x) + floor(abs(y))",
		Axes{{Begin: -2, Step: 0.25, Count: 17}, {Begin: 3, Step: -0.5, Count: 13}}, true},
	{"poles", "1/x + y/(y-1)", Axes{{Begin: -1, Step: 0.25, Count: 9}, {Begin: 0, Step: 0.125, Count: 300}}, true},
	{"roots", "log(x*y) + sqrt(z)", Axes{
		{Begin: -1, Step: 0.5, Count: 7}, {Begin: -2, Step: 1, Count: 5}, {Begin: -1, Step: 0.25, Count: 39}}, false},
	{"rastrigin", "", Axes{{Begin: -5.1, Step: 0.3, Count: 31}, {Begin: -1, Step: 0.3, Count: 1},
		{Begin: -5, Step: 0.31, Count: 35}}, false},
	{"rosenbrock", "", Axes{{Begin: -2, Step: 0.25, Count: 17}, {Begin: -1, Step: 0.25, Count: 13},
		{Begin: -2, Step: 0.5, Count: 9}, {Begin: -1, Step: 0.5, Count: 7}}, true},
	{"ackley", "", Axes{{Begin: -3.3, Step: 0.07, Count: 99}, {Begin: -2.9, Step: 0.083, Count: 101}}, false},
	{"griewank", "", Axes{{Begin: -9, Step: 1.3, Count: 7}, {Begin: -8, Step: 1.7, Count: 6},
		{Begin: -7, Step: 2.3, Count: 5}, {Begin: -9, Step: 3.1, Count: 4}, {Begin: -5, Step: 2.9, Count: 3}}, false},
	{"logarithm", "log(x)^2 + min(y, 3)",
		Axes{{Begin: 1e-3, Step: 1.5, Count: 30, Geometric: true}, {Begin: 2, Step: 1, Count: 9}}, false},
	{"valley", "(x-1)^2*(x+2)^2 + x", Axes{{Begin: -4, Step: 1. / 1024, Count: 8193}}, false},
	{"nowhere", "log(-1 - x^2) + y", Axes{{Begin: 0, Step: 1, Count: 50}, {Begin: 0, Step: 1, Count: 2}}, true},
}

// numpyResult is a line that brute.py prints.
type numpyResult struct {
	Position, NaNs, Infinities, Brute int
	Value                             float64
	Top                               []int
}

// TestNumPy compares minima with NumPy, and with scipy.optimize.brute if this machine has it.
func TestNumPy(t *testing.T) {
	python := benchmark.FindPython(t.Context(), "scipy.optimize")
	if python == "" {
		python = benchmark.FindPython(t.Context(), "numpy")
	}
	switch {
	case python != "":
	case strings.Contains(os.Getenv("SKEL_REQUIRE"), "numpy"):
		t.Fatal("SKEL_REQUIRE asks for NumPy, and no python3 here has it")
	default:
		t.Skip("no python3 here has NumPy (Debian: python3-numpy, and python3-scipy for scipy.optimize.brute)")
	}
	const top = 20
	want, err := byNumPy(t, python, top)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range numpyCases {
		f := builtinOrFormula(t, c.name, c.formula, len(c.axes))
		run := func(t *testing.T, where vector.Distribution) {
			r := minimumOf(t, f, c.axes, Options{Where: where, Top: top})
			got := numpyResult{Position: -1, NaNs: r.NaNs, Infinities: r.Infs, Brute: -1}
			if r.Minimum != nil {
				got.Position, got.Value = r.Minimum.Position, r.Minimum.Value
			}
			for _, n := range r.Top {
				got.Top = append(got.Top, n.Position)
			}
			if w := want[k].Brute; w >= 0 && w != got.Position {
				t.Errorf("%s: position %d, and that of scipy.optimize.brute is %d", c.name, got.Position, w)
			}
			compareNumPy(t, c.name, c.exact, got, want[k])
		}
		t.Run(c.name, func(t *testing.T) {
			if k < 3 || devicestest.Thorough() {
				each2(t, run)
			} else {
				run(t, onCPU(t)) // building more kernels takes seconds on PoCL
			}
		})
	}
}

// compareNumPy compares a result with that of NumPy.
func compareNumPy(t *testing.T, name string, exact bool, got, want numpyResult) {
	t.Helper()
	if got.Position != want.Position || got.NaNs != want.NaNs || got.Infinities != want.Infinities ||
		len(got.Top) != len(want.Top) {
		t.Errorf("%s: %+v, and NumPy's result is %+v", name, got, want)
	}
	bound := 0.0
	if !exact {
		bound = 1e-12 * (1 + math.Abs(want.Value))
	}
	if math.Abs(got.Value-want.Value) > bound {
		t.Errorf("%s: the minimum is %v, and NumPy's is %v", name, got.Value, want.Value)
	}
	if exact && !slices.Equal(got.Top, want.Top) {
		t.Errorf("%s: the best nodes are at %v, and NumPy's at %v", name, got.Top, want.Top)
	}
}

// builtinOrFormula returns the function of a formula, or one that is built in if there is no formula.
func builtinOrFormula(t *testing.T, name, formula string, dim int) *Function {
	t.Helper()
	if formula == "" {
		return builtinOf(t, name, dim)
	}
	return formulaOf(t, formula, dim)
}

// byNumPy returns the results of brute.py.
func byNumPy(t *testing.T, python string, top int) (results []numpyResult, err error) {
	t.Helper()
	var in bytes.Buffer
	for _, c := range numpyCases {
		var axes [][]any
		for _, a := range c.axes {
			axes = append(axes, []any{a.Begin, a.Step, a.Count, a.Geometric})
		}
		if err := json.NewEncoder(&in).Encode(map[string]any{"name": c.name, "axes": axes, "top": top}); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(t.Context(), python, "brute.py")
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	lines := json.NewDecoder(bytes.NewReader(out))
	for _, c := range numpyCases {
		var r numpyResult
		if err := lines.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		results = append(results, r)
	}
	return results, nil
}
