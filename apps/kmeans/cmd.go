package kmeans

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// Command is skelgo kmeans.
type Command struct {
	File          string   `arg:"" help:"Table of numbers, a row per object, also gzipped; - is standard input."`
	Format        string   `enum:"auto,csv,npy,rodinia" default:"auto" help:"Format of the table: ${enum}."`
	Columns       []string `placeholder:"COL" help:"Use only these columns: names, numbers, or ranges such as 2-5."`
	Ignore        []string `placeholder:"COL" help:"Leave these columns out."`
	SkipNonfinite bool     `help:"Leave out objects with NaN or infinities; their label is -1."`
	options
}

// options are the options that the demo has, too.
type options struct {
	K           *int     `short:"k" name:"clusters" placeholder:"N" help:"Number of clusters."`
	Init        string   `placeholder:"HOW" help:"First centres: a method or a file; the default is kmeans++."`
	NInit       int      `name:"n-init" default:"1" help:"Number of starts, of which the best is kept."`
	Seed        uint64   `default:"1" help:"Seed of the random choices."`
	MaxIter     int      `default:"501" help:"Maximum number of iterations."`
	Threshold   int      `default:"0" help:"Stop when no more than this number of objects change their cluster."`
	Algorithm   string   `enum:"lloyd,bounds,auto" default:"auto" help:"How points are assigned: ${enum}."`
	Empty       string   `enum:"keep,farthest,drop" default:"keep" help:"What an empty cluster does: ${enum}."`
	Weights     string   `placeholder:"FILE" help:"Table with one weight per object."`
	Precision   string   `enum:"auto,32,64" default:"auto" help:"Bits of the coordinates: ${enum}."`
	Labels      string   `placeholder:"FILE" help:"Write the cluster of each object, one per line, or as .npy."`
	Centers     string   `placeholder:"FILE" help:"Write the centres, as csv or .npy."`
	Plot        string   `placeholder:"FILE" help:"Draw the clusters, as .png or .svg."`
	PlotColumns []string `placeholder:"COL" help:"Draw these two columns instead of the first two principal axes."`
	app.LongFlags
}

// optionsHelp explains the options that the demo has, too.
const optionsHelp = `--init is first (the first k objects), random, kmeans++, kmeans-parallel (for large k), or a file
with one centre per row. An empty cluster keeps its centre (--empty keep), takes the object farthest from its centre
(farthest), or disappears (drop). --algorithm lloyd computes all distances in every iteration; bounds keeps bounds on
distances and computes those that may change a cluster; auto takes the faster one. The results are the same. With
--precision auto, coordinates have 32 bits if the file is a .npy of float32, otherwise 64.`

// Help returns what skelgo kmeans --help shows besides the flags.
func (*Command) Help() string {
	return `-k is required, unless --init names a file.

` + optionsHelp + `

Formats: csv, whose separator is a semicolon, tab, comma or blanks, whichever the first line has; npy; and rodinia,
where the first field of each line is an id and is left out. auto finds the format.

Numbers in csv are decimal, such as -1, .5 or 6.02e23; 0x10 and 1_000 are errors. Empty lines and lines that start
with # are skipped. The first line is a header if it holds no number, or if it holds a word above a number. A first
column of row names, as pandas and R write them, and a last column of text are left out; text elsewhere is an
error, unless --ignore or --columns leave it out. Text is in UTF-8, or in UTF-16 with a byte order mark. Columns are
numbered from 1.

JSON: name, n, dim, k, iterations, moved (objects, in the last iteration), inertia, rmse (the root of inertia over
the sum of weights), sizes, init, algorithm, start, seed, skipped (rows), device, precision, seconds (to choose the
first centres and iterate) and total_seconds.`
}

// Run clusters the file.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{options: &c.options, source: c})
}

func (c *Command) file() string { return c.File }

// read reads the file.
func (c *Command) read(ctx context.Context, r *app.Runner, j *job) error {
	j.name = c.File
	if c.File == "-" {
		j.name = "standard input"
	}
	f, err := data.Open(ctx, c.File, data.Options{
		Format: data.Format(c.Format), Columns: c.Columns, Ignore: c.Ignore, AllowNonFinite: c.SkipNonfinite,
		Stdin: r.Env.Stdin, Advice: "use --skip-nonfinite to leave such rows out",
	})
	if err != nil {
		return app.InputError(err)
	}
	defer f.Close()
	bits := c.bits(f.Bits())
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
	j.objects, j.skipped = &objects[T]{table: t.Table, source: t.Source}, t.Skipped
	return nil
}

// bits returns the bits of the coordinates, where file are those of the file.
func (f *options) bits(file int) int {
	switch f.Precision {
	case "32":
		return 32
	case "64":
		return 64
	}
	return file
}

// check returns an error if options are wrong. The argument is the file of the objects,
// or "".
func (f *options) check(objects string) error {
	fromStdin := 0
	for _, name := range []string{objects, f.startFile(), f.Weights} {
		if name == "-" {
			fromStdin++
		}
	}
	switch {
	case f.K == nil && f.startFile() == "":
		return app.InputErrorf("-k N is required, the number of clusters")
	case fromStdin > 1:
		return app.InputErrorf("standard input can be only one of the objects, --init and --weights")
	case f.K != nil && *f.K < 1:
		return app.InputErrorf("-k %d: it must be at least 1", *f.K)
	case f.MaxIter < 1:
		return app.InputErrorf("--max-iter %d: it must be at least 1", f.MaxIter)
	case f.NInit < 1:
		return app.InputErrorf("--n-init %d: it must be at least 1", f.NInit)
	case f.Threshold < 0:
		return app.InputErrorf("--threshold %d: it cannot be negative", f.Threshold)
	}
	if err := cmp.Or(plot.CheckColumns(f.PlotColumns, f.Plot), plot.Check(f.Plot)); err != nil {
		return app.InputError(err)
	}
	return f.CheckFiles(
		[]output.Named{
			{Name: objects}, {Option: "--init", Name: f.startFile()}, {Option: "--weights", Name: f.Weights},
		},
		[]output.Named{
			{Option: "--labels", Name: f.Labels}, {Option: "--centers", Name: f.Centers},
			{Option: "--plot", Name: f.Plot},
		})
}

// startFile returns the file that --init names, or "" if it names a method.
func (f *options) startFile() string {
	if f.Init == "" || slices.Contains([]Init{First, Random, PlusPlus, Parallel}, Init(f.Init)) {
		return ""
	}
	return f.Init
}

// clusterOptions reads the files of first centres and weights.
func (f *options) clusterOptions(ctx context.Context, env *app.Env) (o Options, err error) {
	o = Options{NInit: f.NInit, Seed: f.Seed, MaxIter: f.MaxIter, Threshold: f.Threshold, Empty: Empty(f.Empty),
		Algorithm: Algorithm(f.Algorithm)}
	if f.K != nil {
		o.K = *f.K
	}
	if name := f.startFile(); name != "" {
		start, err := data.Read[float64](ctx, name, data.Options{Stdin: env.Stdin})
		if err != nil {
			return o, fmt.Errorf("--init: %w (methods: first, random, kmeans++, kmeans-parallel)", err)
		}
		for i := range start.Rows {
			o.Start = append(o.Start, start.Row(i))
		}
	} else {
		o.Init = Init(f.Init)
	}
	if f.Weights != "" {
		if o.Weights, err = data.ReadVector[float64](ctx, f.Weights, data.Options{Stdin: env.Stdin}); err != nil {
			return o, fmt.Errorf("--weights: %w", err)
		}
	}
	return o, nil
}
