package plain_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/nw/plain"
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
	scores := matrix.From(m.Size(), m.Size(), m.Table())
	h := plain.Scores(codes(m, "SYEDVV"), codes(m, "NYCDV"), scores, 3)
	fmt.Println(h.At(5, 4)) // the last element
	// Output: 11 <nil>
}

func ExamplePath() {
	m := blosum62()
	scores := matrix.From(m.Size(), m.Size(), m.Table())
	a, b := "SYEDVV", "NYCDV"
	h, err := plain.Scores(codes(m, a), codes(m, b), scores, 3).Host()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plain.Path(h, []byte(a), []byte(b), m.Score, 3))
	// Output: 1X1=1X1=1D1=
}
