package heat_test

import (
	"context"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/apps/heat"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
)

// Heat spreads from the left end of a strip.
func ExampleDiffuse() {
	strip := matrix.From(1, 4, []float32{heat.Held(1), 0, 0, 0})
	fmt.Println(heat.Diffuse(strip, 0.25, 3, 0).Host())
	// Output: [-1 0.453125 0.125 0.015625] <nil>
}

func ExampleCommand() {
	c := heat.Command{Size: "16", Steps: 10, Rate: 0.25, Flags: app.Flags{Device: "cpu"}}
	fmt.Println(c.Run(context.Background(), &app.Env{Stdout: io.Discard, Stderr: io.Discard}))
	// Output: <nil>
}
