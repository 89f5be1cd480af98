package compare

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/devices"
)

// Command is `skelgo compare`.
type Command struct {
	Apps   []string `arg:"" optional:"" name:"app" enum:"dot,saxpy,mandelbrot,kmeans" help:"dot, saxpy, mandelbrot or kmeans; all when none is named."`
	N      int      `short:"n" placeholder:"N" help:"Size: elements of a vector, pixels of a side of the image, points. By default each application has its own."`
	Device string   `short:"d" default:"opencl:0" placeholder:"DEVICE" help:"Where it runs. The twins need OpenCL, and run on opencl:0 when DEVICE is of another kind."`
	Rounds int      `default:"5" help:"How often each program runs; the median counts."`
	JSON   bool     `name:"json" help:"Print one JSON object; times in seconds."`
}

// Run measures and prints.
func (c *Command) Run(ctx context.Context, env *cli.Env) error {
	if c.N < 0 {
		return cli.Badf("-n %d: a size is not negative", c.N)
	}
	if c.Rounds < 1 {
		return cli.Badf("--rounds %d: it must be at least 1", c.Rounds)
	}
	start := time.Now()
	d, err := cli.Device(c.Device)
	if err != nil {
		return err
	}
	opened := time.Since(start)
	var reports []report
	for _, a := range applications {
		if len(c.Apps) > 0 && !slices.Contains(c.Apps, a.name) {
			continue
		}
		r, err := a.compare(ctx, d, c.N, c.Rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		r.Twins[0].Times.Init = opened // once for all applications
		reports = append(reports, r)
		runtime.GC() // the next application should not pay for this one's garbage
	}
	if c.JSON {
		return env.JSON(struct {
			Device string   `json:"device"`
			Rounds int      `json:"rounds"`
			Apps   []report `json:"apps"`
		}{d.ID(), c.Rounds, reports})
	}
	return write(env.Stdout, d, reports)
}

// compare measures an application and its twins, and checks that they agree.
func (a application) compare(ctx context.Context, d *devices.Device, n, rounds int) (r report, err error) {
	if n == 0 {
		n = a.n
	}
	r = report{App: a.name, Size: a.size(n)}
	programs, agree := a.programs(d, n)
	for _, p := range programs {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		times, err := measure(p, rounds)
		if err != nil {
			return r, err
		}
		if err := agree(); err != nil {
			return r, fmt.Errorf("%s: %w", p.twin, err)
		}
		r.Twins = append(r.Twins, result{p.twin, p.device, linesOf(a.name, p.twin), times})
	}
	return r, nil
}
