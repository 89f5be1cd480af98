package compare

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Command is `skelgo compare`.
type Command struct {
	Apps   []string `arg:"" optional:"" name:"app" help:"dot, saxpy, mandelbrot, sobel, matmul, kmeans or nw; by default all of them."`
	N      *int     `short:"n" placeholder:"N" help:"Size: elements of a vector, pixels per side of an image, rows of a matrix, points, or letters of a sequence. Each application has its own default."`
	Device string   `short:"d" default:"opencl:0" placeholder:"DEVICE" help:"Device for skelgo's version; the default is opencl:0. The hand-written versions need OpenCL, and run on opencl:0 if DEVICE is of another kind."`
	Rounds int      `default:"5" placeholder:"N" help:"How often each program runs; the result is the median. The default is 5."`
	JSON   bool     `name:"json" help:"Print the result as one line of JSON, with times in seconds."`
}

// Run measures and prints.
func (c *Command) Run(ctx context.Context, env *cli.Env) error {
	var names []string
	for _, a := range applications {
		names = append(names, a.name)
	}
	for _, name := range c.Apps {
		if !slices.Contains(names, name) {
			return cli.Badf("no application %q; available: %s", name, strings.Join(names, ", "))
		}
	}
	if c.N != nil && *c.N < 1 {
		return cli.Badf("-n %d: it must be at least 1", *c.N)
	}
	if c.Rounds < 1 {
		return cli.Badf("--rounds %d: it must be at least 1", c.Rounds)
	}
	s := session{rounds: c.Rounds, progress: cli.NewProgress(env)}
	defer s.progress.Done()
	s.load, s.missing = loadOpenCL()
	start := time.Now()
	var err error
	if s.device, err = cli.Device(c.Device); err != nil {
		return err
	}
	s.open = time.Since(start)
	host, err := cli.Device("cpu")
	if err != nil {
		return err
	}
	var reports []report
	for _, a := range applications {
		if len(c.Apps) > 0 && !slices.Contains(c.Apps, a.name) {
			continue
		}
		n := a.n
		if c.N != nil {
			n = *c.N
		}
		if need := a.bytes(float64(n)); need > float64(host.Info().Memory) {
			return cli.Badf("%s: -n %d: out of memory: its data need %s; this machine has %s", a.name, n, cli.Bytes(int64(min(need, 1<<62))), cli.Bytes(host.Info().Memory))
		}
		r, err := s.compare(ctx, a, n)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		reports = append(reports, r)
		runtime.GC() // the next application should not pay for this one's garbage
	}
	if c.JSON {
		return env.JSON(struct {
			Device string   `json:"device"`
			Rounds int      `json:"rounds"`
			Apps   []report `json:"apps"`
		}{s.device.ID(), c.Rounds, reports})
	}
	if s.missing != nil {
		env.Notef("the hand-written OpenCL versions cannot run: %v", s.missing)
	}
	return write(env.Stdout, s.device, reports)
}

// session is what all measurements have in common. A device is opened, and
// OpenCL loaded, once for all of them, but counts for each program that would
// have had to do it.
type session struct {
	device     *devices.Device
	rounds     int
	load, open time.Duration
	missing    error // why there is no OpenCL
	progress   *cli.Progress
}

// loadOpenCL makes the OpenCL library find its devices.
func loadOpenCL() (time.Duration, error) {
	start, found := time.Now(), 0
	platforms, err := cl.Platforms()
	for _, p := range platforms {
		d, _ := p.Devices(cl.DeviceTypeAll) // the twins show its error
		found += len(d)
	}
	if err == nil && found == 0 {
		err = errors.New("no OpenCL device")
	}
	return time.Since(start), err
}

// compare measures an application and its twins, and checks that they agree.
func (s *session) compare(ctx context.Context, a application, n int) (r report, err error) {
	r = report{App: a.name, Size: a.size(n)}
	programs, agree := a.programs(s.device, n)
	for _, p := range programs {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		twin := result{Twin: p.twin, Device: p.device, Lines: linesOf(a.name, p.twin)}
		if !p.raw() || s.missing == nil {
			t, err := measure(ctx, p, s.rounds, func(step string) {
				if s.progress != nil {
					s.progress.Printf("%s, %s: %s", a.name, p.twin, step)
				}
			})
			if err != nil {
				return r, err
			}
			if err := agree(); err != nil {
				return r, fmt.Errorf("%s: %w", p.twin, err)
			}
			if !p.raw() {
				t.Init = s.open
			}
			if strings.HasPrefix(p.device, "opencl") {
				t.Init += s.load
			}
			twin.Times = &t
		}
		r.Twins = append(r.Twins, twin)
	}
	return r, nil
}
