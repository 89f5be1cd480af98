package kit

import (
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
)

// MultiplyAdd makes AllPairs a matrix product.
func MultiplyAdd(acc, a, b float32) float32 { return math32.FMA(a, b, acc) }

var MatProducts = skel.NewAllPairsFold(MultiplyAdd, 0)

// FoldPairs is AllPairs with a fold in plain Go. a and b hold n and m rows of d
// elements.
func FoldPairs[A, B, Out any](a []A, b []B, n, m, d int, f func(Out, A, B) Out, initial Out) []Out {
	out := make([]Out, n*m)
	for i := range out {
		out[i] = initial
		for k := range d {
			out[i] = f(out[i], a[i/m*d+k], b[i%m*d+k])
		}
	}
	return out
}
