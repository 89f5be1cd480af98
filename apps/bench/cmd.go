package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// Command is skelgo bench.
type Command struct {
	Device    string `short:"d" placeholder:"DEVICE" help:"Device, such as cpu or cuda:0; skelgo devices lists them."`
	Only      string `placeholder:"PATTERN" help:"Measure only rows that match this regular expression; see --list."`
	Rounds    int    `default:"7" help:"How often each row is measured; the result is the median."`
	MaxLog2   *int   `name:"max-log2" placeholder:"N" help:"Length of the longest vectors: 2^N elements."`
	Yardstick string `placeholder:"PATH" help:"Yardstick program that was built elsewhere."`
	JSON      string `name:"json" placeholder:"FILE" help:"Write all measurements to FILE, as one JSON document."`
	Plot      string `placeholder:"DIR" help:"Draw roofline.png and sweep.png in DIR, which takes longer."`
	List      bool   `help:"List the rows and their goals, and measure nothing."`
	Scaling   bool   `help:"Measure several devices (-d cuda:all) against the first of them."`
	Start     bool   `hidden:"" help:"Compute first results and print when they were ready."`
}

// Help returns what skelgo bench --help shows besides the flags.
func (*Command) Help() string {
	return `Each row is measured alternately with its yardsticks, so that what slows the machine down slows all of them.
The yardstick program for NVIDIA GPUs, apps/bench/yardstick, is built with nvcc if nvcc is installed.

All sizes scale with --max-log2. Its default is 30 on a GPU and 24 elsewhere, or less where memory is short.

With --scaling, the copies between devices are measured too, unless --only chooses rows.
--plot creates DIR if it does not exist.`
}

// Run measures the rows and prints the results.
func (c *Command) Run(ctx context.Context, env *app.Env) (err error) {
	if c.Start {
		return firstResults(c.Device, env.Stdout)
	}
	if err := c.checkCombinations(); err != nil {
		return err
	}
	if c.Scaling {
		return c.scaling(ctx, env)
	}
	s, rows, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	s.Note = env.Notef
	if c.List {
		list(env.Stdout, rows)
		return nil
	}
	var files output.Set
	defer files.Discard()
	if err := c.checkFiles(&files); err != nil {
		return err
	}
	if err := startYardsticks(s, c.Yardstick); err != nil {
		return err
	}
	defer func() { // Ctrl-C also kills the yardsticks, so the first error counts
		if e := s.Close(); err == nil {
			err = e
		}
	}()
	if err := s.OpenCopy(); err != nil {
		return err
	}
	report := &Report{Heading: heading(s)}
	fmt.Fprint(env.Stdout, report.Heading)
	if report.Results, err = measureAll(s, env, rows); err != nil {
		return err
	}
	if c.Plot != "" {
		if report.Sweep, err = sweep(s, env); err != nil {
			return err
		}
		if err := drawAll(&files, c.Plot, report); err != nil {
			return err
		}
	}
	fmt.Fprintf(env.Stdout, "\n%s", tableOf(report.Results))
	if c.JSON != "" {
		if err := report.save(&files, c.JSON); err != nil {
			return err
		}
	}
	if err := files.Commit(); err != nil {
		return err
	}
	return report.failure()
}

// checkFiles makes the directory of --plot, and reports files that cannot be
// written.
func (c *Command) checkFiles(files *output.Set) error {
	outputs := []output.Named{{Option: "--json", Name: c.JSON}}
	if c.Plot != "" {
		if err := files.Mkdir(c.Plot); err != nil {
			return app.InputErrorf("--plot: %w", err)
		}
		for _, name := range []string{sweepPicture, rooflinePicture} {
			outputs = append(outputs, output.Named{Option: "--plot", Name: filepath.Join(c.Plot, name)})
		}
	}
	return app.Flags{}.CheckFiles([]output.Named{{Option: "--yardstick", Name: c.Yardstick}}, outputs)
}

// checkCombinations reports options that --scaling or --list would ignore.
func (c *Command) checkCombinations() error {
	for _, mode := range []struct {
		name string
		set  bool
	}{{"--scaling", c.Scaling}, {"--list", c.List}} {
		for _, other := range []struct {
			name string
			set  bool
		}{
			{"--list", c.List && c.Scaling}, {"--json", c.JSON != ""},
			{"--plot", c.Plot != ""}, {"--yardstick", c.Yardstick != ""},
		} {
			if mode.set && other.set {
				return app.InputErrorf("%s cannot be combined with %s", other.name, mode.name)
			}
		}
	}
	return nil
}

// only returns the pattern of the rows to measure.
func (c *Command) only() (*regexp.Regexp, error) {
	only, err := regexp.Compile(c.Only)
	if err != nil {
		return nil, app.InputErrorf("--only %s: %v", c.Only, err)
	}
	return only, nil
}

// prepare checks the options and makes the suite and its rows.
func (c *Command) prepare(ctx context.Context) (*benchmark.Suite, []*benchmark.Row, error) {
	only, err := c.only()
	if err != nil {
		return nil, nil, err
	}
	if c.Rounds < 1 {
		return nil, nil, app.InputErrorf("--rounds %d: it must be at least 1", c.Rounds)
	}
	if c.MaxLog2 != nil && (*c.MaxLog2 < benchmark.Smallest || *c.MaxLog2 > most) {
		return nil, nil, app.InputErrorf("--max-log2 %d: it must be from %d to %d", *c.MaxLog2,
			benchmark.Smallest, most)
	}
	if c.Yardstick != "" {
		if _, err := os.Stat(c.Yardstick); err != nil {
			if e := new(fs.PathError); errors.As(err, &e) {
				err = e.Err
			}
			return nil, nil, app.InputErrorf("--yardstick %s: %w", c.Yardstick, err)
		}
	}
	s := &benchmark.Suite{Context: ctx, Rounds: c.Rounds}
	if s.Device, err = app.Device(c.Device); err != nil {
		return nil, nil, err
	}
	s.MaxLog2 = benchmark.UsualLog2(s.Device)
	if c.MaxLog2 != nil {
		s.MaxLog2 = *c.MaxLog2
	}
	var rows []*benchmark.Row
	child := func() (*startTimes, error) { return startChild(ctx, s.Device.ID()) }
	for _, r := range allRows(s, child) {
		if only.MatchString(r.Name) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, nil, app.InputErrorf("--only %s: no such row; see --list", c.Only)
	}
	return s, rows, nil
}

// most is the largest --max-log2.
const most = 34

// allRows returns the rows of the skeletons, followed by those of the applications.
func allRows(s *benchmark.Suite, child func() (*startTimes, error)) (rows []*benchmark.Row) {
	for _, some := range []func(*benchmark.Suite) []*benchmark.Row{
		elementwise, mathematics, mathematics32, randoms, stencils, reductions, scans, products,
		wavefronts, calls, recordings, sorts, mergeSorts, selections, histograms, moves, denseRows,
	} {
		rows = append(rows, some(s)...)
	}
	rows = append(append(rows, startRow(child)), transfers(s)...)
	if s.GPU() {
		rows = append(rows, openCLRows(s, rows)...)
	}
	for _, a := range apps.All {
		if a.Rows != nil {
			rows = append(rows, a.Rows(s)...)
		}
	}
	return rows
}

// measureAll measures the rows one after the other, and prints each result at once.
func measureAll(s *benchmark.Suite, env *app.Env, rows []*benchmark.Row) (results []*benchmark.Result, err error) {
	progress := app.NewProgress(env)
	defer progress.Done()
	for i, r := range rows {
		progress.Printf("%d of %d: %s", i+1, len(rows), r.Name)
		result, err := s.Measure(r)
		progress.Done()
		if s.Context.Err() != nil {
			return nil, s.Context.Err()
		}
		switch {
		case err != nil: // the other rows may succeed
			result = &benchmark.Result{Name: r.Name, Failed: err.Error()}
			env.Notef("%s: %v", r.Name, err)
		case result.Skipped != "":
			env.Notef("%s is left out: %s", r.Name, result.Skipped)
		}
		benchmarks(env.Stdout, r, result, s.Device.ID())
		if err := env.Flush(); err != nil { // the next may take minutes
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// failure returns an error if rows failed.
func (r *Report) failure() error {
	failed, first := 0, ""
	for _, row := range r.Results {
		if row.Failed != "" {
			if failed == 0 {
				first = row.Name + ": " + row.Failed
			}
			failed++
		}
	}
	if failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d rows failed, first %s", failed, len(r.Results), first)
}
