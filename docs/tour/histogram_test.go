package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_histogram() {
	// show histogram
	counts, _ := letterCounts(vector.From([]byte("abracadabra!"))).Host()
	fmt.Println("a:", counts[0], "b:", counts[1], "r:", counts['r'-'a'])

	degrees := vector.From([]float32{-3, 0, 7.5, 10, 12, 19.9, 20, 31})
	tens, _ := skel.HistogramEven(degrees, 0, 30, 3).Host() // 0 to 10, 10 to 20, 20 to 30
	fmt.Println(tens)

	grades := vector.From([]float32{0, 15, 25})
	cold, _ := skel.HistogramEdges(degrees, grades).Host() // 0 to 15, 15 to 25
	fmt.Println(cold)
	// end

	// Output:
	// a: 5 b: 2 r: 2
	// [2 3 1]
	// [4 2]
}
