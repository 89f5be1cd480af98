package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/apps/internal/cli"
)

// Command is `skelgo bench`.
type Command struct {
	Device    string `short:"d" placeholder:"DEVICE" help:"Device: cpu, opencl:0, cuda:0, ...; skelgo devices lists them."`
	Only      string `placeholder:"PATTERN" help:"Measure only rows whose names match this regular expression; --list shows the names."`
	Rounds    int    `default:"7" placeholder:"N" help:"How often each row is measured, alternately with its yardsticks; the result is the median. The default is 7."`
	MaxLog2   *int   `name:"max-log2" placeholder:"N" help:"Length of the longest vectors, 2^N elements; all other sizes scale with it. The default is 30 on a GPU and 24 elsewhere, or less where memory is short."`
	Yardstick string `placeholder:"PATH" help:"The yardstick program (apps/bench/yardstick), built elsewhere. By default it is built with nvcc, if that is installed."`
	JSON      string `name:"json" placeholder:"FILE" help:"Write all figures to FILE, as one JSON document."`
	Plot      string `placeholder:"DIR" help:"Draw roofline.png and sweep.png in DIR, which is created if it does not exist; the sweep takes longer."`
	List      bool   `help:"List the rows and their goals, and measure nothing."`
	Scaling   bool   `help:"Instead, measure several devices (-d cuda:all) against the first of them, and the copies between them."`
	Start     bool   `hidden:"" help:"Compute first results and tell when they were there."`
}

// Run measures and prints.
func (c *Command) Run(ctx context.Context, env *cli.Env) (err error) {
	if c.Start {
		return firstResults(c.Device, env.Stdout)
	}
	if err := c.checkCombinations(); err != nil {
		return err
	}
	if c.Scaling {
		return c.scale(ctx, env)
	}
	s, rows, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	s.note = env.Notef
	if c.List {
		list(env.Stdout, rows)
		return nil
	}
	var files atomicfile.Set
	defer files.Discard()
	if err := c.checkFiles(&files); err != nil {
		return err
	}
	if err := s.findOutside(c.Yardstick); err != nil {
		return err
	}
	defer func() { // that a yardstick was killed by Ctrl-C is no news
		if e := s.close(); err == nil {
			err = e
		}
	}()
	if err := s.openCopy(); err != nil {
		return err
	}
	report := &Report{Heading: heading(s)}
	fmt.Fprint(env.Stdout, report.Heading)
	if report.Results, err = measureAll(s, env, rows); err != nil {
		return err
	}
	if c.Plot != "" {
		if report.Sweep, err = s.sweep(env); err != nil {
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

// checkFiles makes the directory of --plot, and finds files that cannot be
// written.
func (c *Command) checkFiles(files *atomicfile.Set) error {
	outputs := []atomicfile.Named{{Option: "--json", Name: c.JSON}}
	if c.Plot != "" {
		if err := files.Mkdir(c.Plot); err != nil {
			return cli.Badf("--plot: %w", err)
		}
		for _, name := range []string{sweepPicture, rooflinePicture} {
			outputs = append(outputs, atomicfile.Named{Option: "--plot", Name: filepath.Join(c.Plot, name)})
		}
	}
	return cli.CheckFiles([]atomicfile.Named{{Option: "--yardstick", Name: c.Yardstick}}, outputs)
}

// checkCombinations finds options that --scaling or --list would ignore.
func (c *Command) checkCombinations() error {
	for _, mode := range []struct {
		name string
		set  bool
	}{{"--scaling", c.Scaling}, {"--list", c.List}} {
		for _, other := range []struct {
			name string
			set  bool
		}{
			{"--list", c.List && c.Scaling}, {"--only", c.Only != "" && !c.List}, {"--json", c.JSON != ""},
			{"--plot", c.Plot != ""}, {"--yardstick", c.Yardstick != ""},
		} {
			if mode.set && other.set {
				return cli.Badf("%s cannot be combined with %s", other.name, mode.name)
			}
		}
	}
	return nil
}

// prepare looks at the options and makes the rows.
func (c *Command) prepare(ctx context.Context) (*session, []*Row, error) {
	only, err := regexp.Compile(c.Only)
	if err != nil {
		return nil, nil, cli.Badf("--only %s: %v", c.Only, err)
	}
	if c.Rounds < 1 {
		return nil, nil, cli.Badf("--rounds %d: it must be at least 1", c.Rounds)
	}
	if c.MaxLog2 != nil && (*c.MaxLog2 < smallest || *c.MaxLog2 > most) {
		return nil, nil, cli.Badf("--max-log2 %d: it must be from %d to %d", *c.MaxLog2, smallest, most)
	}
	if c.Yardstick != "" {
		if _, err := os.Stat(c.Yardstick); err != nil {
			if e := new(fs.PathError); errors.As(err, &e) {
				err = e.Err
			}
			return nil, nil, cli.Badf("--yardstick %s: %w", c.Yardstick, err)
		}
	}
	s := &session{ctx: ctx, rounds: c.Rounds}
	if s.device, err = cli.Device(c.Device); err != nil {
		return nil, nil, err
	}
	s.maxLog2 = usualLog2(s.device.Info())
	if c.MaxLog2 != nil {
		s.maxLog2 = *c.MaxLog2
	}
	s.child = func() (*startTimes, error) { return startChild(ctx, s.device.ID()) }
	var rows []*Row
	for _, r := range allRows(s) {
		if only.MatchString(r.Name) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, nil, cli.Badf("--only %s: no such row; see --list", c.Only)
	}
	return s, rows, nil
}

// most is the greatest --max-log2.
const most = 34

// allRows are the rows of the table, in its order.
func allRows(s *session) (rows []*Row) {
	for _, some := range []func(*session) []*Row{elementwise, stencils, reductions, scans, products, matrices, wavefronts, alignments, small, replays, starts, transfers} {
		rows = append(rows, some(s)...)
	}
	if s.gpu() {
		rows = append(rows, crossings(s, rows)...)
	}
	return append(rows, clouds(s)...)
}

// measureAll measures the rows one after the other, and prints each when it is
// there.
func measureAll(s *session, env *cli.Env, rows []*Row) (results []*Result, err error) {
	progress := cli.NewProgress(env)
	defer progress.Done()
	for i, r := range rows {
		progress.Printf("%d of %d: %s", i+1, len(rows), r.Name)
		result, err := s.measure(r)
		progress.Done()
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		switch {
		case err != nil: // the other rows may be well
			result = &Result{Name: r.Name, Failed: err.Error()}
			env.Notef("%s: %v", r.Name, err)
		case result.Skipped != "":
			env.Notef("%s is left out: %s", r.Name, result.Skipped)
		}
		benchmarks(env.Stdout, r, result, s.device.ID())
		if f, ok := env.Stdout.(interface{ Flush() error }); ok { // it may take minutes until the next
			if err := f.Flush(); err != nil {
				return nil, err
			}
		}
		results = append(results, result)
	}
	return results, nil
}

// failure is the error of a run in which rows failed.
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
