package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// OrderOf returns the indices of s in the order that Sort documents for number keys.
func OrderOf[T any, K Number](s []T, key func(T) K, descending bool) []int {
	at := UpTo(len(s))
	slices.SortStableFunc(at, func(i, j int) int {
		x, y := key(s[i]), key(s[j])
		switch xNaN, yNaN := x != x, y != y; {
		case xNaN || yNaN:
			return cmp.Compare(truth(xNaN), truth(yNaN))
		case descending:
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
	return at
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func Itself[T any](x T) T { return x }

// Picked returns the elements of s at the given indices.
func Picked[T any](s []T, at []int) []T {
	return Apply(func(i int) T { return s[i] }, at)
}

// Emulated reports whether d is so slow that a test must sort few elements of few types.
func Emulated(d *devices.Device) bool {
	return strings.HasPrefix(d.Info().Name, "emulated") && !devicestest.Nightly()
}
