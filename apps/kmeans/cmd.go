package kmeans

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/apps/internal/dataset"
	"github.com/skelgo/skelgo/apps/internal/figure"
)

// Command is skelgo kmeans.
type Command struct {
	File           string   `arg:"" help:"Table of numbers, a row an object; - is standard input. May be compressed with gzip."`
	Format         string   `enum:"auto,csv,npy,rodinia" default:"auto" help:"auto, csv (also separated by blanks, tabs or semicolons), npy, or rodinia (the first field of a line is an id and is left out)."`
	Columns        []string `placeholder:"COL,..." help:"Use only these columns: names, numbers from 1, ranges such as 2-5."`
	Ignore         []string `placeholder:"COL,..." help:"Leave these columns out."`
	AllowNonfinite bool     `help:"Let NaN and infinities pass."`
	flags
}

// flags are those that the demo has too.
type flags struct {
	K           *int     `short:"k" name:"clusters" placeholder:"N" help:"How many clusters."`
	Init        string   `placeholder:"HOW" help:"First centres: first (the first k objects), random, kmeans++, kmeans-parallel, or a file with a centre a row. By default kmeans++."`
	NInit       int      `name:"n-init" default:"1" placeholder:"N" help:"Try so many starts and keep the best."`
	Seed        uint64   `default:"1" help:"Of the random choices."`
	MaxIter     int      `default:"501" placeholder:"N" help:"At most so many iterations; by default 501."`
	Threshold   int      `default:"0" placeholder:"N" help:"Stop when at most N labels move; by default 0."`
	Empty       string   `enum:"keep,farthest,drop" default:"keep" help:"An empty cluster keeps its centre (keep), takes the object farthest from its centre (farthest), or is left out (drop)."`
	Weights     string   `placeholder:"FILE" help:"One weight an object."`
	Precision   string   `enum:"auto,32,64" default:"auto" help:"Bits of the coordinates: 32, 64, or as in the file (auto), where text means 64."`
	Labels      string   `placeholder:"FILE" help:"Write the cluster of each object, one a line, or .npy."`
	Centers     string   `placeholder:"FILE" help:"Write the centres, csv or .npy."`
	Plot        string   `placeholder:"FILE" help:"Draw the clusters, .png or .svg."`
	PlotColumns []string `placeholder:"X,Y" help:"Draw these two columns, and not the first two principal axes."`
	JSON        bool     `name:"json" help:"Print one JSON object."`
	Device      string   `short:"d" placeholder:"DEVICE" help:"cpu, opencl:0, cuda:0-3, cuda:all, ...; skelgo devices lists them."`
	Verbose     bool     `help:"Show time, launches and bytes by phase."`
}

// Help is what skelgo kmeans --help says besides the flags.
func (*Command) Help() string {
	return `csv: fields are separated by semicolons, tabs, commas or blanks, whichever of these the first line has. Empty lines and those that start with # are skipped. The first line is a header if it has text above a number, or no number. A first column of row names, as pandas and R write them, is left out, and so is a last column of text; text elsewhere is an error, unless --ignore or --columns leave it out.

JSON: n, dim, k, iterations, moved (labels, in the last iteration), inertia, rmse (the root of inertia over the sum of weights), sizes, init, start, seed, device, precision, seconds (of choosing the first centres and iterating) and total_seconds.`
}

// Run clusters the file.
func (c *Command) Run(ctx context.Context, env *cli.Env) error {
	if err := c.check(c.File); err != nil {
		return err
	}
	j := &job{flags: &c.flags, env: env, name: c.File}
	if c.File == "-" {
		j.name = "standard input"
	}
	j.phases.Start("read")
	f, err := dataset.Open(ctx, c.File, dataset.Options{
		Format: dataset.Format(c.Format), Columns: c.Columns, Ignore: c.Ignore, AllowNonFinite: c.AllowNonfinite, Stdin: env.Stdin,
		Advice: "--allow-nonfinite lets NaN and infinities pass",
	})
	if err != nil {
		return cli.Bad(err)
	}
	defer f.Close()
	if c.bits(f.Bits()) == 32 {
		return decode[float32](ctx, j, f)
	}
	return decode[float64](ctx, j, f)
}

func decode[T number](ctx context.Context, j *job, f *dataset.File) error {
	table, err := dataset.Decode[T](f)
	if err != nil {
		return cli.Bad(err)
	}
	for _, note := range table.Notes {
		j.env.Notef("%s: %s", j.name, note)
	}
	return run(ctx, j, table)
}

// bits are those of the coordinates, when the file has them as given.
func (f *flags) bits(file int) int {
	switch f.Precision {
	case "32":
		return 32
	case "64":
		return 64
	}
	return file
}

// check finds what is wrong before anything is read. data is the file of the
// objects, or "".
func (f *flags) check(data string) error {
	fromStdin := 0
	for _, name := range []string{data, f.startFile(), f.Weights} {
		if name == "-" {
			fromStdin++
		}
	}
	switch {
	case f.K == nil && f.startFile() == "":
		return cli.Badf("-k N is required, the number of clusters")
	case fromStdin > 1:
		return cli.Badf("standard input can be only one of the objects, --init and --weights")
	case f.K != nil && *f.K < 1:
		return cli.Badf("-k %d: there must be at least one cluster", *f.K)
	case f.MaxIter < 1:
		return cli.Badf("--max-iter %d: there must be at least one iteration", f.MaxIter)
	case f.NInit < 1:
		return cli.Badf("--n-init %d: there must be at least one start", f.NInit)
	case f.Threshold < 0:
		return cli.Badf("--threshold %d: it must not be negative", f.Threshold)
	case len(f.PlotColumns) != 0 && len(f.PlotColumns) != 2:
		return cli.Badf("--plot-columns %s: two columns are needed", strings.Join(f.PlotColumns, ","))
	}
	if err := figure.Check(f.Plot); err != nil {
		return cli.Bad(err)
	}
	return cli.CheckFiles(
		[]atomicfile.Named{{Name: data}, {Option: "--init", Name: f.startFile()}, {Option: "--weights", Name: f.Weights}},
		[]atomicfile.Named{{Option: "--labels", Name: f.Labels}, {Option: "--centers", Name: f.Centers}, {Option: "--plot", Name: f.Plot}})
}

// startFile is the file that --init names, or "" when it names a method.
func (f *flags) startFile() string {
	if f.Init == "" || slices.Contains([]Init{First, Random, PlusPlus, Parallel}, Init(f.Init)) {
		return ""
	}
	return f.Init
}

// options reads the files of start centres and weights.
func (f *flags) options(ctx context.Context, env *cli.Env) (o Options, err error) {
	o = Options{NInit: f.NInit, Seed: f.Seed, MaxIter: f.MaxIter, Threshold: f.Threshold, Empty: Empty(f.Empty)}
	if f.K != nil {
		o.K = *f.K
	}
	if name := f.startFile(); name != "" {
		start, err := dataset.Read[float64](ctx, name, dataset.Options{Stdin: env.Stdin})
		if err != nil {
			return o, fmt.Errorf("--init: %w (methods are first, random, kmeans++ and kmeans-parallel)", err)
		}
		for i := range start.Rows {
			o.Start = append(o.Start, start.Row(i))
		}
	} else {
		o.Init = Init(f.Init)
	}
	if f.Weights != "" {
		if o.Weights, err = dataset.ReadVector[float64](ctx, f.Weights, dataset.Options{Stdin: env.Stdin}); err != nil {
			return o, fmt.Errorf("--weights: %w", err)
		}
	}
	return o, nil
}

// blame marks errors that the user can mend.
func blame(err error) error {
	if errors.As(err, new(*InputError)) {
		return cli.Bad(err)
	}
	return err
}
