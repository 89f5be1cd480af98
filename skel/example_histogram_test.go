package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ExampleCountByKey() {
	labels := vector.From([]int32{2, 0, 2, -1, 2, 9})
	sizes, err := skel.CountByKey(labels, 4).Host() // -1 and 9 are ignored
	fmt.Println(sizes, err)
	// Output: [1 0 3 0] <nil>
}

func ExampleHistogramEven() {
	x := vector.From([]float64{0, 0.1, 0.25, 0.5, 0.99, 1})
	counts, err := skel.HistogramEven(x, 0, 1, 4).Host() // 1 is not less than 1
	fmt.Println(counts, err)

	octets := vector.From([]uint8{0, 7, 7, 255})
	bytes, err := skel.HistogramEven(octets, 0, 256, 256).Host()
	fmt.Println(bytes[0], bytes[7], bytes[255], err)
	// Output:
	// [2 1 1 1] <nil>
	// 1 2 1 <nil>
}

func ExampleHistogramEdges() {
	ages := vector.From([]int32{3, 17, 18, 40, 66, 80})
	counts, err := skel.HistogramEdges(ages, vector.From([]int32{0, 18, 65, 150})).Host()
	fmt.Println(counts, err)
	// Output: [2 2 2] <nil>
}
