package grid_test

import (
	"context"
	"fmt"

	"github.com/skelgo/skelgo/apps/grid"
	"github.com/skelgo/skelgo/math64"
)

// show bowl

// bowl is a function at package level, so devices can run it after go generate.
func bowl(x [2]float64) float64 { return (x[0]-1)*(x[0]-1) + math64.Sin(x[1]) }

// end

func ExampleMinimize() {
	// show minimize
	axis := grid.Axis{Begin: -5, Step: 0.25, Count: 41}
	r, err := grid.Minimize(context.Background(), grid.Of(bowl), grid.Axes{axis, axis}, grid.Options{Top: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f at %v, position %d of %d\n", r.Minimum.Value, r.Minimum.Argument, r.Minimum.Position, r.Nodes)
	fmt.Printf("%.4f at %v\n", r.Top[1].Value, r.Top[1].Argument)
	// end

	// Output:
	// -0.9993 at [1 4.75], position 1023 of 1681
	// -0.9975 at [1 -1.5]
}

// A formula needs no generated code.
func ExampleExpression() {
	f, err := grid.Expression("(x-1)^2 + log(y)", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	axes := grid.Axes{{Begin: 0, Step: 0.5, Count: 5}, {Begin: -1, Step: 1, Count: 4}}
	r, err := grid.Minimize(context.Background(), f, axes, grid.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v, %d NaNs, %d infinities\n", *r.Minimum, r.NaNs, r.Infs)
	// Output: {Position:10 Argument:[1 1] Value:0}, 5 NaNs, 5 infinities
}

// The coarse grid finds the right valley, finer grids and Newton's method the minimum.
func ExampleOptions() {
	f, err := grid.Builtin("schwefel", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	axis := grid.Axis{Begin: -500, Step: 10, Count: 101}
	level := 100.0
	r, err := grid.Minimize(context.Background(), f, grid.Axes{axis, axis},
		grid.Options{Refine: 4, Polish: grid.Newton, Local: true, Level: &level})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("node     %.1f\n", r.Minimum.Argument)
	fmt.Printf("refined  %.3f\n", r.Refined.Argument)
	fmt.Printf("polished %.5f\n", r.Polished.Argument)
	fmt.Printf("%d local minima; x1 below %v: %.2f\n", r.AllLocalMinima, level, r.Below.Interval[0])
	// Output:
	// node     [420.0 420.0]
	// refined  [420.969 420.969]
	// polished [420.96875 420.96875]
	// 49 local minima; x1 below 100: [392.06 449.52]
}

// An axis as the command line has it.
func ExampleParseAxis() {
	a, err := grid.ParseAxis("1:*10:4")
	fmt.Println(a, a.At(3), err)
	_, err = grid.ParseAxis("1:10")
	fmt.Println(err)
	// Output:
	// 1:*10:4 1000 <nil>
	// axis 1:10: it must be begin:step:count, such as -5:0.1:101, or begin:*factor:count
}

// The nodes are numbered row by row.
func ExampleAxes() {
	axes := grid.Axes{{Begin: 0, Step: 1, Count: 2}, {Begin: 0.5, Step: 0.25, Count: 3}}
	for i := range axes.Nodes() {
		fmt.Print(axes.Argument(i), " ")
	}
	fmt.Println()
	// Output: [0 0.5] [0 0.75] [0 1] [1 0.5] [1 0.75] [1 1]
}

func ExampleFormula() {
	fmt.Println(grid.Formula("rosenbrock", 3))
	// Output: 100*(x2 - x1^2)^2 + (1 - x1)^2 + 100*(x3 - x2^2)^2 + (1 - x2)^2 <nil>
}
