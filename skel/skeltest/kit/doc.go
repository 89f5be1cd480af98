// Package kit holds what the families of package skeltest share: the reference
// implementation, test data, comparisons, functions and skeletons that several families use,
// and the functions that run subjects.
package kit

//go:generate go tool skelgen
