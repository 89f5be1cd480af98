package nw

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
)

// grid is the scores of a pair's matrix, row by row, without the edge.
type grid struct {
	scores     []int32
	rows, cols int
}

// save adds the scores of a pair to a set of files: as .npy (int32, rank 2) if the file has
// that extension, otherwise as a table of text with the letters as its head and first column.
func (g *grid) save(files *output.Set, name string, p seq.Pair) error {
	if strings.EqualFold(filepath.Ext(name), ".npy") {
		return data.WriteArray(files, name, g.scores, g.rows, g.cols)
	}
	return files.Write(name, func(w io.Writer) error { return g.text(w, p) })
}

func (g *grid) text(w io.Writer, p seq.Pair) error {
	var line []byte
	for _, letter := range p.B.Letters {
		line = append(line, '\t', letter)
	}
	for i, letter := range p.A.Letters {
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		line = append(line[:0], letter)
		for _, score := range g.scores[i*g.cols : (i+1)*g.cols] {
			line = strconv.AppendInt(append(line, '\t'), int64(score), 10)
		}
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// wholeRodinia is the length of the longest pair whose matrix is added up.
const wholeRodinia = 1 << 14

// rodiniaResult is the output of --rodinia. Rodinia's program computes the matrix H with an
// edge, (n+1)^2 cells, and starts its traceback at the cell before the last one in both
// directions.
type rodiniaResult struct {
	N        int    `json:"n"`
	Data     string `json:"data"` // rodinia or interleaved
	Mode     string `json:"mode"`
	Matrix   string `json:"matrix"`
	Open     int    `json:"open"`
	Extend   int    `json:"extend"`
	Score    int64  `json:"score"`                  // H[n][n] of a global alignment
	Before   *int64 `json:"score_before,omitempty"` // H[n-1][n-1]
	Sum      *int64 `json:"sum,omitempty"`          // of all cells of H
	Length   int    `json:"length"`
	Diagonal int    `json:"diagonal"` // columns with two letters
	Identity int    `json:"identity"`
	Up       int    `json:"up"` // letters of A against a gap
	Left     int    `json:"left"`
	Gaps     int    `json:"gaps"`
	Cigar    string `json:"cigar"`
	Count    string `json:"count,omitempty"`
	Cells    int64  `json:"cells"`
	Device   string `json:"device"`
	app.Seconds
}

// reportRodinia aligns the sequences of --rodinia and prints what can be compared with
// Rodinia's program.
func (j *job) reportRodinia(ctx context.Context, r *app.Runner, w io.Writer) error {
	if err := j.align(ctx, r, func(*align.Alignment) error { return nil }); err != nil {
		return err
	}
	a, o := j.last, j.options
	path := a.Path.Resolve(a.A.Letters[a.StartA:a.EndA], a.B.Letters[a.StartB:a.EndB])
	res := rodiniaResult{
		N: j.Rodinia, Data: "rodinia", Mode: j.Mode, Matrix: o.Matrix.Name(), Open: o.Open, Extend: o.Extend,
		Score: a.Score, Length: path.Length(), Identity: path.Identity(), Gaps: path.Gaps(), Cigar: path.String(),
		Cells: a.Cells, Device: a.Device, Seconds: app.Seconds{Seconds: a.Seconds},
	}
	if j.Interleaved {
		res.Data = "interleaved"
	}
	if a.Count != nil {
		res.Count = a.Count.String()
	}
	res.Diagonal = path.LenA() + path.LenB() - path.Length()
	res.Up, res.Left = path.LenA()-res.Diagonal, path.LenB()-res.Diagonal
	if j.Rodinia <= wholeRodinia && o.Mode == align.Global {
		if err := j.computeScores(ctx, r); err != nil {
			return err
		}
		res.addUp(j.scores)
	}
	if j.JSON {
		res.Total = r.Seconds().Total
		return json.NewEncoder(w).Encode(res)
	}
	return res.print(w)
}

// addUp sets the values that need the whole matrix.
func (r *rodiniaResult) addUp(g *grid) {
	var sum int64
	for _, h := range g.scores {
		sum += int64(h)
	}
	for i := range int64(g.rows) {
		sum -= 2 * (int64(r.Open) + i*int64(r.Extend)) // the edge, a row and a column
	}
	before := int64(0)
	if g.rows > 1 {
		before = int64(g.scores[(g.rows-2)*g.cols+g.cols-2])
	}
	r.Before, r.Sum = &before, &sum
}

func (r *rodiniaResult) print(w io.Writer) error {
	fmt.Fprintf(w, "%s sequences of %s, %s, matrix %s, gaps %d and %d\n\n",
		r.title(), app.Count(r.N, "letter"), r.Mode, r.Matrix, r.Open, r.Extend)
	if r.Sum != nil {
		fmt.Fprintf(w, "H[%d][%[1]d]   %d\nH[%d][%[3]d]   %d\nsum of H   %d, of %d x %[6]d cells\n",
			r.N, r.Score, r.N-1, *r.Before, *r.Sum, r.N+1)
	} else {
		fmt.Fprintf(w, "score      %d\n", r.Score)
	}
	fmt.Fprintf(w, "path       %s: %d diagonal (%d identical), %d up, %d left\n",
		app.Count(r.Length, "column"), r.Diagonal, r.Identity, r.Up, r.Left)
	if r.Count != "" {
		alignments := "alignments"
		if r.Count == "1" {
			alignments = "alignment"
		}
		fmt.Fprintf(w, "count      %s %s with this score\n", r.Count, alignments)
	}
	_, err := fmt.Fprintf(w, "time       %.4g s on %s, %.3g GCUPS\n",
		r.Seconds.Seconds, r.Device, float64(r.Cells)/max(r.Seconds.Seconds, 1e-9)/1e9)
	return err
}

func (r *rodiniaResult) title() string {
	if r.Data == "interleaved" {
		return "SkelCL's"
	}
	return "Rodinia's"
}
