package bench_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/apps/internal/cli"
)

func ExampleCommand() {
	size := 12
	c := bench.Command{Device: "cpu", Only: "^Dot/", Rounds: 1, MaxLog2: &size, List: true}
	var out strings.Builder
	if err := c.Run(context.Background(), &cli.Env{Stdout: &out, Stderr: os.Stderr}); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(out.String(), "\n")[2:] {
		fmt.Println(strings.TrimSpace(line))
	}
	// Output:
	// Dot/type=float32/n=1024   8 KiB  0.9 of hand
	// Dot/type=float64/n=1024  16 KiB
}

func ExampleComparison() {
	c := bench.Comparison{Yardstick: "cub", Ratio: 1.02, Goal: 1}
	fmt.Println(c.Yardstick, c.Ratio, c.Mark())
	// Output: cub 1.02 ok
}

func ExampleTimes() {
	t := bench.Times{3, 1, 2}
	fmt.Println(t.Median())
	// Output: 2
}
