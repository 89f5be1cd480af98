package nw

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Command is skelgo nw.
type Command struct {
	A string `arg:"" optional:"" name:"A.fasta" help:"FASTA file with the first sequences; - is standard input."`
	B string `arg:"" optional:"" name:"B.fasta" help:"FASTA file with the second sequences."`

	Mode string   `enum:"global,semiglobal,local" default:"global" help:"Mode: ${enum}."`
	Free []string `placeholder:"END" help:"Free ends with --mode semiglobal; the default is all four."`

	Matrix    string `placeholder:"NAME" help:"Substitution matrix: a name, or a file in NCBI's format."`
	Match     *int   `placeholder:"N" help:"Score of two equal nucleotides; 5 if only --mismatch is given."`
	Mismatch  *int   `placeholder:"N" help:"Score of two different nucleotides; -4 if only --match is given."`
	UnknownAs string `placeholder:"LETTER" help:"Treat letters that are not in the matrix as this one."`

	Open   *cost `placeholder:"N" help:"Cost of the first letter of a gap."`
	Extend *cost `placeholder:"N" help:"Cost of each further letter of a gap; the default is 1."`
	Gap    *cost `placeholder:"N" help:"Cost of every letter of a gap; sets both --open and --extend."`

	Format    string `placeholder:"FORMAT" help:"Output format: pair (the default), sam, paf, tsv or json."`
	ScoreOnly bool   `help:"Compute only the scores, which is faster. The default format is then tsv."`
	Ties      string `default:"diagonal,up,left" help:"Choose among equally good alignments."`
	Count     bool   `help:"Also count the alignments that have the best score."`
	Output    string `short:"o" placeholder:"FILE" help:"Write the alignments to FILE instead of standard output."`
	Scores    string `placeholder:"FILE" help:"Write the matrix of all scores, as .npy or text."`
	Plot      string `placeholder:"FILE" help:"Draw the scores and the path through them, as .png or .svg."`

	Rodinia     int  `placeholder:"N" help:"Align the two generated sequences of N letters of the Rodinia benchmark."`
	Interleaved bool `help:"With --rodinia, deal the random numbers to the two sequences in turn."`

	app.Flags
}

// Help returns what skelgo nw --help shows besides the flags.
func (*Command) Help() string {
	return `The files may be compressed with gzip. A single file holds pairs: first and second sequence, third and
fourth, and so on. If one of two files holds a single sequence, it is aligned with each sequence of the other.

--mode global aligns all of both sequences, semiglobal leaves gaps at the ends free, and local aligns the best
part of each. --free names the free ends: start_a, end_a, start_b, end_b; a and b mean both ends of a sequence.

Matrices are BLOSUM45, 50, 62, 80 or 90, PAM30, 70 or 250, and DNAFULL. The default is BLOSUM62 for proteins and
DNAFULL for nucleotides. --open is 10 by default if the matrix has the letters of nucleotides only, and otherwise 11.
With --rodinia, the defaults are the gap cost of that benchmark, 10, and BLOSUM62; SkelCL's study of it used
--interleaved.

--ties is the order in which moves are preferred, from the last column to the first: up is a letter of A against
a gap, and left is one of B.

A gap of L letters costs open + (L-1)*extend, as in EMBOSS and parasail. (In BLAST it costs open + L*extend:
its 11 and 1 are --open 12 --extend 1 here.) Costs are whole numbers above 0. A gap in A next to a gap in B
counts as two gaps.

For users of EMBOSS: needle is --mode semiglobal, needle -endweight and stretcher are --mode global, water is
--mode local. EMBOSS's default costs for proteins, 10 and 0.5, are not whole numbers; --open 10 --extend 1
comes close.

Sequences are taken for nucleotides if all their letters are IUPAC codes of nucleotides and at least nine in
ten are A, C, G, T, U or N; otherwise for proteins. This only decides defaults: the matrix and the cost of
gaps.

A is EMBOSS's asequence, the reference of SAM and the target of PAF; B is the query. Memory grows with the
length of the sequences, not with its square, except for --scores and for --plot of short sequences. Of long ones,
--plot draws only the path.

JSON, one line per pair: a, length_a, start_a, end_a and the same for b (positions from 0; an end is after the
last letter), mode, free, matrix, open, extend, score, length, identity, similarity, gaps, gap_opens, cigar,
count (with --count), cells, seconds (the pair's share), device, total_seconds (until the line was printed). With
--rodinia: n, data, mode, matrix, open, extend, score,
score_before, sum, length, diagonal, identity, up, left, gaps, cigar, count, cells, device, seconds, total_seconds.`
}

// Run runs skelgo nw.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{Command: c})
}

// format returns the format of the output.
func (c *Command) format() align.Format {
	switch {
	case c.JSON:
		return align.JSON
	case c.Format != "":
		return align.Format(c.Format)
	case c.ScoreOnly:
		return align.TSV
	}
	return align.Pair
}

// Check reports options that are wrong, before anything is read.
func (c *Command) Check() error {
	switch {
	case c.A == "" && c.Rodinia == 0:
		return app.InputErrorf("a file of sequences is required: skelgo nw A.fasta B.fasta, or one file with pairs")
	case c.Rodinia != 0 && c.A != "":
		return app.InputErrorf("--rodinia %d makes its own sequences and cannot be combined with %s", c.Rodinia, c.A)
	case c.Rodinia < 0 || c.Rodinia > maxRodinia:
		return app.InputErrorf("--rodinia %d: it must be from 1 to %d", c.Rodinia, maxRodinia)
	case c.Interleaved && c.Rodinia == 0:
		return app.InputErrorf("--interleaved needs --rodinia N")
	case c.A == "-" && c.B == "-":
		return app.InputErrorf("standard input can be only one of the two files; a single - is read as pairs")
	case c.matrixFile() == "-":
		return app.InputErrorf("--matrix -: a matrix is read from a file; standard input is for sequences")
	case c.Format != "" && !slices.Contains(align.Formats(), align.Format(c.Format)):
		return app.InputErrorf("--format %s: no such format; available: pair, sam, paf, tsv, json", c.Format)
	case c.JSON && c.Format != "" && c.Format != "json":
		return app.InputErrorf("--json cannot be combined with --format %s", c.Format)
	case c.ScoreOnly && c.format().NeedsPath():
		return app.InputErrorf("--score-only cannot be combined with --format %s, which shows alignments; "+
			"use tsv, paf or json", c.format())
	case c.Count && (c.format() == align.SAM || c.format() == align.PAF):
		return app.InputErrorf("--count cannot be combined with --format %s, which has no field for it; "+
			"use pair, tsv or json", c.format())
	case c.UnknownAs != "" && len(c.UnknownAs) != 1:
		return app.InputErrorf("--unknown-as %s: it must be one letter", c.UnknownAs)
	}
	if _, err := c.ends(); err != nil {
		return app.InputError(err)
	}
	if _, err := ParseTies(c.Ties); err != nil {
		return app.InputErrorf("--%w", err)
	}
	if err := c.checkCosts(); err != nil {
		return err
	}
	if err := plot.Check(c.Plot); err != nil {
		return app.InputError(err)
	}
	flags := c.Flags
	flags.JSON = c.JSON && c.Output == "" // it is the format of -o
	return flags.CheckFiles(
		[]output.Named{{Name: c.A}, {Name: c.B}, {Option: "--matrix", Name: c.matrixFile()}},
		[]output.Named{
			{Option: "-o", Name: c.Output}, {Option: "--scores", Name: c.Scores}, {Option: "--plot", Name: c.Plot},
		})
}

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
		TotalSeconds: func() float64 { return r.Seconds().Total },
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
