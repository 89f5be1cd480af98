package benchmark_test

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

func ExampleComparison() {
	c := benchmark.Comparison{Yardstick: "cub", Ratio: 1.02, Goal: 1}
	fmt.Println(c.Yardstick, c.Ratio, c.Mark())
	// Output: cub 1.02 ok
}

func ExampleTimes() {
	t := benchmark.Times{3, 1, 2}
	fmt.Println(t.Median())
	// Output: 2
}
