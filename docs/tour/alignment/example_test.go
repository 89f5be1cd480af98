package alignment_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/docs/tour/alignment"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// blosum62 returns the substitution matrix of the examples.
func blosum62() *subst.Matrix {
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// codes uploads a sequence, as codes of its letters, to the default device.
func codes(m *subst.Matrix, letters string) *vector.Vector[byte] {
	c, err := m.Encode([]byte(letters), 0)
	if err != nil {
		log.Fatal(err)
	}
	return vector.From(c)
}

func ExampleScores() {
	m := blosum62()
	scores := matrix.From(m.Size(), m.Size(), m.Table())
	h, err := alignment.Scores(codes(m, "SYE"), codes(m, "NY"), scores, 3)
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

func ExampleAffineScores() {
	m := blosum62()
	for _, mode := range []align.Mode{align.Global, align.SemiGlobal, align.Local} {
		s := align.Scoring{Matrix: m, Open: 11, Extend: 1, Mode: mode, Free: align.AllEnds}
		h, err := alignment.AffineScores(codes(m, "SYEDVV"), codes(m, "NYCDV"), s)
		if err != nil {
			log.Fatal(err)
		}
		score, err := alignment.Score(h, s)
		fmt.Println(mode, score, err)
	}
	// Output:
	// global 3 <nil>
	// semiglobal 14 <nil>
	// local 14 <nil>
}

// A gap at the first V of a costs less than gaps elsewhere.
func ExampleCost() {
	m := blosum62()
	usual, less := alignment.Cost{Open: 11, Extend: 1}, alignment.Cost{Open: 2, Extend: 1}
	ofA := vector.From([]alignment.Cost{usual, usual, usual, usual, less, usual})
	ofB := vector.From([]alignment.Cost{usual, usual, usual, usual, usual})
	s := align.Scoring{Matrix: m, Mode: align.Global}
	h, err := alignment.VaryingScores(codes(m, "SYEDVV"), codes(m, "NYCDV"), ofA, ofB, s)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alignment.Score(h, s))
	// Output: 12 <nil>
}
