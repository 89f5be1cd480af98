package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ExampleSum() {
	total := skel.NewReduce(skel.Sum[int]())
	running := skel.NewScan(skel.Sum[int]())
	x := vector.From([]int{1, 2, 3, 4})
	fmt.Println(total.Apply(x).Value())
	fmt.Println(running.Inclusive(x).Host())
	// Output:
	// 10 <nil>
	// [1 3 6 10] <nil>
}

func ExampleMax() {
	highest := skel.NewReduce(skel.Max[float32]())
	m := matrix.From(2, 3, []float32{1, 5, 2, -3, -1, -2})
	fmt.Println(highest.Rows(m).Host())
	fmt.Println(highest.Apply(vector.New[float32](0)).Value()) // the identity
	// Output:
	// [5 -1] <nil>
	// -Inf <nil>
}

func ExampleAnd() {
	all := skel.NewReduce(skel.And[bool]())
	fmt.Println(all.Apply(vector.From([]bool{true, true, false})).Value())
	// Output: false <nil>
}

// Columns are centred by subtracting their means, which repeat as a row.
func ExampleZip_ApplyMatrix() {
	minus := skel.NewZip(func(x, mean float64) float64 { return x - mean })
	m := matrix.From(2, 3, []float64{1, 2, 3, 5, 6, 7})
	means := vector.From([]float64{3, 4, 5})
	centred := minus.ApplyMatrix(m, matrix.RepeatRow(means, m.Rows()))
	fmt.Println(centred.Host())
	// Output: [-2 -2 -2 2 2 2] <nil>
}
