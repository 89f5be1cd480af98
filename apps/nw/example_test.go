package nw_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/nw"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// blosum62 is the matrix that the examples use.
func blosum62() *subst.Matrix {
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// codes puts a sequence onto the default device.
func codes(m *subst.Matrix, letters string) *vector.Vector[byte] {
	c, err := m.Encode([]byte(letters), 0)
	if err != nil {
		log.Fatal(err)
	}
	return vector.From(c)
}

func ExampleScores() {
	m := blosum62()
	worth := matrix.From(m.Size(), m.Size(), m.Table())
	h := nw.Scores(codes(m, "SYEDVV"), codes(m, "NYCDV"), worth, 3)
	fmt.Println(h.At(5, 4)) // the last element
	// Output: 11 <nil>
}

func ExamplePath() {
	m := blosum62()
	worth := matrix.From(m.Size(), m.Size(), m.Table())
	a, b := "SYEDVV", "NYCDV"
	scores, err := nw.Scores(codes(m, a), codes(m, b), worth, 3).Host()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nw.Path(scores, []byte(a), []byte(b), m.Score, 3))
	// Output: 1X1=1X1=1D1=
}

func ExampleScoresByScan() {
	m := blosum62()
	worth := matrix.From(m.Size(), m.Size(), m.Table())
	h, err := nw.ScoresByScan(codes(m, "SYE"), codes(m, "NY"), worth, 3)
	if err != nil {
		log.Fatal(err)
	}
	for i := range h.Rows() {
		fmt.Println(h.Row(i))
	}
	// Output:
	// [0 -3 -6] <nil>
	// [-3 1 -2] <nil>
	// [-6 -2 8] <nil>
	// [-9 -5 5] <nil>
}

func ExampleAffineByScan() {
	m := blosum62()
	for _, mode := range []align.Mode{align.Global, align.SemiGlobal, align.Local} {
		s := align.Scoring{Matrix: m, Open: 11, Extend: 1, Mode: mode, Free: align.AllEnds}
		h, err := nw.AffineByScan(codes(m, "SYEDVV"), codes(m, "NYCDV"), s)
		if err != nil {
			log.Fatal(err)
		}
		score, err := nw.Score(h, s)
		fmt.Println(mode, score, err)
	}
	// Output:
	// global 3 <nil>
	// semiglobal 14 <nil>
	// local 14 <nil>
}

// To leave out the first V of a costs less than to leave out other letters.
func ExampleCost() {
	m := blosum62()
	usual, less := nw.Cost{Open: 11, Extend: 1}, nw.Cost{Open: 2, Extend: 1}
	ofA := vector.From([]nw.Cost{usual, usual, usual, usual, less, usual})
	ofB := vector.From([]nw.Cost{usual, usual, usual, usual, usual})
	s := align.Scoring{Matrix: m, Mode: align.Global}
	h, err := nw.VaryingByScan(codes(m, "SYEDVV"), codes(m, "NYCDV"), ofA, ofB, s)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nw.Score(h, s))
	// Output: 12 <nil>
}
