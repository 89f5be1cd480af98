package subst_test

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

func ExampleLookup() {
	m, err := subst.Lookup("blosum62")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Name(), m.Size(), m.Min(), m.Max())
	fmt.Println(m.Score('W', 'W'), m.Score('A', 'R'), m.Score('a', 'r'))
	_, err = subst.Lookup("BLOSUM63")
	fmt.Println(err)
	// Output:
	// BLOSUM62 24 -4 11
	// 11 -1 -1
	// no matrix "BLOSUM63"; available: BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70, PAM250, DNAFULL
}

func ExampleParse() {
	const text = `# purines and pyrimidines
   R  Y
R  2 -1
Y -3  2
`
	m, err := subst.Parse(strings.NewReader(text), "ry.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Score('R', 'Y'), m.Score('Y', 'R'), m.Symmetric())
	_, err = subst.Parse(strings.NewReader(strings.Replace(text, "-3", "-3.5", 1)), "ry.txt")
	fmt.Println(err)
	// Output:
	// -1 -3 false
	// ry.txt:4:3: row Y: "-3.5" is not an integer
}

func ExampleMatrix_EncodeRecord() {
	m, err := subst.DNA(5, -4)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &seq.Record{Name: "chr1", Letters: []byte("ACGTX"), File: "a.fa", Line: 1}
	fmt.Println(m.EncodeRecord(r, 'N'))
	_, err = m.EncodeRecord(r, 0)
	fmt.Println(err)
	// Output:
	// [0 1 2 3 15] <nil>
	// a.fa:1: sequence "chr1": letter 'X' at position 5 is not in the matrix DNA(5,-4), which has ACGTURYSWKMBDHVN
}

func ExampleUnknownError() {
	m, err := subst.Lookup("PAM30")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.Encode([]byte("MUSIC"), 0)
	if unknown, ok := err.(*subst.UnknownError); ok {
		fmt.Printf("%c %d\n", unknown.Letter, unknown.Position)
	}
	// Output: U 2
}
