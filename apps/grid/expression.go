package grid

import (
	"fmt"
	"math/bits"

	"github.com/skelgo/skelgo/apps/grid/expression"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Expression returns the function of a formula, such as "(x-1)^2 + sin(y)", with dim variables;
// with 0, there are as many as the formula has. Package expression describes the formulas. The
// formula is compiled at run time.
//
// What depends on one variable alone, such as (x-1)^2 and sin(y), is computed once for each node of
// its axis and then read from a table, unless the grid has only one axis or the axes are very long.
// The result is the same.
func Expression(text string, dim int) (*Function, error) {
	p, err := expression.Parse(text)
	if err != nil {
		return nil, err
	}
	switch {
	case dim == 0:
		dim = max(1, p.Dim())
	case dim < p.Dim():
		return nil, fmt.Errorf("the formula has the variable %s, but there %s", variableName(p.Dim()), axesText(dim))
	case dim > MaxDim:
		return nil, fmt.Errorf("there can be %d variables, not %d", MaxDim, dim)
	}
	return compiled(text, p, dim)
}

// variableName returns the names of variable k, counted from 1.
func variableName(k int) string {
	if k <= len("xyzw") {
		return fmt.Sprintf("%c or x%d", "xyzw"[k-1], k)
	}
	return fmt.Sprint("x", k)
}

// compiled returns the function of a program.
func compiled(name string, p *expression.Program, dim int) (*Function, error) {
	f := &formula{Program: p, name: name, dim: dim}
	f.findTerms()
	var by [2]*skel.MapWith[int, block, float64]
	var byRuns, byStrided [2]*runs
	for i, tabled := range []bool{false, true} {
		l := &formulaLoops{formula: f, tabled: tabled, Evaluator: f.evaluator(tabled)}
		form, err := l.form()
		if err != nil {
			return nil, err
		}
		by[i] = skel.MapWithForm(l.one, form)
		if byRuns[i], err = l.newRuns(); err != nil {
			return nil, err
		}
		if byStrided[i], err = l.newStridedRuns(); err != nil {
			return nil, err
		}
	}
	return &Function{
		Name:   name,
		Dim:    dim,
		at:     p.Eval,
		tables: f,
		values: func(b *block, tabled bool, at vector.Source[int]) *vector.Vector[float64] {
			if tabled {
				return by[1].With(*b).Apply(at)
			}
			return by[0].With(*b).Apply(at)
		},
		runs: func(tabled, strided bool) *runs {
			by := &byRuns
			if strided {
				by = &byStrided
			}
			if tabled {
				return by[1]
			}
			return by[0]
		},
	}, nil
}

// formula is a program with its terms: the operations that depend on one variable, and of which
// others need the results.
type formula struct {
	*expression.Program
	name  string
	dim   int
	terms [MaxDim][]int                   // by axis, their operations
	row   map[int]int                     // by operation, its row of the table
	each  [MaxDim][]*expression.Evaluator // of the terms
}

// findTerms finds the terms, which are as large as possible.
func (f *formula) findTerms() {
	f.row = map[int]int{}
	single := func(i int) bool { return bits.OnesCount(f.Variables[i]) == 1 }
	needed := make([]bool, len(f.Steps))
	needed[f.Result] = single(f.Result)
	for i := range f.Steps {
		for _, a := range f.Steps[i].Operands() {
			if single(a) && f.Variables[a] != f.Variables[i] {
				needed[a] = true
			}
		}
	}
	for i, is := range needed {
		if !is {
			continue
		}
		if f.Steps[i].Op == expression.Variable {
			f.row[i] = 0
			continue
		}
		k := bits.TrailingZeros(f.Variables[i])
		f.terms[k] = append(f.terms[k], i)
		f.each[k] = append(f.each[k], f.Evaluator(i, nil))
		f.row[i] = len(f.terms[k])
	}
}

// rows implements tables.
func (f *formula) rows(k int) int { return 1 + len(f.terms[k]) }

// fill implements tables.
func (f *formula) fill(k, r int, dst, x []float64) {
	f.each[k][r-1].Eval(dst, func(_, lo int, part []float64) []float64 { return x[lo : lo+len(part)] })
}

// evaluator returns the evaluator of the formula. With tables, it is given the terms.
func (f *formula) evaluator(tabled bool) *expression.Evaluator {
	if !tabled {
		return f.Evaluator(f.Result, nil)
	}
	return f.Evaluator(f.Result, func(i int) bool {
		_, is := f.row[i]
		return is
	})
}
