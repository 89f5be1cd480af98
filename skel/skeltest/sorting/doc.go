// Package sorting tests Sort, in all its forms, and searches in sorted vectors. It is a
// part of the suite of package skeltest; package kit has what its parts share.
package sorting

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "Sort", Test: testSort, Over: true},
	{Name: "SortRandom", Test: testSortRandom, Over: true},
	{Name: "SortMerge", Test: testSortMerge, Over: true},
	{Name: "SortRows", Test: testSortRows, Over: true},
	{Name: "Search", Test: testSearch, Over: true},
}
