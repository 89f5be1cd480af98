package align

import (
	"fmt"
	"strings"
)

// width is the number of columns of an alignment in a line.
const width = 50

// pairHead starts an output in srspair, the format of EMBOSS's programs, with these
// differences: it has no date, so that the same alignment gives the same text; it names the
// mode; it has NCBI's name of the matrix; and columns with equal letters are always marked
// '|', where EMBOSS has a blank if their score is not positive (N and N), so that there are
// as many marks '|' as Identity says.
func (w *Writer) pairHead() {
	w.printf("########################################\n# Program: %s", w.job.Program)
	if w.job.Version != "" {
		w.printf(" %s", w.job.Version)
	}
	if w.job.CommandLine != "" {
		w.printf("\n# Commandline: %s", w.job.CommandLine)
	}
	w.printf("\n# Align_format: srspair\n# Mode: %s\n", w.mode())
	w.printf("########################################\n\n")
}

// mode returns the mode and the free ends.
func (w *Writer) mode() string {
	if free := w.job.Free.names(); w.job.Mode == SemiGlobal && len(free) > 0 {
		return fmt.Sprintf("%s (free: %s)", w.job.Mode, strings.Join(free, ", "))
	}
	return string(w.job.Mode)
}

// pair writes an alignment. The free ends of a semi-global one are shown and counted as
// gaps, as in the output of needle.
func (w *Writer) pair(a *Alignment) {
	path, startA, startB := a.Path, a.StartA, a.StartB
	if w.job.Mode != Local {
		path, startA, startB = a.Whole(), 0, 0
	}
	length := path.Length()
	share := func(n int) string {
		return fmt.Sprintf("%5d/%d (%4.1f%%)", n, length, 100*float64(n)/float64(max(length, 1)))
	}
	w.printf("#=======================================\n#\n")
	w.printf("# Aligned_sequences: 2\n# 1: %s\n# 2: %s\n", a.A.Name, a.B.Name)
	w.printf("# Matrix: %s\n", w.job.Matrix.Name())
	w.printf("# Gap_penalty: %d.0\n# Extend_penalty: %d.0\n", w.job.Open, w.job.Extend)
	w.printf("#\n# Length: %d\n", length)
	w.printf("# Identity:   %s\n# Similarity: %s\n", share(path.Identity()), share(a.Similarity(w.job.Matrix)))
	w.printf("# Gaps:       %s\n# Score: %d.0\n", share(path.Gaps()), a.Score)
	if a.Count != nil {
		w.printf("# Alignments_with_this_score: %d\n", a.Count)
	}
	w.printf("# \n#\n#=======================================\n\n")
	w.rows(a, path, startA, startB)
	w.printf("\n") // EMBOSS leaves two lines blank
}

func (w *Writer) pairFoot() {
	w.printf("#---------------------------------------\n#---------------------------------------\n")
}

// rows writes the two sequences one above the other, from letters i and j on.
func (w *Writer) rows(a *Alignment, path Cigar, i, j int) {
	top, marks, bottom := make([]byte, 0, width), make([]byte, 0, width), make([]byte, 0, width)
	fromA, fromB := i, j // first letters of the row
	for _, s := range path {
		for range s.N {
			x, y, mark := byte('-'), byte('-'), byte(' ')
			if s.Op.inA() {
				x = a.A.Letters[i]
				i++
			}
			if s.Op.inB() {
				y = a.B.Letters[j]
				j++
			}
			switch {
			case s.Op == Match:
				mark = '|'
			case s.Op == Mismatch && w.job.Matrix.Score(x, y) > 0:
				mark = ':'
			case s.Op == Mismatch:
				mark = '.'
			}
			top, marks, bottom = append(top, x), append(marks, mark), append(bottom, y)
			if len(top) == width {
				w.row(a.A.Name, fromA, i, top, marks)
				w.row(a.B.Name, fromB, j, bottom, nil)
				fromA, fromB = i, j
				top, marks, bottom = top[:0], marks[:0], bottom[:0]
			}
		}
	}
	if len(top) > 0 {
		w.row(a.A.Name, fromA, i, top, marks)
		w.row(a.B.Name, fromB, j, bottom, nil)
	}
}

// row writes columns of one sequence, which have its letters from (counted from 0) up to to.
// Below the upper sequence it writes the marks, below the lower one, whose marks are nil,
// an empty line. Names are cut off as in EMBOSS, on which programs that read its output
// rely.
func (w *Writer) row(name string, from, to int, columns, marks []byte) {
	first := from
	if to > from {
		first++ // without letters EMBOSS shows the number of the one before
	}
	w.printf("%-13.13s %6d %s %6d\n", name, first, columns, to)
	if marks == nil {
		w.printf("\n")
		return
	}
	w.printf("%21s%s\n", "", marks)
}
