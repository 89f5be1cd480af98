package seq_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

const two = `>SYE the sequences of an example
SYE
dvv
>NYC
NYCDV
`

func ExampleRead() {
	records, err := seq.Read(context.Background(), "-", strings.NewReader(two))
	for _, r := range records {
		fmt.Printf("%s (%s): %s\n", r.Name, r.Comment, r.Letters)
	}
	fmt.Println(err)
	_, err = seq.Read(context.Background(), "-", strings.NewReader(">SYE\nSY-E\n"))
	fmt.Println(err)
	// Output:
	// SYE (the sequences of an example): SYEDVV
	// NYC (): NYCDV
	// <nil>
	// standard input:2:3: sequence "SYE": '-' is a gap; remove the gaps from the sequences
}

func ExamplePairs() {
	records, err := seq.Read(context.Background(), "-", strings.NewReader(two))
	if err != nil {
		fmt.Println(err)
		return
	}
	pairs, err := seq.Pairs(records, nil)
	for _, p := range pairs {
		fmt.Println(p.A.Name, p.B.Name)
	}
	fmt.Println(err)
	// Output:
	// SYE NYC
	// <nil>
}

func ExamplePair() {
	a, b := &seq.Record{Name: "SYE", Letters: []byte("SYEDVV")}, &seq.Record{Name: "NYC", Letters: []byte("NYCDV")}
	p := seq.Pair{A: a, B: b}
	fmt.Println(len(p.A.Letters) * len(p.B.Letters))
	// Output: 30
}

func ExampleRecord() {
	r := seq.Record{Name: "SYE", Letters: []byte("SYEDVV")}
	fmt.Println(r.Name, len(r.Letters))
	// Output: SYE 6
}

func ExampleRodinia() {
	p := seq.Rodinia(16)
	fmt.Printf("%s\n%s\n", p.A.Letters, p.B.Letters)
	// Output:
	// HLLNECGHRCENNGER
	// IGRGQCIQLQNDHRCQ
}

func ExampleRodiniaInterleaved() {
	p := seq.RodiniaInterleaved(16)
	fmt.Printf("%s\n%s\n", p.A.Letters, p.B.Letters)
	// Output:
	// LNCHCNGRGGCQQDRQ
	// HLEGRENEIRQILNHC
}

func ExampleRand() {
	r := seq.NewRand(7)
	fmt.Println(r.Next(), r.Next())
	// Output: 1045618677 1863967299
}
