package expression_test

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/grid/expression"
)

func ExampleParse() {
	p, err := expression.Parse("(x-1)^2 + 2^-y")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Dim(), p.Eval([]float64{3, 1}))
	_, err = expression.Parse("(x-1)^2 + 2y")
	fmt.Println(err)
	// Output:
	// 2 4.5
	// column 12, before "y": an operator is missing
}

// Equal parts of a formula are one operation.
func ExampleProgram() {
	p, err := expression.Parse("sin(x) * sin(x)")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, s := range p.Steps {
		fmt.Println(i, s.Op == expression.Multiply, s.Operands())
	}
	// Output:
	// 0 false []
	// 1 false [0]
	// 2 true [1 1]
}

// An evaluator computes many values at once.
func ExampleEvaluator() {
	p, err := expression.Parse("x^2 + 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	values := make([]float64, 4)
	p.Evaluator(p.Result, nil).Eval(values, func(_, lo int, x []float64) []float64 {
		for i := range x {
			x[i] = float64(lo + i)
		}
		return x
	})
	fmt.Println(values)
	// Output: [1 2 5 10]
}

// A row has y = 10, and x changes.
func ExampleRows() {
	p, err := expression.Parse("x + y^2")
	if err != nil {
		fmt.Println(err)
		return
	}
	row := p.Evaluator(p.Result, nil).Rows(0).Row()
	defer row.Free()
	row.Begin(func(int) float64 { return 10 })
	values := make([]float64, 3)
	row.Eval(values, func(_, lo int, x []float64) []float64 {
		for i := range x {
			x[i] = float64(lo + i)
		}
		return x
	})
	fmt.Println(values)
	// Output: [100 101 102]
}

// A row can be used again for another y.
func ExampleRow() {
	p, err := expression.Parse("x + y^2")
	if err != nil {
		fmt.Println(err)
		return
	}
	row := p.Evaluator(p.Result, nil).Rows(0).Row()
	defer row.Free()
	for y := range 2 {
		row.Begin(func(int) float64 { return float64(y) })
		values := make([]float64, 3)
		row.Eval(values, func(_, lo int, x []float64) []float64 {
			for i := range x {
				x[i] = float64(lo + i)
			}
			return x
		})
		fmt.Println(values)
	}
	// Output:
	// [0 1 2]
	// [1 2 3]
}
