package frequency

import (
	"context"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// job is one run of the command.
type job struct {
	*Command
	options Options
	code    Code
	name    string // of the signal
	signal  *Signal
	result  *Result
	curve   *data.Table[float64] // if something needs it: frequencies and F
	device  string
}

// Check implements app.Job.
func (j *job) Check() (err error) {
	j.options, j.code, err = j.check()
	return err
}

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) error {
	if j.Paper {
		j.name, j.signal = "the signal of the paper", Paper(j.AsPrinted)
		if j.AsPrinted {
			j.name += ", as printed"
		}
		return nil
	}
	if j.name = j.Command.Signal; j.name == "-" {
		j.name = "standard input"
	}
	samples, err := data.ReadVector[float64](ctx, j.Command.Signal, data.Options{Stdin: r.Env.Stdin})
	if err != nil {
		return app.InputError(err)
	}
	if j.signal, err = New(samples, j.code, j.Carrier, j.Rate); err != nil {
		return app.InputErrorf("%s: %w", j.name, err)
	}
	return nil
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	// Each node takes time as if it had some hundred bytes.
	where := app.Distribute(r.Devices, 256*int64(min(j.options.Count, 1<<40)))
	j.device = app.DeviceNames(where)
	r.Phases.Start("search")
	j.options.Where = where
	j.options.Progress = func(nodes int) {
		r.Progress.Printf("%s of %s frequencies", app.Digits(nodes), app.Digits(j.options.Count))
	}
	if j.result, err = Minimize(ctx, j.signal, j.options); err != nil {
		return err
	}
	r.Progress.Done()
	if j.Curve == "" && j.Plot == "" {
		return nil
	}
	r.Phases.Start("curve")
	return j.computeCurve()
}

// computeCurve computes F at some nodes of the axis, at equal distances.
func (j *job) computeCurve() error {
	o := j.options
	if o.Count > j.Points {
		o.Step *= float64(o.Count-1) / float64(j.Points-1)
		o.Count = j.Points
	}
	curve, err := Curve(j.signal, o)
	if err != nil {
		return err
	}
	j.curve = &data.Table[float64]{Rows: len(curve), Cols: 2, Names: []string{"frequency", "F"}}
	for i, v := range curve {
		j.curve.Data = append(j.curve.Data, o.frequency(i), v)
	}
	return nil
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Curve != "" {
		if err := data.Write(&r.Files, j.Curve, j.curve); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		return j.plot(&r.Files)
	}
	return nil
}

// edge reports whether the lowest node is the first or the last one.
func (j *job) edge() bool {
	return j.result.Position == 0 || j.result.Position == j.result.Nodes-1
}

// digits returns how many decimals of a frequency its error allows to print.
func digits(err float64) int {
	if !(err > 0) || math.IsInf(err, 0) {
		return 3
	}
	return max(0, min(9, 2-int(math.Floor(math.Log10(err)))))
}
