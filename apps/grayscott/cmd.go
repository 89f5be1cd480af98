package grayscott

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/matrix"
)

// show app

// App is the simulation of two chemicals.
var App = app.App{
	Name:       "grayscott",
	Help:       "Simulate a reaction of two chemicals, U and V, that forms patterns (Gray-Scott).",
	Command:    Command{},
	Comparison: comparison,
	Rows:       rows,
	Short:      "grayscott --size 64 --steps 20",
	Long:       "grayscott --size 4000 --steps 100000 --plot plate.png",
}

// Command is skelgo grayscott.
type Command struct {
	Size  int     `default:"512" help:"Side of the plate, in cells."`
	Steps int     `default:"5000" help:"Number of time steps."`
	Feed  float64 `default:"0.0545" help:"Rate at which U is fed, from 0 to 0.2."`
	Kill  float64 `default:"0.062" help:"Rate at which V is removed in addition, from 0 to 0.2."`
	Seed  uint64  `default:"1" help:"Seed of the drops of V at the beginning."`
	Plot  string  `placeholder:"FILE" help:"Draw the concentration of V, as .png."`
	app.Flags
}

// end

// Help returns what skelgo grayscott --help shows besides the flags.
func (Command) Help() string {
	return `JSON: size, steps, feed, kill, seed, device, u, v (mean concentrations), seconds and total_seconds.`
}

// Run simulates the reaction.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{Command: c})
}

// job is one run of the command.
type job struct {
	*Command
	cells  []Cell
	result result
}

// result is what --json prints.
type result struct {
	Size   int     `json:"size"`
	Steps  int     `json:"steps"`
	Feed   float64 `json:"feed"`
	Kill   float64 `json:"kill"`
	Seed   uint64  `json:"seed"`
	Device string  `json:"device"`
	U      float64 `json:"u"`
	V      float64 `json:"v"`
	app.Seconds
}

func (j *job) Check() error {
	switch {
	case j.Size < 1 || j.Size > 1<<15:
		return app.InputErrorf("--size %d: it must be from 1 to %d", j.Size, 1<<15)
	case j.Command.Steps < 0:
		return app.InputErrorf("--steps %d: it cannot be negative", j.Command.Steps)
	case !(j.Feed >= 0 && j.Feed <= 0.2):
		return app.InputErrorf("--feed %g: it must be from 0 to 0.2", j.Feed)
	case !(j.Kill >= 0 && j.Kill <= 0.2):
		return app.InputErrorf("--kill %g: it must be from 0 to 0.2", j.Kill)
	case j.Plot != "" && !strings.HasSuffix(strings.ToLower(j.Plot), ".png"):
		return app.InputErrorf("--plot %s: the name must end in .png", j.Plot)
	}
	return j.CheckFiles(nil, []output.Named{{Option: "--plot", Name: j.Plot}})
}

// Read makes the plate; there is no file to read.
func (j *job) Read(context.Context, *app.Runner) error {
	j.cells = Drops(j.Size, j.Seed)
	return nil
}

// Drops returns a square plate with side n that is full of U except for some square
// drops of V.
func Drops(n int, seed uint64) []Cell {
	cells := make([]Cell, n*n)
	for i := range cells {
		cells[i] = Cell{U: 1}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	width := min(n, 10)
	for range max(1, n*n/5000) {
		top, left := random.IntN(n), random.IntN(n)
		for k := range width * width {
			i, j := (top+k/width)%n, (left+k%width)%n
			cells[i*n+j] = Cell{U: 0.5, V: 0.25}
		}
	}
	return cells
}

// batch is the number of cells that are computed before the context is checked again.
const batch = 1 << 24

// show compute

func (j *job) Compute(ctx context.Context, r *app.Runner) error {
	r.Phases.Start("steps")
	where := app.Distribute(r.Devices, 8*int64(len(j.cells)))
	plate := matrix.From(j.Size, j.Size, j.cells, where)
	begin := time.Now()
	for done := 0; done < j.Command.Steps; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(j.Command.Steps-done, max(1, batch/len(j.cells)))
		next := Steps(plate, Rates{float32(j.Feed), float32(j.Kill)}, n)
		if err := next.Wait(); err != nil {
			return err
		}
		plate.Free()
		plate, done = next, done+n
		r.Progress.Printf("step %s of %s, %.3g us a step", app.Digits(done), app.Digits(j.Command.Steps),
			time.Since(begin).Seconds()/float64(done)*1e6)
	}
	cells, err := plate.Host()
	if err != nil {
		return err
	}
	j.cells = cells
	r.Phases.Stop()
	j.result = result{Size: j.Size, Steps: j.Command.Steps, Feed: j.Feed, Kill: j.Kill, Seed: j.Seed,
		Device: app.DeviceNames(where)}
	for _, c := range cells {
		j.result.U += float64(c.U) / float64(len(cells))
		j.result.V += float64(c.V) / float64(len(cells))
	}
	return nil
}

// end

func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Plot == "" {
		return nil
	}
	return plot.SaveMatrix(&r.Files, j.Plot, j.Size, j.Size, func(row, col int) float32 {
		return min(2.5*j.cells[row*j.Size+col].V, 1)
	})
}

func (j *job) Report(r *app.Runner) error {
	j.result.Seconds = r.Seconds()
	if r.JSON {
		return r.Env.JSON(j.result)
	}
	_, err := fmt.Fprintf(r.Env.Stdout, "%d x %d cells, %s on %s in %.4g s: mean U %.4f, mean V %.4f\n", j.Size, j.Size,
		app.Count(j.Command.Steps, "step"), j.result.Device, j.result.Seconds.Seconds, j.result.U, j.result.V)
	return err
}
