// Package pairs tests AllPairs, ColumnPairs, products of matrices, and many small dense
// matrices. It is a part of the suite of package skeltest; package kit has what its parts
// share.
package pairs

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "AllPairs", Test: testAllPairs, Over: true},
	{Name: "ColumnPairs", Test: testColumnPairs, Over: true},
	{Name: "Products", Test: testProducts, Over: true},
	{Name: "Dense", Test: testDense, Over: true},
}
