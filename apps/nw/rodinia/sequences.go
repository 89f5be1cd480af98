package rodinia

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// rows are the letters of Rodinia's matrix in its order.
const rows = "ARNDCQEGHILKMFPSTWYV"

// letter is the letter of row rand()%10 + 1, so one of R to L, and never A.
func letter(r *Rand) byte { return rows[r.Next()%10+1] }

// Sequences makes Rodinia's two sequences of n letters, srand(7): all of the
// vertical one, A, whose letters belong to the rows of the matrix, and then
// all of the horizontal one, B.
func Sequences(n int) seq.Pair {
	r, p := NewRand(7), blank("rodinia", n)
	for i := range n {
		p.A.Letters[i] = letter(r)
	}
	for j := range n {
		p.B.Letters[j] = letter(r)
	}
	return p
}

// Interleaved makes the sequences of the program that SkelCL's study of this
// application printed: the same numbers, by turns for the horizontal sequence,
// B, and the vertical one, A. So they differ from Rodinia's.
func Interleaved(n int) seq.Pair {
	r, p := NewRand(7), blank("interleaved", n)
	for i := range n {
		p.B.Letters[i] = letter(r)
		p.A.Letters[i] = letter(r)
	}
	return p
}

// blank makes room for two sequences of n letters.
func blank(data string, n int) seq.Pair {
	record := func(name string) *seq.Record {
		return &seq.Record{Name: name, Comment: fmt.Sprintf("%s data, srand(7), %d letters", data, n), Letters: make([]byte, n), File: data}
	}
	return seq.Pair{A: record("vertical"), B: record("horizontal")}
}
