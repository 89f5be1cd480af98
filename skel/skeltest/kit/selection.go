package kit

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Keep is Filter in plain Go.
func Keep[T any](s []T, keep func(T) bool) (kept []T, indices []int, rest []T) {
	kept, indices, rest = []T{}, []int{}, []T{}
	for i, x := range s {
		if keep(x) {
			kept, indices = append(kept, x), append(indices, i)
		} else {
			rest = append(rest, x)
		}
	}
	return kept, indices, rest
}

// KeepsAndWrites is not allowed.
func KeepsAndWrites(x int, out vector.OutView[int]) bool { return out.At(x) > 0 }

func Even(x int) bool { return x%2 == 0 }

func Collatz(x int) int {
	if x%2 == 0 {
		return x / 2
	}
	return 3*x + 1
}

var Evens = skel.NewFilter(Even)

var Collatzes = skel.NewMap(Collatz)
