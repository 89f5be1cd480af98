package grid

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/grid/expression"
	"github.com/skelgo/skelgo/vector"
)

// Every function has the same bits in the C text, on the CPU device and on the host.
func TestFunctionsOfFormulas(t *testing.T) {
	var terms []string
	for _, name := range expression.Names() {
		if _, is := inGo[name]; !is && inC[name] == "" {
			t.Errorf("%s has no form for devices", name)
			continue
		}
		switch name {
		case "pow", "atan2", "hypot", "min", "max":
			terms = append(terms, fmt.Sprintf("%s(x, 1.5)", name))
		default:
			terms = append(terms, fmt.Sprintf("%s(x)", name))
		}
	}
	// Subtractions of large numbers would hide small ones.
	f := formulaOf(t, "tanh("+strings.Join(terms, ") + tanh(")+") - x^7/(1e-3 + -x)", 1)
	axes := Axes{{Begin: 0.01, Step: 0.0137, Count: 1500}}
	each2(t, func(t *testing.T, where vector.Distribution) {
		values, err := Values(t.Context(), f, axes, where)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if want := f.At(axes[0].At(i)); math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("at %v: %v, want %v", axes[0].At(i), v, want)
			}
		}
	})
}

// Tables change no bit.
func TestTables(t *testing.T) {
	f := formulaOf(t, "sin(x)^3*exp(y) - (x+y)/(2+cos(y)) + 1/(x-4) + z*0 + sin(x)", 3)
	axes := Axes{{Begin: 1, Step: 0.1, Count: 31}, {Begin: 0.5, Step: 1.1, Count: 23, Geometric: true},
		{Begin: 0, Step: 1, Count: 3}}
	if !f.usesTables(axes) || f.tables.rows(0) != 4 || f.tables.rows(1) != 3 || f.tables.rows(2) != 2 {
		t.Errorf("%d, %d and %d rows", f.tables.rows(0), f.tables.rows(1), f.tables.rows(2))
	}
	each2(t, func(t *testing.T, where vector.Distribution) {
		for _, tabled := range []bool{true, false} {
			s, err := newSearch(t.Context(), f, axes, &Options{Where: where})
			if err != nil {
				t.Fatal(err)
			}
			s.tabled = tabled
			values, err := s.values(100, 1500).Host()
			if err != nil {
				t.Fatal(err)
			}
			nodes := []int{0, 700, 3, 2138}
			some, err := s.valuesAt(nodes)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, some...)
			for i, v := range values {
				at := 100 + i
				if i >= 1500 {
					at = nodes[i-1500]
				}
				if want := f.At(axes.Argument(at)...); math.Float64bits(v) != math.Float64bits(want) {
					t.Fatalf("tables %v: node %d is %v, want %v", tabled, at, v, want)
				}
			}
			s.free()
		}
	})
}

// The functions that are built in have the values that their definitions say.
func TestBuiltin(t *testing.T) {
	minima := map[string]float64{
		"ackley": 0, "griewank": 0, "rastrigin": 0, "rosenbrock": 1, "schwefel": 420.9687463,
	}
	for name, at := range minima {
		for dim := builtins[name].least; dim <= builtins[name].most; dim++ {
			f := builtinOf(t, name, dim)
			x := slices.Repeat([]float64{at}, dim)
			if v := f.At(x...); math.Abs(v) > 2e-4 {
				t.Errorf("%s of %d variables is %v at its minimum", name, dim, v)
			}
			for k := range x {
				x[k] = 0.3 + 0.2*float64(k)
			}
			if v, want := f.At(x...), reference(name, x); math.Abs(v-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s(%v) is %v, want %v", name, x, v, want)
			}
		}
	}
	for _, x := range [][]float64{{3, 2}, {-2.805118, 3.131312}, {-3.779310, -3.283186}, {3.584428, -1.848126}} {
		if v := builtinOf(t, "himmelblau", 2).At(x...); v > 1e-9 {
			t.Errorf("himmelblau(%v) is %v", x, v)
		}
	}
	for _, c := range []struct {
		name string
		dim  int
	}{{"himmelblau", 3}, {"rosenbrock", 1}, {"none", 2}, {"ackley", 9}} {
		if _, err := Builtin(c.name, c.dim); err == nil {
			t.Errorf("%s of %d variables", c.name, c.dim)
		}
	}
}

// reference returns the value of a function that is built in.
func reference(name string, x []float64) (v float64) {
	n, squares, cosines, product := float64(len(x)), 0.0, 0.0, 1.0
	for k, x := range x {
		squares += x * x
		cosines += math.Cos(2 * math.Pi * x)
		product *= math.Cos(x / math.Sqrt(float64(k+1)))
	}
	switch name {
	case "ackley":
		return -20*math.Exp(-0.2*math.Sqrt(squares/n)) - math.Exp(cosines/n) + 20 + math.E
	case "griewank":
		return squares/4000 - product + 1
	case "rastrigin":
		return 10*n + squares - 10*cosines
	case "schwefel":
		for _, x := range x {
			v += 418.9829 - x*math.Sin(math.Sqrt(math.Abs(x)))
		}
		return v
	}
	for k := range len(x) - 1 {
		v += 100*math.Pow(x[k+1]-x[k]*x[k], 2) + math.Pow(1-x[k], 2)
	}
	return v
}
