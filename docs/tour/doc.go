// Package tour holds the code that docs/tour.md, docs/sort-select-search.md,
// docs/kmeans.md and docs/devices.md show, in one file for each chapter. The functions and
// skeletons are here; the examples in the test files apply them.
package tour

//go:generate go tool skelgen
