package compare

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
)

// Command is skelgo compare.
type Command struct {
	Apps   []string `arg:"" optional:"" name:"app" help:"Applications (${compared}); by default all of them."`
	N      *int     `short:"n" placeholder:"N" help:"Size; each application has its own default."`
	Device string   `short:"d" default:"opencl:0" help:"Device of skelgo's version."`
	Rounds int      `default:"5" help:"How often each program runs; the result is the median."`
	JSON   bool     `name:"json" help:"Print the result as one line of JSON, with times in seconds."`
}

// Help returns what skelgo compare --help shows besides the flags.
func (*Command) Help() string {
	return `The size -n is the number of elements of a vector, of pixels per side of an image, of rows of a matrix, of
points, or of letters of a sequence.

The hand-written versions need OpenCL. They run on opencl:0 if -d names a device of another kind.`
}

// Names returns the names of the applications that have hand-written versions.
func Names() (names []string) {
	for _, a := range apps.All {
		if a.Comparison != nil {
			names = append(names, a.Name)
		}
	}
	return names
}

// Run measures the versions and prints the tables.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	names := Names()
	for _, name := range c.Apps {
		if !slices.Contains(names, name) {
			return app.InputErrorf("no application %q; available: %s", name, strings.Join(names, ", "))
		}
	}
	if c.N != nil && *c.N < 1 {
		return app.InputErrorf("-n %d: it must be at least 1", *c.N)
	}
	if c.Rounds < 1 {
		return app.InputErrorf("--rounds %d: it must be at least 1", c.Rounds)
	}
	m := measurement{rounds: c.Rounds, progress: app.NewProgress(env)}
	defer m.progress.Done()
	m.load, m.missing = baseline.Load()
	start := time.Now()
	var err error
	if m.device, err = app.Device(c.Device); err != nil {
		return err
	}
	m.open = time.Since(start)
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	var reports []report
	for _, a := range apps.All {
		if len(c.Apps) > 0 && !slices.Contains(c.Apps, a.Name) {
			continue
		}
		for name, compared := range a.Comparison.All(a.Name) {
			n := compared.N
			if c.N != nil {
				n = *c.N
			}
			if need := compared.Bytes(float64(n)); need > float64(host.Info().Memory) {
				return app.InputErrorf("%s: -n %d: out of memory: its data need %s; this machine has %s",
					name, n, app.Bytes(int64(min(need, 1<<62))), app.Bytes(host.Info().Memory))
			}
			r, err := m.compare(ctx, name, compared, n)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			reports = append(reports, r)
			runtime.GC() // so that the next application does not collect this one's garbage
		}
	}
	if c.JSON {
		return env.JSON(struct {
			Device string   `json:"device"`
			Rounds int      `json:"rounds"`
			Apps   []report `json:"apps"`
		}{m.device.ID(), c.Rounds, reports})
	}
	if m.missing != nil {
		env.Notef("the hand-written OpenCL versions cannot run: %v", m.missing)
	}
	return write(env.Stdout, m.device, reports)
}

// measurement holds what all programs share. The device is opened and OpenCL is loaded
// once, but their times count for every program that needs them.
type measurement struct {
	device     *devices.Device
	rounds     int
	load, open time.Duration
	missing    error // says why there is no OpenCL
	progress   *app.Progress
}

// compare measures the versions of an application, and checks that their
// results agree.
func (m *measurement) compare(ctx context.Context, name string, c *baseline.Comparison, n int) (r report, err error) {
	r = report{App: name, Size: c.Size(n), kernelNote: c.KernelNote}
	programs, agree := c.Programs(m.device, n)
	for _, p := range programs {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		v := result{Version: p.Version, Device: p.Device, Lines: linesOf(name, p.Version)}
		if !p.Raw() || m.missing == nil {
			t, err := baseline.Measure(ctx, p, m.rounds, func(step string) {
				if m.progress != nil {
					m.progress.Printf("%s, %s: %s", name, p.Version, step)
				}
			})
			if err != nil {
				return r, err
			}
			if err := agree(); err != nil {
				return r, fmt.Errorf("%s: %w", p.Version, err)
			}
			if !p.Raw() {
				t.Init = m.open
			}
			if strings.HasPrefix(p.Device, "opencl") {
				t.Init += m.load
			}
			v.Times = &t
			for _, k := range t.Kernels {
				launches := float64(k.Launches)
				v.Kernels = append(v.Kernels, kernel{
					k.Name, k.Launches, k.Bytes / launches, k.Time.Seconds() / launches, k.Published,
				})
			}
		}
		r.Versions = append(r.Versions, v)
	}
	return r, nil
}
