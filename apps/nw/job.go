package nw

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// job is one run of the command.
type job struct {
	*Command
	pairs   []seq.Pair
	options Options
	last    *align.Alignment // the last one that was found
	scores  *grid            // of the only pair, once they are computed
}

// Read reads the sequences and chooses their scoring.
func (j *job) Read(ctx context.Context, r *app.Runner) (err error) {
	if j.Rodinia > 0 {
		p := j.rodinia()
		j.pairs = []seq.Pair{p}
		j.options.Scoring, err = j.scoring([]seq.Record{*p.A, *p.B})
	} else {
		err = j.readFiles(ctx, r.Env.Stdin)
	}
	if err != nil {
		return err
	}
	if err := j.checkMatrix(); err != nil {
		return err
	}
	j.options.Path, j.options.Count = !j.ScoreOnly, j.Count
	j.options.Ties, err = ParseTies(j.Ties)
	return app.InputError(err)
}

func (j *job) readFiles(ctx context.Context, stdin io.Reader) error {
	a, err := seq.Read(ctx, j.A, stdin)
	if err != nil {
		return app.InputError(err)
	}
	var b []seq.Record
	if j.B != "" {
		if b, err = seq.Read(ctx, j.B, stdin); err != nil {
			return app.InputError(err)
		}
	}
	if j.pairs, err = seq.Pairs(a, b); err != nil {
		return app.InputError(err)
	}
	j.options.Scoring, err = j.scoring(a, b)
	return err
}

// checkMatrix reports matrices that cannot be written or drawn.
func (j *job) checkMatrix() error {
	cells := Cells(j.pairs)
	switch {
	case len(j.pairs) > 1 && j.Scores != "":
		return app.InputErrorf("--scores writes the matrix of one pair of sequences; there are %d pairs", len(j.pairs))
	case len(j.pairs) > 1 && j.Plot != "":
		return app.InputErrorf("--plot draws one pair of sequences; there are %d pairs", len(j.pairs))
	case j.Plot != "" && j.ScoreOnly && cells > wholePicture:
		return app.InputErrorf("--plot cannot be combined with --score-only here: "+
			"without the path only the matrix can be drawn, and its %s cells are more than %s",
			app.Digits(cells), app.Digits(wholePicture))
	}
	return nil
}

// Compute aligns the pairs and writes each alignment as soon as it is known.
func (j *job) Compute(ctx context.Context, r *app.Runner) error {
	j.options.Devices = r.Devices
	if j.Scores != "" { // first, because it may be too large
		if err := j.computeScores(ctx, r); err != nil {
			return err
		}
	}
	err := j.output(r, func(w io.Writer) error {
		if j.Rodinia > 0 && (j.Format == "" || j.Format == "json") && !j.ScoreOnly {
			return j.reportRodinia(ctx, r, w)
		}
		return j.write(ctx, r, w)
	})
	if err == nil && j.Plot != "" && Cells(j.pairs) <= wholePicture {
		err = j.computeScores(ctx, r)
	}
	return err
}

// computeScores computes the matrix of the only pair, unless it is known.
func (j *job) computeScores(ctx context.Context, r *app.Runner) error {
	if j.scores != nil {
		return nil
	}
	r.Phases.Start("matrix")
	defer r.Phases.Stop()
	scores, rows, cols, err := Matrix(ctx, j.pairs[0], j.options)
	j.scores = &grid{scores, rows, cols}
	return err
}

// output calls fill with the output that was asked for. Errors of writing to a file name
// the file.
func (j *job) output(r *app.Runner, fill func(io.Writer) error) error {
	if j.Output == "" {
		return fill(r.Env.Stdout)
	}
	var failed error
	var out errorWriter
	err := r.Files.Write(j.Output, func(w io.Writer) error {
		out.Writer = w
		failed = fill(&out)
		return failed
	})
	if failed != nil && out.err == nil {
		return failed
	}
	return err
}

// errorWriter is a writer that keeps its error.
type errorWriter struct {
	io.Writer
	err error
}

func (w *errorWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// write aligns the pairs and writes them to w in the format that was asked for.
func (j *job) write(ctx context.Context, r *app.Runner, w io.Writer) error {
	out, err := align.NewWriter(w, j.format(), align.Job{
		Scoring: j.options.Scoring, Pairs: j.pairs, Program: "skelgo nw", CommandLine: r.Env.CommandLine(),
	})
	if err != nil {
		return app.InputError(err)
	}
	j.options.Prepare = out.Prepare
	if err := j.align(ctx, r, out.Write); err != nil {
		return err
	}
	return out.Close()
}

// align aligns the pairs and shows progress.
func (j *job) align(ctx context.Context, r *app.Runner, done func(*align.Alignment) error) error {
	r.Phases.Start("align")
	defer r.Phases.Stop()
	defer r.Progress.Done()
	var mu sync.Mutex
	var cells int64
	all, begin := Cells(j.pairs), time.Now()
	o := j.options
	o.Progress = func(more int64) {
		mu.Lock()
		defer mu.Unlock()
		cells += more
		r.Progress.Printf("%d%% of %s cells, %.3g GCUPS",
			100*cells/max(all, 1), app.Digits(all), float64(cells)/float64(time.Since(begin)))
	}
	return Align(ctx, j.pairs, o, func(a *align.Alignment) error {
		j.last = a
		return done(a)
	})
}

// Write writes the matrix and draws the pair.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Scores != "" {
		if err := j.scores.save(&r.Files, j.Scores, j.pairs[0]); err != nil {
			return err
		}
	}
	if j.Plot == "" {
		return nil
	}
	r.Phases.Start("plot")
	p := &picture{Alignment: j.last, grid: grid{rows: len(j.last.A.Letters), cols: len(j.last.B.Letters)}}
	if j.scores != nil && Cells(j.pairs) <= wholePicture {
		p.grid = *j.scores
	}
	return p.save(&r.Files, j.Plot)
}

// Report prints how many cells were computed per second; the alignments are written.
func (j *job) Report(r *app.Runner) error {
	if !j.Verbose {
		return nil
	}
	var ids []string
	for _, d := range r.Devices {
		ids = append(ids, d.ID())
	}
	took, cells := r.Phases.Time("align"), Cells(j.pairs)
	_, err := fmt.Fprintf(r.Env.Stderr, "%s, %s cells in %s on %s: %.3g GCUPS (10^9 cells a second)\n",
		app.Count(len(j.pairs), "pair"), app.Digits(cells), app.Duration(took), strings.Join(ids, ","),
		float64(cells)/float64(max(took, 1)))
	return err
}
