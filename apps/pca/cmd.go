package pca

import (
	"context"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// Command is skelgo pca.
type Command struct {
	File          string   `arg:"" help:"Table of numbers, a row per object, also gzipped; - is standard input."`
	Format        string   `enum:"auto,csv,npy,rodinia" default:"auto" help:"Format of the table: ${enum}."`
	Columns       []string `placeholder:"COL" help:"Use only these columns: names, numbers, or ranges such as 2-5."`
	Ignore        []string `placeholder:"COL" help:"Leave these columns out."`
	SkipNonfinite bool     `help:"Leave out rows with NaN or infinities; their scores are NaN."`
	Model         string   `placeholder:"FILE" help:"Use the model that --save has written instead of computing one."`
	Inverse       string   `placeholder:"FILE" help:"With --model: the table holds scores; write their rows."`
	options
}

// options are the options that the demo has, too.
type options struct {
	Components string  `placeholder:"N" help:"Number of components, or a share of the variance such as 0.95."`
	Method     string  `enum:"tsqr,covariance,nipals" default:"tsqr" help:"How components are computed: ${enum}."`
	Whiten     bool    `help:"Divide scores by their standard deviation."`
	Tol        float64 `default:"1e-10" help:"nipals: stop when scores change by less than this part of them."`
	MaxIter    int     `default:"1000" help:"nipals: maximum number of iterations for each component."`
	Precision  string  `enum:"auto,32,64" default:"auto" help:"Bits of the numbers on the device: ${enum}."`
	Scores     string  `placeholder:"FILE" help:"Write the scores, a row per object, as csv or .npy."`
	Loadings   string  `placeholder:"FILE" help:"Write the loadings, a row per component, as csv or .npy."`
	Save       string  `placeholder:"FILE" help:"Write the model as JSON, for --model."`
	Plot       string  `placeholder:"FILE" help:"Draw the scores of the first two components, as .png or .svg."`
	app.Flags
}

// optionsHelp explains the options that the demo has, too.
const optionsHelp = `The mean of each column is subtracted first, and variances have the divisor n-1. Columns in
different units should have been divided by these. --components 0.95 keeps as few components as have 95% of the
variance; without it, all are kept. The loading of largest magnitude is positive in each component.

--method tsqr reduces blocks of rows to triangular factors and takes their singular values; it is the most accurate
one. covariance takes the eigenvectors of the covariance matrix, or finds a few of many by iteration; it is the
fastest one, but components whose standard deviation is less than 1e-8 of the largest are lost in rounding. nipals
computes one component after the other by iteration. Sums are in 64 bits, even if with --precision auto the numbers of
a .npy of float32 keep their 32.`

// Help returns what skelgo pca --help shows besides the flags.
func (*Command) Help() string {
	return optionsHelp + `

--model computes the scores of other rows with saved components, and --inverse the rows that have given scores:

   skelgo pca FILE --components 2 --save model.json --scores scores.csv
   skelgo pca OTHER --model model.json --scores others.csv
   skelgo pca scores.csv --model model.json --inverse rows.csv

A .npy in C order whose numbers take more than a quarter of the device's memory is not read into host memory, but
several times while devices compute, unless --columns, --ignore or --skip-nonfinite leave some of it out. Scores and the
rows of --inverse are then written block by block, and seconds includes that.

The formats of tables are those of skelgo kmeans --help. Rows with NaN or infinities are errors, unless
--skip-nonfinite leaves them out. There are rows for them in the results, which are NaN.

JSON: name, n, dim, components (their number), method, whiten, mean (of each column), variances, ratios (of these and
the sum over all columns), loadings (a row per component), iterations (of nipals), skipped (rows), device, precision,
seconds (to compute components and scores) and total_seconds.`
}

// Run computes the components of the file.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	j := &job{options: &c.options, source: c, modelFile: c.Model, inverse: c.Inverse}
	return app.Run(ctx, env, c.Flags, j)
}

func (c *Command) file() string { return c.File }

// read reads the file.
func (c *Command) read(ctx context.Context, r *app.Runner, j *job) error {
	j.name = c.File
	if c.File == "-" {
		j.name = "standard input"
	}
	f, err := data.Open(ctx, c.File, data.Options{
		Format: data.Format(c.Format), Columns: c.Columns, Ignore: c.Ignore, Stdin: r.Env.Stdin,
		AllowNonFinite: c.SkipNonfinite, Advice: "use --skip-nonfinite to leave such rows out",
	})
	if err != nil {
		return app.InputError(err)
	}
	defer f.Close()
	bits := c.bits(f.Bits())
	if c.Inverse != "" {
		bits = 64
	}
	if bits == 32 {
		return read[float32](r, j, f, c.SkipNonfinite)
	}
	return read[float64](r, j, f, c.SkipNonfinite)
}

// read makes the objects those of the file, which it reads if they need not stay there.
func read[T number](r *app.Runner, j *job, f *data.File, skipNonfinite bool) error {
	t, err := app.ReadTable[T, T](r, j.name, f, skipNonfinite)
	if err != nil {
		return err
	}
	j.objects, j.skipped = objects[T]{t.Table, t.Source}, t.Skipped
	return nil
}

// bits returns the bits of the numbers on the device, where file are those of the file.
func (f *options) bits(file int) int {
	switch f.Precision {
	case "32":
		return 32
	case "64":
		return 64
	}
	return file
}

// fitOptions returns the options of Fit.
func (f *options) fitOptions() (Options, error) {
	o := Options{Method: Method(f.Method), Whiten: f.Whiten, Tolerance: f.Tol, MaxIter: f.MaxIter}
	if f.Components == "" {
		return o, nil
	}
	if n, err := strconv.Atoi(f.Components); err == nil {
		if n < 1 {
			return o, app.InputErrorf("--components %s: it must be at least 1, or a share of the variance such as 0.95",
				f.Components)
		}
		o.Components = n
		return o, nil
	}
	share, err := strconv.ParseFloat(f.Components, 64)
	if err != nil || !(share > 0 && share < 1) {
		return o, app.InputErrorf("--components %s: it must be a whole number, or a share of the variance between "+
			"0 and 1, such as 0.95", f.Components)
	}
	o.Fraction = share
	return o, nil
}

// check returns an error if options are wrong.
func (j *job) check() error {
	object, c := j.source.file(), j.options
	var err error
	switch j.fit, err = c.fitOptions(); {
	case err != nil:
		return err
	case !(c.Tol >= 0):
		return app.InputErrorf("--tol %v: it cannot be negative", c.Tol)
	case c.MaxIter < 1:
		return app.InputErrorf("--max-iter %d: it must be at least 1", c.MaxIter)
	case j.inverse != "" && j.modelFile == "":
		return app.InputErrorf("--inverse needs --model FILE, the components")
	case j.modelFile != "" && (c.Components != "" || c.Whiten || c.Save != ""):
		return app.InputErrorf("--model cannot be combined with --components, --whiten and --save")
	case j.inverse != "" && (c.Scores != "" || c.Plot != ""):
		return app.InputErrorf("--inverse cannot be combined with --scores and --plot")
	case object == "-" && j.modelFile == "-":
		return app.InputErrorf("standard input can be only one of the table and --model")
	}
	if c.Tol == 0 {
		j.fit.Tolerance = never
	}
	if err := plot.Check(c.Plot); err != nil {
		return app.InputError(err)
	}
	return c.CheckFiles(
		[]output.Named{{Name: object}, {Option: "--model", Name: j.modelFile}},
		[]output.Named{
			{Option: "--scores", Name: c.Scores}, {Option: "--loadings", Name: c.Loadings},
			{Option: "--save", Name: c.Save}, {Option: "--inverse", Name: j.inverse}, {Option: "--plot", Name: c.Plot},
		})
}

// never is a tolerance that is not 0, which would mean the default.
const never = 1e-300
