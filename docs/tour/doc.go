// Package tour holds the code of docs/tour.md, docs/kmeans.md and
// docs/devices.md, a file a chapter: the functions and skeletons here, what is
// done with them in the examples.
package tour

//go:generate go tool skelgen
