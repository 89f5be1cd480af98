package bench_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/apps/internal/app"
)

func ExampleCommand() {
	size := 12
	c := bench.Command{Device: "cpu", Only: "^Dot/", Rounds: 1, MaxLog2: &size, List: true}
	var out strings.Builder
	if err := c.Run(context.Background(), &app.Env{Stdout: &out, Stderr: os.Stderr}); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(out.String(), "\n")[2:] {
		fmt.Println(strings.TrimSpace(line))
	}
	// Output:
	// Dot/type=float32/n=1024   8 KiB  0.9 of hand
	// Dot/type=float64/n=1024  16 KiB
}
