package align

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// paf writes a line in the format of minimap2: B is the query, A the target.
// A local alignment without columns has no target. When only the score is
// known, the counts are 0, and the ends are those within which the alignment
// lies.
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

// columns are the names of a TSV's columns; an object of JSON has the same.
var columns = []string{
	"a", "length_a", "start_a", "end_a", "b", "length_b", "start_b", "end_b", "score",
	"length", "identity", "similarity", "gaps", "gap_opens", "cigar", "count", "cells", "seconds", "device",
}

func (w *Writer) tsvHead() { w.printf("%s\n", strings.Join(columns, "\t")) }

// tsv writes a line of a table.
func (w *Writer) tsv(a *Alignment) {
	o := w.object(a)
	number := func(n *int) string {
		if n == nil {
			return "NA" // missing, for R and for pandas
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
	w.printf("%s\t%s\t%s\t%s\t%s\t", number(o.Length), number(o.Identity), number(o.Similarity), number(o.Gaps), number(o.GapOpens))
	w.printf("%s\t%s\t%d\t%.6g\t%s\n", cigar, count, o.Cells, o.Seconds, o.Device)
}

// object is what JSON and TSV say about an alignment. What is nil is not
// known.
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
}

// json writes an object on a line.
func (w *Writer) json(a *Alignment) {
	e := json.NewEncoder(w.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(w.object(a)); w.err == nil {
		w.err = err
	}
}

func (w *Writer) object(a *Alignment) object {
	o := object{
		A: a.A.Name, LengthA: len(a.A.Letters), B: a.B.Name, LengthB: len(a.B.Letters),
		Mode: w.job.Mode, Matrix: w.job.Matrix.Name(), Open: w.job.Open, Extend: w.job.Extend,
		Score: a.Score, Count: a.Count, Cells: a.Cells, Seconds: a.Seconds, Device: a.Device,
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
		o.Length, o.Identity, o.Similarity, o.Gaps, o.GapOpens, o.Cigar = &length, &identity, &similarity, &gaps, &opens, &cigar
	}
	return o
}
