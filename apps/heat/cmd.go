package heat

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// Command is skelgo heat.
type Command struct {
	Size   string  `default:"1024x1024" placeholder:"ROWSxCOLS" help:"Cells of the plate; one number means a square. The default is 1024x1024."`
	Steps  int     `default:"10000" placeholder:"N" help:"Number of time steps; the default is 10000."`
	Rate   float64 `default:"0.24" placeholder:"X" help:"Share of the difference between neighbours that flows in a step, from 0 to 0.25; the default is 0.24."`
	Every  int     `default:"0" placeholder:"K" help:"On several devices, exchange rows every K steps; 0, the default, lets the library choose."`
	Output string  `short:"o" placeholder:"FILE" help:"Draw the plate, as .png."`
	Device string  `short:"d" placeholder:"DEVICE" help:"Device: cpu, opencl:0, cuda:0-3, cuda:all, ...; skelgo devices lists them."`
	JSON   bool    `name:"json" help:"Print the result as one line of JSON: rows, cols, steps, device, seconds, step_seconds and gigabytes_per_second."`
}

// Run computes the steps, and draws.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	rows, cols, err := c.check()
	if err != nil {
		return err
	}
	devs, err := app.Devices(c.Device)
	if err != nil {
		return err
	}
	where := app.Spread(devs, 4*int64(rows)*int64(cols))
	for _, d := range where.Devices() {
		need := 12 * float64(rows) * float64(cols) / float64(len(where.Devices()))
		if d.Info().Memory > 0 && need > float64(d.Info().Memory) {
			return app.InputErrorf("--size %s: it needs %s; %v has %s", c.Size, app.Bytes(int64(need)), d, app.Bytes(d.Info().Memory))
		}
	}
	line := app.NewProgress(env)
	defer line.Done()
	line.Printf("preparing a plate of %s cells", app.Digits(rows*cols))
	plate := matrix.From(rows, cols, Plate(rows, cols), where)
	warm := Diffuse(plate, float32(c.Rate), min(2, c.Steps), c.Every) // builds the kernel
	if err := warm.Wait(); err != nil {
		return err
	}
	warm.Free()
	took, err := c.compute(ctx, line, &plate)
	if err != nil {
		return err
	}
	if c.Output != "" {
		line.Printf("drawing")
		cells, err := plate.Host()
		if err != nil {
			return err
		}
		if err := draw(c.Output, rows, cols, cells); err != nil {
			return err
		}
	}
	line.Done()
	return c.report(env, app.DeviceNames(where), rows, cols, took)
}

// check looks at the options.
func (c *Command) check() (rows, cols int, err error) {
	first, second, two := strings.Cut(c.Size, "x")
	if !two {
		second = first
	}
	rows, err1 := strconv.Atoi(first)
	cols, err2 := strconv.Atoi(second)
	switch {
	case err1 != nil || err2 != nil || rows < 1 || cols < 1 || rows > 1<<20 || cols > 1<<20:
		return 0, 0, app.InputErrorf("--size %s: it must be ROWSxCOLS, such as 768x1024, or one number for a square; each at least 1 and at most %d", c.Size, 1<<20)
	case c.Steps < 0:
		return 0, 0, app.InputErrorf("--steps %d: it cannot be negative", c.Steps)
	case !(c.Rate >= 0 && c.Rate <= 0.25):
		return 0, 0, app.InputErrorf("--rate %g: it must be from 0 to 0.25", c.Rate)
	case c.Every < 0:
		return 0, 0, app.InputErrorf("--every %d: it cannot be negative", c.Every)
	case c.Output != "" && strings.ToLower(filepath.Ext(c.Output)) != ".png":
		return 0, 0, app.InputErrorf("-o %s: the name must end in .png", c.Output)
	case c.Output == "":
		return rows, cols, nil
	}
	return rows, cols, app.CheckFiles(nil, []output.Named{{Option: "-o", Name: c.Output}})
}

// Steps go to the device in batches. Between two of them, the command looks
// whether it was interrupted, and shows its progress.
const (
	largestBatch = 1000
	batchTime    = 100 * time.Millisecond // that a batch should take
)

// compute replaces the plate by the one after all steps.
func (c *Command) compute(ctx context.Context, line *app.Progress, plate **matrix.Matrix[float32]) (time.Duration, error) {
	if err := (*plate).Wait(); err != nil {
		return 0, err
	}
	line.Printf("step 0 of %s", app.Digits(c.Steps))
	start := time.Now()
	n := firstBatch((*plate).Vector().Distribution().Devices()[0], (*plate).Rows()*(*plate).Cols())
	for done := 0; done < c.Steps; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n = min(n, c.Steps-done)
		begin := time.Now()
		next := Diffuse(*plate, float32(c.Rate), n, c.Every)
		if err := next.Wait(); err != nil {
			return 0, err
		}
		(*plate).Free()
		*plate, done = next, done+n
		line.Printf("step %s of %s, %.3g us a step", app.Digits(done), app.Digits(c.Steps), time.Since(start).Seconds()/float64(done)*1e6)
		n = min(largestBatch, 1+int(float64(n)*batchTime.Seconds()/max(time.Since(begin).Seconds(), 1e-6)))
	}
	return time.Since(start), nil
}

// firstBatch guesses how many steps take batchTime.
func firstBatch(d *devices.Device, cells int) int {
	perSecond := 1e8 // a processor
	if d.Info().Kind == devices.GPU {
		perSecond = 1e11
	}
	return max(1, min(largestBatch, int(perSecond*batchTime.Seconds()/float64(cells))))
}

func (c *Command) report(env *app.Env, on string, rows, cols int, took time.Duration) error {
	step := took.Seconds() / float64(max(1, c.Steps))
	bandwidth := 0.0
	if took > 0 && c.Steps > 0 {
		bandwidth = 8 * float64(rows) * float64(cols) / step / 1e9
	}
	if c.JSON {
		return env.JSON(map[string]any{"rows": rows, "cols": cols, "steps": c.Steps, "device": on,
			"seconds": took.Seconds(), "step_seconds": step, "gigabytes_per_second": bandwidth})
	}
	_, err := fmt.Fprintf(env.Stdout, "%d x %d cells, %d steps on %s: %.4g s, %.4g us a step, %.4g GB/s\n", rows, cols, c.Steps, on, took.Seconds(), step*1e6, bandwidth)
	return err
}
