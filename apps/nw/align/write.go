package align

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Format is an output format for alignments.
type Format string

// The formats.
const (
	Pair Format = "pair" // for people: the two sequences one above the other, as EMBOSS's srspair
	SAM  Format = "sam"  // Sequence Alignment/Map, version 1.6: a header, and a line for each pair
	PAF  Format = "paf"  // the Pairwise mApping Format of minimap2: a line for each pair
	TSV  Format = "tsv"  // tab-separated: a line of names, and a line for each pair; NA if unknown
	JSON Format = "json" // an object on a line for each pair; unknown values are left out
)

// Formats returns all formats.
func Formats() []Format { return []Format{Pair, SAM, PAF, TSV, JSON} }

// NeedsPath reports whether the format cannot show a pair of which only the score is known.
func (f Format) NeedsPath() bool { return f == Pair || f == SAM }

// Job is what the alignments of an output have in common.
type Job struct {
	Scoring
	Pairs       []seq.Pair // all pairs that will be written; SAM's header lists their first sequences
	Program     string     // such as "skelgo nw"
	Version     string     // of the program; left out if ""
	CommandLine string     // left out if ""

	// TotalSeconds returns the time since the start of the program, which JSON has in each
	// line. It may be called by several goroutines. It is left out if nil.
	TotalSeconds func() float64
}

// Writer writes alignments in one of the formats.
type Writer struct {
	out    *bufio.Writer
	format Format
	job    Job
	err    error // the first one; what is written after it is lost

	prepared sync.Map // texts of alignments
}

// NewWriter starts an output. It returns an error if the format does not allow the names of
// the job's sequences.
func NewWriter(out io.Writer, f Format, job Job) (*Writer, error) {
	if !slices.Contains(Formats(), f) {
		return nil, fmt.Errorf("no format %q; available: pair, sam, paf, tsv, json", f)
	}
	job.CommandLine = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' ' // the formats have it in a line, SAM between tabs
		}
		return r
	}, job.CommandLine)
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16), format: f, job: job}
	switch f {
	case Pair:
		w.pairHead()
	case SAM:
		if err := w.samHead(); err != nil {
			return nil, err
		}
	case TSV:
		w.tsvHead()
	case PAF, JSON: // they have no head
	}
	return w, nil
}

// Write writes an alignment. Its path must fit the sequences; without a path, the format
// must not need one. The scoring matrix must have all letters (subst.Matrix.WithUnknownAs).
func (w *Writer) Write(a *Alignment) error {
	text, known := w.prepared.LoadAndDelete(a)
	if !known {
		var err error
		if text, err = w.text(a); err != nil {
			return err
		}
	}
	if _, err := w.out.Write(text.([]byte)); w.err == nil {
		w.err = err
	}
	return w.err
}

// Prepare formats an alignment before it is written, which is most of the work of Write.
// Several goroutines may call Prepare, also while another one calls Write.
func (w *Writer) Prepare(a *Alignment) error {
	text, err := w.text(a)
	if err == nil {
		w.prepared.Store(a, text)
	}
	return err
}

// text returns the text of an alignment.
func (w *Writer) text(a *Alignment) ([]byte, error) {
	if a.Path == nil {
		if w.format.NeedsPath() {
			return nil, a.errorf("only its score is known, but the format %s shows paths; use paf, tsv or json",
				w.format)
		}
	} else {
		if err := a.fits(); err != nil {
			return nil, err
		}
		resolved := *a
		resolved.Path = a.Path.Resolve(a.A.Letters[a.StartA:a.EndA], a.B.Letters[a.StartB:a.EndB])
		a = &resolved
	}
	var text bytes.Buffer
	page := &Writer{out: bufio.NewWriter(&text), format: w.format, job: w.job}
	switch w.format {
	case Pair:
		page.pair(a)
	case SAM:
		page.sam(a)
	case PAF:
		page.paf(a)
	case TSV:
		page.tsv(a)
	case JSON:
		page.json(a)
	}
	if page.err != nil {
		return nil, page.err
	}
	err := page.out.Flush()
	return text.Bytes(), err
}

// Close ends the output. It does not close the writer that NewWriter got.
func (w *Writer) Close() error {
	if w.format == Pair {
		w.pairFoot()
	}
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

// printf writes text, or keeps the error.
func (w *Writer) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(w.out, format, args...); w.err == nil {
		w.err = err
	}
}

// known reports whether the position of the alignment is known: from the path, or because
// the alignment covers all of both sequences.
func (w *Writer) known(a *Alignment) bool { return a.Path != nil || w.job.Mode == Global }

// span returns the letters that are aligned, or the range in which they must be.
func (w *Writer) span(a *Alignment) (startA, endA, startB, endB int) {
	if a.Path == nil {
		return 0, len(a.A.Letters), 0, len(a.B.Letters)
	}
	return a.StartA, a.EndA, a.StartB, a.EndB
}

// paf writes a line in the format of minimap2: B is the query, A the target. A local
// alignment without columns has no target. If only the score is known, the counts are 0,
// and start and end are the range in which the alignment must be.
func (w *Writer) paf(a *Alignment) {
	if a.Path != nil && len(a.Path) == 0 {
		w.printf("%s\t%d\t0\t0\t*\t*\t0\t0\t0\t0\t0\t255\tAS:i:%d\n", a.B.Name, len(a.B.Letters), a.Score)
		return
	}
	startA, endA, startB, endB := w.span(a)
	w.printf("%s\t%d\t%d\t%d\t+\t", a.B.Name, len(a.B.Letters), startB, endB)
	w.printf("%s\t%d\t%d\t%d\t", a.A.Name, len(a.A.Letters), startA, endA)
	w.printf("%d\t%d\t255\tAS:i:%d", a.Identity(), a.Length(), a.Score)
	if a.Path != nil {
		w.printf("\tNM:i:%d\tcg:Z:%s", a.Path.edits(), a.Path)
	}
	w.printf("\n")
}

// columns are the names of the columns in TSV; an object of JSON has the same names.
var columns = []string{
	"a", "length_a", "start_a", "end_a", "b", "length_b", "start_b", "end_b", "score",
	"length", "identity", "similarity", "gaps", "gap_opens", "cigar", "count", "cells", "seconds", "device",
}

func (w *Writer) tsvHead() { w.printf("%s\n", strings.Join(columns, "\t")) }

// tsv writes a line of the table.
func (w *Writer) tsv(a *Alignment) {
	o := w.object(a)
	number := func(n *int) string {
		if n == nil {
			return "NA" // missing value in R and pandas
		}
		return fmt.Sprint(*n)
	}
	cigar, count := "NA", "NA"
	if o.Cigar != nil {
		cigar = *o.Cigar
	}
	if o.Count != nil {
		count = o.Count.String()
	}
	w.printf("%s\t%d\t%s\t%s\t", o.A, o.LengthA, number(o.StartA), number(o.EndA))
	w.printf("%s\t%d\t%s\t%s\t%d\t", o.B, o.LengthB, number(o.StartB), number(o.EndB), o.Score)
	for _, n := range []*int{o.Length, o.Identity, o.Similarity, o.Gaps, o.GapOpens} {
		w.printf("%s\t", number(n))
	}
	w.printf("%s\t%s\t%d\t%.6g\t%s\n", cigar, count, o.Cells, o.Seconds, o.Device)
}

// object is an alignment in JSON and TSV. Fields that are nil are unknown.
type object struct {
	A          string   `json:"a"`
	LengthA    int      `json:"length_a"`
	StartA     *int     `json:"start_a,omitempty"`
	EndA       *int     `json:"end_a,omitempty"`
	B          string   `json:"b"`
	LengthB    int      `json:"length_b"`
	StartB     *int     `json:"start_b,omitempty"`
	EndB       *int     `json:"end_b,omitempty"`
	Mode       Mode     `json:"mode"`
	Free       []string `json:"free,omitempty"`
	Matrix     string   `json:"matrix"`
	Open       int      `json:"open"`
	Extend     int      `json:"extend"`
	Score      int64    `json:"score"`
	Length     *int     `json:"length,omitempty"`
	Identity   *int     `json:"identity,omitempty"`
	Similarity *int     `json:"similarity,omitempty"`
	Gaps       *int     `json:"gaps,omitempty"`
	GapOpens   *int     `json:"gap_opens,omitempty"`
	Cigar      *string  `json:"cigar,omitempty"`
	Count      *big.Int `json:"count,omitempty"`
	Cells      int64    `json:"cells"`
	Seconds    float64  `json:"seconds"`
	Device     string   `json:"device"`
	Total      *float64 `json:"total_seconds,omitempty"`
}

// json writes an object on a line of its own.
func (w *Writer) json(a *Alignment) {
	e := json.NewEncoder(w.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(w.object(a)); w.err == nil {
		w.err = err
	}
}

// object returns what JSON and TSV show of an alignment.
func (w *Writer) object(a *Alignment) object {
	o := object{
		A: a.A.Name, LengthA: len(a.A.Letters), B: a.B.Name, LengthB: len(a.B.Letters),
		Mode: w.job.Mode, Matrix: w.job.Matrix.Name(), Open: w.job.Open, Extend: w.job.Extend,
		Score: a.Score, Count: a.Count, Cells: a.Cells, Seconds: a.Seconds, Device: a.Device,
	}
	if w.job.TotalSeconds != nil {
		total := w.job.TotalSeconds()
		o.Total = &total
	}
	if w.job.Mode == SemiGlobal {
		o.Free = w.job.Free.names()
	}
	if w.known(a) {
		startA, endA, startB, endB := w.span(a)
		o.StartA, o.EndA, o.StartB, o.EndB = &startA, &endA, &startB, &endB
	}
	if a.Path != nil {
		length, identity, similarity := a.Length(), a.Identity(), a.Similarity(w.job.Matrix)
		gaps, opens, cigar := a.Gaps(), a.GapOpens(), a.Path.String()
		o.Length, o.Identity, o.Similarity = &length, &identity, &similarity
		o.Gaps, o.GapOpens, o.Cigar = &gaps, &opens, &cigar
	}
	return o
}
