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
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// App is the simulation of heat.
var App = app.App{
	Name:    "heat",
	Help:    "Simulate heat spreading on a plate, and draw it.",
	Command: Command{},
	Short:   "heat --size 64 --steps 20",
	Long:    "heat --size 4000 --steps 100000 -o plate.png",
}

// Command is skelgo heat.
type Command struct {
	Size   string  `default:"1024x1024" help:"Cells of the plate, ROWSxCOLS; one number means a square."`
	Steps  int     `default:"10000" help:"Number of time steps."`
	Rate   float64 `default:"0.24" help:"Share of the difference between neighbours that flows in a step."`
	Every  int     `default:"0" help:"Steps between exchanges of rows on several devices; 0 means automatic."`
	Output string  `short:"o" placeholder:"FILE" help:"Draw the plate, as .png."`
	app.Flags
}

// Help returns what skelgo heat --help shows besides the flags.
func (*Command) Help() string {
	return `--rate must be from 0 to 0.25. The plate is drawn in one pixel per cell, or fewer if it is large.

JSON: rows, cols, steps, device, seconds (to compute the steps), step_seconds, gigabytes_per_second and
total_seconds.`
}

// Run computes the steps and draws the plate.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{Command: c})
}

// job is one run of the command.
type job struct {
	*Command
	rows, cols int
	where      string // the names of the devices
	plate      *matrix.Matrix[float32]
}

// largestSide is the largest number of rows or columns.
const largestSide = 1 << 20

// Check implements app.Job.
func (j *job) Check() error {
	first, second, two := strings.Cut(j.Size, "x")
	if !two {
		second = first
	}
	var err1, err2 error
	j.rows, err1 = strconv.Atoi(first)
	j.cols, err2 = strconv.Atoi(second)
	switch {
	case err1 != nil || err2 != nil || j.rows < 1 || j.cols < 1 || j.rows > largestSide || j.cols > largestSide:
		return app.InputErrorf(
			"--size %s: it must be ROWSxCOLS, such as 768x1024, or one number for a square, from 1 to %d",
			j.Size, largestSide)
	case j.Steps < 0:
		return app.InputErrorf("--steps %d: it cannot be negative", j.Steps)
	case !(j.Rate >= 0 && j.Rate <= 0.25):
		return app.InputErrorf("--rate %g: it must be from 0 to 0.25", j.Rate)
	case j.Every < 0:
		return app.InputErrorf("--every %d: it cannot be negative", j.Every)
	case j.Output != "" && strings.ToLower(filepath.Ext(j.Output)) != ".png":
		return app.InputErrorf("-o %s: the name must end in .png", j.Output)
	case j.Output == "":
		return nil
	}
	return j.CheckFiles(nil, []output.Named{{Option: "-o", Name: j.Output}})
}

// Read implements app.Job. There is nothing to read.
func (*job) Read(context.Context, *app.Runner) error { return nil }

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) error {
	r.Phases.Start(app.PhasePrepare)
	where := app.Distribute(r.Devices, 4*int64(j.rows)*int64(j.cols))
	j.where = app.DeviceNames(where)
	for _, d := range where.Devices() {
		need, has := 12*float64(j.rows)*float64(j.cols)/float64(len(where.Devices())), d.Info().Memory
		if has > 0 && need > float64(has) {
			return app.InputErrorf("--size %s: it needs %s; %v has %s", j.Size, app.Bytes(int64(need)), d,
				app.Bytes(has))
		}
	}
	r.Progress.Printf("preparing a plate of %s cells", app.Digits(j.rows*j.cols))
	j.plate = matrix.From(j.rows, j.cols, Plate(j.rows, j.cols), where)
	r.Defer(func() { j.plate.Free() })
	warm := Diffuse(j.plate, float32(j.Rate), min(2, j.Steps), j.Every) // builds the kernel
	defer warm.Free()
	if err := warm.Wait(); err != nil {
		return err
	}
	if err := j.plate.Wait(); err != nil {
		return err
	}
	r.Phases.Start("iterate")
	return j.iterate(ctx, r)
}

// The command computes the steps in batches. After each batch it checks whether it was
// interrupted, and shows progress.
const (
	largestBatch = 1000
	batchTime    = 100 * time.Millisecond // the time that a batch should take
)

// iterate replaces the plate by the plate after all steps.
func (j *job) iterate(ctx context.Context, r *app.Runner) error {
	r.Progress.Printf("step 0 of %s", app.Digits(j.Steps))
	start := time.Now()
	n := firstBatch(j.plate.Device(), j.rows*j.cols)
	for done := 0; done < j.Steps; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n = min(n, j.Steps-done)
		begin := time.Now()
		next := Diffuse(j.plate, float32(j.Rate), n, j.Every)
		if err := next.Wait(); err != nil {
			return err
		}
		j.plate.Free()
		j.plate, done = next, done+n
		r.Progress.Printf("step %s of %s, %.3g us a step",
			app.Digits(done), app.Digits(j.Steps), time.Since(start).Seconds()/float64(done)*1e6)
		took := devices.Agree(time.Since(begin))
		n = min(largestBatch, 1+int(float64(n)*batchTime.Seconds()/max(took.Seconds(), 1e-6)))
	}
	return nil
}

// firstBatch estimates how many steps take batchTime.
func firstBatch(d *devices.Device, cells int) int {
	perSecond := 1e8 // cells, on a CPU
	if d.Info().Kind == devices.GPU {
		perSecond = 1e11
	}
	return max(1, min(largestBatch, int(perSecond*batchTime.Seconds()/float64(cells))))
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Output == "" {
		return nil
	}
	r.Progress.Printf("drawing")
	cells, err := j.plate.Host()
	if err != nil {
		return err
	}
	return plot.SaveMatrix(&r.Files, j.Output, j.rows, j.cols, func(i, k int) float32 {
		return Temperature(cells[i*j.cols+k])
	})
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	took := r.Phases.Time("iterate")
	step, bandwidth := took.Seconds()/float64(max(1, j.Steps)), 0.0
	if took > 0 && j.Steps > 0 {
		bandwidth = 8 * float64(j.rows) * float64(j.cols) / step / 1e9
	}
	if r.JSON {
		s := r.Seconds()
		return r.Env.JSON(map[string]any{
			"rows": j.rows, "cols": j.cols, "steps": j.Steps, "device": j.where, "step_seconds": step,
			"gigabytes_per_second": bandwidth, "seconds": s.Seconds, "total_seconds": s.Total,
		})
	}
	_, err := fmt.Fprintf(r.Env.Stdout, "%d x %d cells, %d steps on %s: %.4g s, %.4g us a step, %.4g GB/s\n",
		j.rows, j.cols, j.Steps, j.where, took.Seconds(), step*1e6, bandwidth)
	return err
}
