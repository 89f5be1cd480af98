package scale

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/input"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// ApplyCommand is skelgo scale apply.
type ApplyCommand struct {
	Model    string `arg:"" help:"The scale, as skelgo scale --save has written it."`
	File     string `arg:"" help:"Table with a header, a row per object, as csv; - is standard input."`
	Group    string `placeholder:"COLUMN" help:"Column of the groups; the default is that of the model."`
	Assigned string `placeholder:"FILE" help:"Write the score, the assigned group and the risks of each object as csv."`
	app.Flags
}

// Help returns what skelgo scale apply --help shows besides the flags.
func (*ApplyCommand) Help() string {
	return `The columns are found by the names of the features; other columns are ignored. If the groups are known, the
errors are counted. --assigned also has the risks of each object's score: those among the objects that the scale was
found for.

JSON: name, n, groups, assigned (the number of objects in each), uncertain (objects), errors, confusion, undecided and
measures if the groups are known, device, seconds and total_seconds.`
}

// Run applies the model.
func (c *ApplyCommand) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &applyJob{ApplyCommand: c})
}

// applyJob is one run of skelgo scale apply.
type applyJob struct {
	*ApplyCommand
	model    *Model
	name     string
	x        []float64 // the features of the objects
	group    []int     // nil if they are unknown
	scores   []float64
	measures *Measures
	counts   []int // the objects that are assigned to each group
	device   string
}

// Check implements app.Job.
func (j *applyJob) Check() error {
	if j.Model == "-" && j.File == "-" {
		return app.InputErrorf("standard input can be only one of the model and the table")
	}
	return j.CheckFiles([]output.Named{{Name: j.File}, {Name: j.Model}},
		[]output.Named{{Option: "--assigned", Name: j.Assigned}})
}

// Read implements app.Job.
func (j *applyJob) Read(ctx context.Context, r *app.Runner) error {
	f, err := input.Open(ctx, j.Model, r.Env.Stdin, 1<<16)
	if err != nil {
		return app.InputError(err)
	}
	defer f.Close()
	if j.model, err = Load(f); err != nil {
		return app.InputError(f.Errorf("%w", err))
	}
	t, err := readTable(ctx, j.File, r.Env.Stdin)
	if err != nil {
		return app.InputError(err)
	}
	j.name = t.label
	if err := j.readObjects(t); err != nil {
		return app.InputError(err)
	}
	return app.InputError(j.readGroups(t))
}

// readObjects reads the features of the model.
func (j *applyJob) readObjects(t *textTable) error {
	m := j.model
	var columns []int
	for i, name := range m.Features {
		if m.indicated(i) {
			continue
		}
		c := slices.Index(t.names, name)
		if c < 0 {
			return fmt.Errorf("%s: no column %q, a feature of the model; available: %s", t.label, name,
				strings.Join(t.names, ", "))
		}
		columns = append(columns, c)
	}
	for i := range t.rows {
		var row []float64
		for _, c := range columns {
			v, err := t.number(i, c)
			if err != nil {
				return err
			}
			if math.IsNaN(v) && m.Fills == nil {
				return fmt.Errorf("%s:%d: column %s has a missing value, and the model was found without any", t.label,
					t.lines[i], t.names[c])
			}
			row = append(row, v)
		}
		if m.Fills != nil {
			row = filled(row, m.Fills, m.Indicators)
		}
		j.x = append(j.x, row...)
	}
	return nil
}

// readGroups reads the groups if they are known.
func (j *applyJob) readGroups(t *textTable) error {
	column := slices.Index(t.names, j.model.GroupColumn)
	if j.Group != "" {
		var err error
		if column, err = t.column(j.Group); err != nil {
			return err
		}
	}
	if column < 0 {
		return nil
	}
	for i, row := range t.rows {
		g := slices.Index(j.model.Groups, row[column])
		if g < 0 {
			return fmt.Errorf("%s:%d: the group in column %s is %q; the model has %s", t.label, t.lines[i],
				t.names[column], row[column], strings.Join(j.model.Groups, ", "))
		}
		j.group = append(j.group, g)
	}
	return nil
}

// Compute implements app.Job.
func (j *applyJob) Compute(_ context.Context, r *app.Runner) error {
	r.Phases.Start("apply")
	p := len(j.model.Features)
	scores, names, err := scoresOf(j.model.Weights, j.x, len(j.x)/p, r.Devices)
	if err != nil {
		return err
	}
	j.scores, j.device = scores, names
	j.counts = make([]int, len(j.model.Groups)+1)
	for i, f := range scores {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return app.InputErrorf("%s: the score of object %d is %v; a feature is too large for the model's "+
				"weights", j.name, i+1, f)
		}
		a := j.model.Assign(f)
		if a == Undecided {
			a = len(j.model.Groups)
		}
		j.counts[a]++
	}
	if j.group != nil {
		j.measures = j.model.measure(scores, j.group, j.model.perUnit(j.x))
	}
	r.Phases.Stop()
	return nil
}

// scoresOf returns the scores of n objects, and the names of the devices that computed them.
func scoresOf(w, x []float64, n int, devs []*devices.Device) ([]float64, string, error) {
	p := len(w)
	where := app.Distribute(devs, 8*int64(n)*int64(p))
	rows, line := matrix.From(n, p, x, where), matrix.From(1, p, w, where)
	defer rows.Free()
	defer line.Free()
	// Each object is a line of weights here, and the weights are the only object: F is symmetric.
	f := restsOf.With(rests{rows.View(), transposed(line)}).ApplyMatrix(matrix.Indices(n, 1, where))
	defer f.Free()
	scores, err := f.Host()
	return slices.Clone(scores), app.DeviceNames(where), err
}

// transposed returns a view of a row as a column.
func transposed(row *matrix.Matrix[float64]) matrix.View[float64] {
	return matrix.Of(row.Vector(), row.Cols(), 1).View()
}

// Write implements app.Job.
func (j *applyJob) Write(_ context.Context, r *app.Runner) error {
	if j.Assigned == "" {
		return nil
	}
	var truth func(i int) string
	if j.group != nil {
		truth = func(i int) string { return j.model.Groups[j.group[i]] }
	}
	return r.Files.Write(j.Assigned, func(w io.Writer) error { return j.model.writeAssigned(w, j.scores, truth) })
}

// applied is the result as --json prints it.
type applied struct {
	Name      string   `json:"name"`
	N         int      `json:"n"`
	Groups    []string `json:"groups"`
	Assigned  []int    `json:"assigned"`
	Uncertain int      `json:"uncertain"`
	*Measures
	Device string `json:"device"`
	app.Seconds
}

// Report implements app.Job.
func (j *applyJob) Report(r *app.Runner) error {
	m, k := j.model, len(j.model.Groups)
	if r.JSON {
		return r.Env.JSON(applied{
			Name: j.name, N: len(j.scores), Groups: m.Groups, Assigned: j.counts[:k], Uncertain: j.counts[k],
			Measures: j.measures, Device: j.device, Seconds: r.Seconds(),
		})
	}
	out := r.Env.Stdout
	fmt.Fprintf(out, "%s: %s, %s, on %s\n\n", j.name, app.Count(len(j.scores), "object"), app.Count(k, "group"),
		j.device)
	t := app.Table("assigned", "objects", "share")
	app.AlignRight(t, 2, 3)
	for g, n := range j.counts {
		if g < k || n > 0 {
			name := "uncertain"
			if g < k {
				name = m.Groups[g]
			}
			t.AppendRow([]any{name, n, percent(float64(n) / float64(len(j.scores)))})
		}
	}
	fmt.Fprintln(out, t.Render())
	if j.measures != nil {
		shown := &job{result: &Result{Model: m}, measures: j.measures}
		shown.printConfusion(out)
		shown.printMeasures(out)
		fmt.Fprintf(out, "\n%s\n", app.Count(j.measures.Errors, "error"))
	}
	return nil
}
