package nw

import (
	"context"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/apps/internal/figure"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/batch"
)

// Command is skelgo nw.
type Command struct {
	A string `arg:"" optional:"" name:"A.fasta" help:"First sequences; - is standard input. May be compressed with gzip."`
	B string `arg:"" optional:"" name:"B.fasta" help:"Second sequences. Without this file the first one holds pairs: first and second sequence, third and fourth, and so on. A file with one sequence is aligned with each of the other's."`

	Mode string   `placeholder:"MODE" enum:"global,semiglobal,local" default:"global" help:"global (all of both; by default), semiglobal (gaps at the ends are free) or local (the best part of either)."`
	Free []string `placeholder:"END" help:"Which ends are free with semiglobal: start_a, end_a, start_b, end_b; a and b are both ends of one, and by default it is all four."`

	Matrix    string `placeholder:"NAME" help:"BLOSUM45, 50, 62, 80 or 90, PAM30, 70 or 250, DNAFULL, or a file in NCBI's format. By default BLOSUM62, for nucleotides DNAFULL."`
	Match     *int   `placeholder:"N" help:"Score of the same base, for nucleotides; 5 if only --mismatch is given."`
	Mismatch  *int   `placeholder:"N" help:"Score of another base, as in --mismatch=-4, which it is if only --match is given."`
	UnknownAs string `placeholder:"LETTER" help:"Letters that the matrix does not have count as this one, such as X, or N."`

	Open   *cost `placeholder:"N" help:"Cost of the first letter of a gap; by default 11, for nucleotides 10."`
	Extend *cost `placeholder:"N" help:"Cost of each further letter of a gap; by default 1."`
	Gap    *cost `placeholder:"N" help:"Cost of every letter of a gap: the same for --open and --extend."`

	Format    string `placeholder:"FORMAT" help:"pair (as EMBOSS's needle; by default), sam, paf, tsv or json."`
	JSON      bool   `name:"json" help:"Print a JSON object for each pair, each on its own line."`
	ScoreOnly bool   `help:"Compute only the scores, in less time; by default as tsv."`
	Ties      string `default:"diagonal,up,left" placeholder:"MOVES" help:"Which of equally good alignments is shown: from the last column to the first, the first of these moves that leads to one; up is a letter of A against a gap, left one of B. By default diagonal,up,left."`
	Count     bool   `help:"Count the alignments with the best score, too."`
	Output    string `short:"o" placeholder:"FILE" help:"Write the alignments there."`
	Scores    string `placeholder:"FILE" help:"Write all scores of the matrix, which must fit the memory, as .npy or as text."`
	Plot      string `placeholder:"FILE" help:"Draw the scores of the matrix and the path through it, or only the path of long sequences, .png or .svg."`

	Rodinia     int  `placeholder:"N" help:"Align the two sequences of N letters of Rodinia's program instead of files, with its gap cost of 10 and BLOSUM62."`
	Interleaved bool `help:"With --rodinia, the sequences that SkelCL's study of that program printed: the same random numbers by turns."`

	Device  string `short:"d" placeholder:"DEVICE" help:"cpu, opencl:0, cuda:0-3, cuda:all, ...; skelgo devices lists them."`
	Verbose bool   `help:"Show time, launches and bytes by phase, and how many cells a second were computed."`
}

// Help is what skelgo nw --help says besides the flags.
func (*Command) Help() string {
	return `A gap of L letters costs open + (L-1)*extend, as in EMBOSS and parasail. (In BLAST it costs open + L*extend: its 11 and 1 are --open 12 --extend 1 here.) Costs are whole numbers above 0, and a gap in A beside a gap in B is two gaps.

For those who know EMBOSS: needle is --mode semiglobal, needle -endweight and stretcher are --mode global, water is --mode local. Their costs for proteins, 10 and 0.5 by default, are not whole numbers; --open 10 --extend 1 comes near.

Sequences are nucleotides if all letters of all of them are IUPAC codes of nucleotides and nine of ten are A, C, G, T, U or N; else they are proteins. It matters only for what is not given: the matrix, and the cost of gaps.

A is EMBOSS's asequence, and the reference of SAM and the target of PAF; B is the query. Memory grows with the length of the sequences and not with its square, unless the whole matrix is asked for with --scores, or a picture of it.

JSON: a, length_a, start_a, end_a and the same of b (positions from 0, ends after the last letter), mode, free, matrix, open, extend, score, length, identity, similarity, gaps, gap_opens, cigar, count (with --count), cells, seconds, device.`
}

// Run aligns what the command line names.
func (c *Command) Run(ctx context.Context, env *cli.Env) error {
	if err := c.check(); err != nil {
		return err
	}
	j := &job{Command: c, env: env}
	if err := j.prepare(ctx); err != nil {
		return err
	}
	if err := j.run(ctx); err != nil {
		return err
	}
	j.phases.Stop()
	if c.Verbose {
		j.phases.Fprint(env.Stderr)
		j.speed()
	}
	return nil
}

// format is how alignments are written.
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

// check finds what is wrong before anything is read.
func (c *Command) check() error {
	switch {
	case c.A == "" && c.Rodinia == 0:
		return cli.Badf("which sequences? skelgo nw A.fasta B.fasta, or one file of pairs")
	case c.Rodinia != 0 && c.A != "":
		return cli.Badf("--rodinia %d makes the sequences: %s has no place beside it", c.Rodinia, c.A)
	case c.Rodinia < 0 || c.Rodinia > maxRodinia:
		return cli.Badf("--rodinia %d: it must be from 1 to %d", c.Rodinia, maxRodinia)
	case c.Interleaved && c.Rodinia == 0:
		return cli.Badf("--interleaved is a kind of --rodinia N, which is missing")
	case c.A == "-" && c.B == "-":
		return cli.Badf("standard input can be only one of the files; a single - is read as pairs")
	case c.Format != "" && !slices.Contains(align.Formats(), align.Format(c.Format)):
		return cli.Badf("--format %s: there are pair, sam, paf, tsv and json", c.Format)
	case c.JSON && c.Format != "" && c.Format != "json":
		return cli.Badf("--json and --format %s: choose one", c.Format)
	case c.ScoreOnly && c.format().NeedsPath():
		return cli.Badf("--score-only with --format %s, which shows alignments; tsv, paf and json do without", c.format())
	case c.Count && (c.format() == align.SAM || c.format() == align.PAF):
		return cli.Badf("--count with --format %s, which has no place for it; pair, tsv and json do", c.format())
	case c.UnknownAs != "" && len(c.UnknownAs) != 1:
		return cli.Badf("--unknown-as %s: it is one letter", c.UnknownAs)
	}
	if _, err := c.ends(); err != nil {
		return cli.Bad(err)
	}
	if _, err := batch.ParseTies(c.Ties); err != nil {
		return cli.Badf("--%w", err)
	}
	if err := c.checkCosts(); err != nil {
		return err
	}
	if err := figure.Check(c.Plot); err != nil {
		return cli.Bad(err)
	}
	return cli.CheckFiles(
		[]atomicfile.Named{{Name: c.A}, {Name: c.B}, {Option: "--matrix", Name: c.matrixFile()}},
		[]atomicfile.Named{{Option: "-o", Name: c.Output}, {Option: "--scores", Name: c.Scores}, {Option: "--plot", Name: c.Plot}})
}

// commandLine is what was typed, for the heads of files.
func commandLine(env *cli.Env) string {
	return strings.Join(append([]string{"skelgo"}, env.Args...), " ")
}
