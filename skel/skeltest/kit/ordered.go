package kit

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Ordered ranges over a map in the order of its keys: all ranks of a program that runs on several
// must make the same calls in the same order.
func Ordered[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
