package nw

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/batch"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// job is one run of the command.
type job struct {
	*Command
	env     *app.Env
	pairs   []seq.Pair
	options batch.Options
	last    *align.Alignment // that was found
	known   *grid            // once it was computed
	files   output.Set
	phases  app.Phases
}

// prepare reads the sequences, and finds out what to do with them.
func (j *job) prepare(ctx context.Context) (err error) {
	j.phases.Start("read")
	if j.Rodinia > 0 {
		p := j.rodinia()
		j.pairs = []seq.Pair{p}
		j.options.Scoring, err = j.scoring([]seq.Record{*p.A, *p.B})
	} else {
		err = j.read(ctx)
	}
	if err != nil {
		return err
	}
	if err := j.checkMatrix(); err != nil {
		return err
	}
	if j.options.Ties, err = batch.ParseTies(j.Ties); err != nil {
		return app.InputError(err)
	}
	j.options.Path, j.options.Count = !j.ScoreOnly, j.Count
	j.phases.Start("device")
	j.options.Devices, err = app.Devices(j.Device)
	return err
}

// read reads the files.
func (j *job) read(ctx context.Context) error {
	a, err := seq.Read(ctx, j.A, j.env.Stdin)
	if err != nil {
		return app.InputError(err)
	}
	var b []seq.Record
	if j.B != "" {
		if b, err = seq.Read(ctx, j.B, j.env.Stdin); err != nil {
			return app.InputError(err)
		}
	}
	if j.pairs, err = seq.Pairs(a, b); err != nil {
		return app.InputError(err)
	}
	j.options.Scoring, err = j.scoring(a, b)
	return err
}

// run aligns, and writes what was asked for.
func (j *job) run(ctx context.Context) error {
	defer j.files.Discard()
	var err error
	if j.Scores != "" { // first, since it may be too large
		if _, err = j.grid(ctx); err != nil {
			return err
		}
	}
	if j.Rodinia > 0 && (j.Format == "" || j.Format == "json") && !j.ScoreOnly {
		err = j.output(func(w io.Writer) error { return j.rodiniaReport(ctx, w) })
	} else {
		err = j.output(func(w io.Writer) error { return j.write(ctx, w) })
	}
	if err != nil {
		return err
	}
	if j.Scores != "" {
		j.phases.Start("write")
		if err := j.known.save(&j.files, j.Scores, j.pairs[0]); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		if err := j.draw(ctx); err != nil {
			return err
		}
	}
	return j.files.Commit()
}

// checkMatrix says early what cannot be shown of matrices.
func (j *job) checkMatrix() error {
	cells := batch.Cells(j.pairs)
	switch {
	case len(j.pairs) > 1 && j.Scores != "":
		return app.InputErrorf("--scores writes the matrix of one pair of sequences; there are %d pairs", len(j.pairs))
	case len(j.pairs) > 1 && j.Plot != "":
		return app.InputErrorf("--plot draws one pair of sequences; there are %d pairs", len(j.pairs))
	case j.Plot != "" && j.ScoreOnly && cells > wholePicture:
		return app.InputErrorf("--plot cannot be combined with --score-only here: without the path only the matrix can be drawn, and its %s cells are more than %s", app.Digits(cells), app.Digits(wholePicture))
	}
	return nil
}

// output has fill write to the output that was asked for, and makes of an error
// of writing there one that names it.
func (j *job) output(fill func(io.Writer) error) error {
	if j.Output == "" {
		return fill(j.env.Stdout)
	}
	var failed error
	var out noted
	err := j.files.Write(j.Output, func(w io.Writer) error {
		out.Writer = w
		failed = fill(&out)
		return failed
	})
	if failed != nil && out.failed == nil {
		return failed
	}
	return err
}

// noted is a writer that keeps its error.
type noted struct {
	io.Writer
	failed error
}

func (n *noted) Write(p []byte) (int, error) {
	done, err := n.Writer.Write(p)
	if err != nil {
		n.failed = err
	}
	return done, err
}

// write aligns the pairs, and writes each as soon as it is known.
func (j *job) write(ctx context.Context, w io.Writer) error {
	out, err := align.NewWriter(w, j.format(), align.Job{
		Scoring: j.options.Scoring, Pairs: j.pairs, Program: "skelgo nw", CommandLine: commandLine(j.env),
	})
	if err != nil {
		return app.InputError(err)
	}
	j.options.Prepare = out.Prepare
	if err := j.align(ctx, out.Write); err != nil {
		return err
	}
	return out.Close()
}

// align aligns the pairs.
func (j *job) align(ctx context.Context, done func(*align.Alignment) error) error {
	j.phases.Start("align")
	defer j.phases.Stop()
	line := app.NewProgress(j.env)
	defer line.Done()
	var mu sync.Mutex
	var cells int64
	all, begin := batch.Cells(j.pairs), time.Now()
	o := j.options
	o.Progress = func(more int64) {
		mu.Lock()
		defer mu.Unlock()
		cells += more
		line.Printf("%d%% of %s cells, %.3g GCUPS", 100*cells/max(all, 1), app.Digits(all), float64(cells)/float64(time.Since(begin)))
	}
	return blame(batch.Align(ctx, j.pairs, o, func(a *align.Alignment) error {
		j.last = a
		return done(a)
	}))
}

// blame marks errors that the user can mend.
func blame(err error) error {
	if errors.As(err, new(*batch.SizeError)) {
		return app.InputError(err)
	}
	return err
}

// speed tells how many cells a second were computed.
func (j *job) speed() {
	var ids []string
	for _, d := range j.options.Devices {
		ids = append(ids, d.ID())
	}
	pairs := "1 pair"
	if n := len(j.pairs); n > 1 {
		pairs = app.Digits(n) + " pairs"
	}
	took, cells := j.phases.Time("align"), batch.Cells(j.pairs)
	fmt.Fprintf(j.env.Stderr, "%s, %s cells in %s on %s: %.3g GCUPS (10^9 cells a second)\n",
		pairs, app.Digits(cells), app.Duration(took), strings.Join(ids, ","), float64(cells)/float64(max(took, 1)))
}
