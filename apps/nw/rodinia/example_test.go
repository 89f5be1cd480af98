package rodinia_test

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/nw/rodinia"
)

func ExampleSequences() {
	p := rodinia.Sequences(16)
	fmt.Printf("%s\n%s\n", p.A.Letters, p.B.Letters)
	// Output:
	// HLLNECGHRCENNGER
	// IGRGQCIQLQNDHRCQ
}

func ExampleInterleaved() {
	p := rodinia.Interleaved(16)
	fmt.Printf("%s\n%s\n", p.A.Letters, p.B.Letters)
	// Output:
	// LNCHCNGRGGCQQDRQ
	// HLEGRENEIRQILNHC
}

func ExampleRand() {
	r := rodinia.NewRand(7)
	fmt.Println(r.Next(), r.Next())
	// Output: 1045618677 1863967299
}
