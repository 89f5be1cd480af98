package tmixture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// Command is skelgo tmixture.
type Command struct {
	File          string   `arg:"" help:"Table of numbers, a row per object, also gzipped; - is standard input."`
	Format        string   `enum:"auto,csv,npy,rodinia" default:"auto" help:"Format of the table: ${enum}."`
	Columns       []string `placeholder:"COL" help:"Use only these columns: names, numbers, or ranges such as 2-5."`
	Ignore        []string `placeholder:"COL" help:"Leave these columns out."`
	SkipNonfinite bool     `help:"Leave out rows with NaN or infinities; they have the label -1."`
	Model         string   `placeholder:"FILE" help:"Use the model that --save has written instead of fitting one."`
	options
}

// options are the options that the demo has, too.
type options struct {
	Components    int     `placeholder:"N" help:"Number of components, fitted by maximum likelihood."`
	MaxComponents int     `placeholder:"N" help:"Start with N components and find the best number."`
	MinComponents int     `default:"1" placeholder:"N" help:"Try no fewer components; the default is ${default}."`
	FirstWorse    bool    `help:"Stop at the first number of components whose criterion is worse."`
	Penalty       string  `enum:"message,thesis" default:"message" help:"Form of the criterion: ${enum}."`
	NoPrior       bool    `help:"With --max-components: leave out the weak prior of covariances."`
	Covariance    string  `enum:"full,diagonal,spherical,tied" default:"full" help:"Form of covariances: ${enum}."`
	Reg           float64 `default:"0" placeholder:"X" help:"Add X to all variances."`
	Denominator   string  `enum:"zu,z" default:"zu" help:"Divide sums of squares by the sum of: ${enum}."`
	DF            string  `name:"df" default:"shared" placeholder:"NU" help:"Degrees of freedom: shared, each, or NU."`
	Init          string  `placeholder:"HOW" help:"First components: a method or a file; the default is kmeans++."`
	NInit         int     `name:"n-init" default:"1" help:"Number of starts, of which the best is kept."`
	Seed          uint64  `default:"1" help:"Seed of the random choices."`
	Tol           float64 `default:"1e-8" help:"Stop this much below the limit of the log-likelihood."`
	MaxIter       int     `default:"5000" help:"Maximum number of iterations."`
	Precision     string  `enum:"64,32" default:"64" help:"Bits of the numbers of rows on the device: ${enum}."`
	Labels        string  `placeholder:"FILE" help:"Write the component of each row, one per line, or as .npy."`
	Posteriors    string  `placeholder:"FILE" help:"Write the probabilities of components, as csv or .npy."`
	Outliers      string  `placeholder:"FILE" help:"Write distances and weights u of rows, as csv or .npy."`
	Save          string  `placeholder:"FILE" help:"Write the model as JSON."`

	Plot        string   `placeholder:"FILE" help:"Draw rows and components, as .png or .svg."`
	PlotColumns []string `placeholder:"COL" help:"Draw these two columns instead of the first two principal axes."`
	app.LongFlags
}

// optionsHelp explains the options that the demo has, too.
const optionsHelp = `--components N fits N components by maximum likelihood. --max-components N starts with N, removes
components, and keeps the number with the best criterion: the log-likelihood minus the length of a message that has
the parameters. For each component it needs more than half as many rows as a component has parameters. --penalty
thesis is the criterion as printed in the thesis that describes the method, which penalizes each component a little
more.

--init is kmeans++ (centres far from each other, moved once), kmeans, random (random rows, moved once), or a file with
the component of each row, from 0. --df shared estimates one number of degrees of freedom, each one per component; a
number is kept, and a large one such as 1e8 fits normal distributions. --denominator z needs more iterations for the
same result. If a component collapses to too few rows, --reg 1e-6 (in squared units of the data) keeps it.

--precision 32 takes half of the memory, and less time on GPUs that are slow in 64 bits. The log-likelihood is exact to
about 1e-7 of it, and iterations end when they improve it by less. Numbers are rounded to 24 bits when they are read:
subtract a constant from columns whose mean is thousands of times their standard deviation.`

// Help returns what skelgo tmixture --help shows besides the flags.
func (*Command) Help() string {
	return `--components or --max-components is required, unless --init or --model names a file.

` + optionsHelp + `

--model FILE assigns rows to the components of a saved model and fits nothing; FILE must have the same columns. Options
that choose or fit components cannot be combined with it. loglik is then that of these rows.

--plot draws rows in their first two principal axes, or in two columns, with curves that contain 50% and 95% of each
component, and outliers as crosses: rows as far from their component as one in 1000 of a normal distribution. With
--max-components it also draws the criterion by the number of components.

A .npy in C order whose numbers take more than a quarter of the device's memory is not read into host memory, but again
and again while devices compute, unless --columns, --ignore or --skip-nonfinite leave some of it out.

The formats of tables are those of skelgo kmeans --help. --posteriors has a column for each component, and --outliers
the squared Mahalanobis distance of each row from its component, and the weight u, which is near 0 for outliers.

JSON: name, n, dim, components (their number), loglik, criterion, df (a number, or with --df each a list), weights,
means, covariances (the matrices of the t distributions; these have df/(df-2) times such covariances), sizes (rows by
most probable component), aic, bic, icl, iterations, converged, path (components, criterion, loglik and iterations for
each number of components that was tried), covariance, init, start, seed, skipped (rows), device, precision, seconds
(to choose the first components and iterate) and total_seconds. With --model: name, n, dim, components, loglik, df,
weights, means, covariances, sizes, covariance, model, skipped, device, precision, seconds and total_seconds.`
}

// Run fits a mixture to the file.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{options: &c.options, source: c, modelFile: c.Model})
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
	read := app.ReadTable[float64, float64]
	if c.Precision == "32" {
		read = app.ReadTable[float64, float32]
	}
	t, err := read(r, j.name, f, c.SkipNonfinite)
	if err != nil {
		return err
	}
	j.table, j.array, j.rows, j.skipped = t.Table, t.Source, t.Rows+len(t.Skipped), t.Skipped
	return nil
}

// check returns an error if options are wrong, and sets j.fit.
func (j *job) check() error {
	object, c := j.source.file(), j.options
	j.fit = Options{
		Components: c.Components, MaxComponents: c.MaxComponents, MinComponents: c.MinComponents,
		FirstWorse: c.FirstWorse, NoPrior: c.NoPrior, Penalty: Penalty(c.Penalty),
		Covariance: Covariance(c.Covariance), Reg: c.Reg, DivideByZ: c.Denominator == "z", DF: DF(c.DF),
		NInit: c.NInit, Seed: c.Seed, Tolerance: c.Tol, MaxIter: c.MaxIter,
	}
	if c.Tol == 0 {
		j.fit.Tolerance = never
	}
	if err := j.checkModelOptions(); err != nil {
		return err
	}
	switch {
	case c.Components < 0 || c.MaxComponents < 0:
		return app.InputErrorf("--components and --max-components must be at least 1")
	case c.Components != 0 && c.MaxComponents != 0:
		return app.InputErrorf("--components cannot be combined with --max-components")
	case c.Components == 0 && c.MaxComponents == 0 && c.initFile() == "" && j.modelFile == "":
		return app.InputErrorf("--components N is required, or --max-components N to find the best number up to N")
	case c.MaxComponents == 0 && (c.FirstWorse || c.NoPrior || c.MinComponents != 1):
		return app.InputErrorf("--first-worse, --no-prior and --min-components need --max-components")
	case c.MinComponents < 1 || c.MaxComponents != 0 && c.MinComponents > c.MaxComponents:
		return app.InputErrorf("--min-components %d: it must be from 1 to --max-components", c.MinComponents)
	case !(c.Reg >= 0):
		return app.InputErrorf("--reg %v: it cannot be negative", c.Reg)
	case !(c.Tol >= 0):
		return app.InputErrorf("--tol %v: it cannot be negative", c.Tol)
	case c.MaxIter < 1:
		return app.InputErrorf("--max-iter %d: it must be at least 1", c.MaxIter)
	case c.NInit < 1:
		return app.InputErrorf("--n-init %d: it must be at least 1", c.NInit)
	case object == "-" && j.modelFile == "-":
		return app.InputErrorf("standard input can be only one of the table and --model")
	case object == "-" && c.initFile() == "-":
		return app.InputErrorf("standard input can be only one of the table and --init")
	}
	if j.fit.DF != Shared && j.fit.DF != Each {
		df, err := strconv.ParseFloat(c.DF, 64)
		if err != nil || !(df > 0 && df <= maxFixedDF) {
			return app.InputErrorf("--df %s: it must be shared, each, or a positive number up to %g", c.DF, maxFixedDF)
		}
		j.fit.DF, j.fit.FixedDF = Fixed, df
	}
	if c.initFile() == "" {
		j.fit.Init = Init(c.Init)
	}
	if err := cmp.Or(plot.CheckColumns(c.PlotColumns, c.Plot), plot.Check(c.Plot)); err != nil {
		return app.InputError(err)
	}
	return c.CheckFiles(
		[]output.Named{{Name: object}, {Option: "--init", Name: c.initFile()}, {Option: "--model", Name: j.modelFile}},
		[]output.Named{
			{Option: "--labels", Name: c.Labels}, {Option: "--posteriors", Name: c.Posteriors},
			{Option: "--outliers", Name: c.Outliers}, {Option: "--save", Name: c.Save},
			{Option: "--plot", Name: c.Plot},
		})
}

// checkModelOptions returns an error if --model is combined with options that fit a mixture.
func (j *job) checkModelOptions() error {
	c := j.options
	if j.modelFile == "" {
		return nil
	}
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"--components", c.Components != 0}, {"--max-components", c.MaxComponents != 0},
		{"--min-components", c.MinComponents != 1}, {"--first-worse", c.FirstWorse},
		{"--no-prior", c.NoPrior}, {"--init", c.Init != ""}, {"--n-init", c.NInit != 1}, {"--reg", c.Reg != 0},
		{"--covariance", Covariance(c.Covariance) != Full}, {"--df", DF(c.DF) != Shared}, {"--save", c.Save != ""},
		{"--penalty", Penalty(c.Penalty) != Message}, {"--denominator", c.Denominator != "zu"},
		{"--checkpoint", c.Checkpoint != ""},
	} {
		if o.set {
			return app.InputErrorf("--model cannot be combined with %s", o.name)
		}
	}
	return nil
}

// never is a tolerance that is not 0, which would mean the default.
const never = 1e-300

// initFile returns the file that --init names, or "" if it names a method.
func (c *options) initFile() string {
	if c.Init == "" || slices.Contains([]Init{PlusPlus, KMeans, Random}, Init(c.Init)) {
		return ""
	}
	return c.Init
}

// readLabels reads the file of first components, and leaves out skipped rows.
func (j *job) readLabels(ctx context.Context, env *app.Env) error {
	name := j.initFile()
	if name == "" {
		return nil
	}
	values, err := data.ReadVector[float64](ctx, name, data.Options{Stdin: env.Stdin})
	if err != nil {
		return app.InputError(fmt.Errorf("--init: %w (methods: kmeans++, kmeans, random)", err))
	}
	if len(values) != j.rows {
		return app.InputErrorf("--init %s: it has %s, and %s has %s", name, app.Count(len(values), "label"), j.name,
			app.Count(j.rows, "row"))
	}
	for i, v := range values {
		if j.skipped[i] {
			continue
		}
		if v != float64(int32(v)) || v < 0 {
			return app.InputErrorf("--init %s: label %d is %v; labels are whole numbers from 0", name, i+1, v)
		}
		j.fit.Labels = append(j.fit.Labels, int32(v))
	}
	return nil
}
