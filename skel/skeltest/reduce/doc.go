// Package reduce tests Reduce and Scan, in all parts and orders, histograms and the order
// contract. It is a part of the suite of package skeltest; package kit has what its parts
// share.
package reduce

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "Reduce", Test: testReduce, Over: true},
	{Name: "ReduceParts", Test: testReduceParts, Over: true},
	{Name: "ReduceByKey", Test: testReduceByKey, Over: true},
	{Name: "ReduceAnyOrder", Test: testAnyOrder, Over: true},
	{Name: "Histogram", Test: testHistogram, Over: true},
	{Name: "ArgMin", Test: testArgMin, Over: true},
	{Name: "Scan", Test: testScan, Over: true},
	{Name: "ScanParts", Test: testScanParts, Over: true},
	{Name: "Order", Test: testOrder, Over: true},
	{Name: "Segments", Test: testSegments, Over: true},
	{Name: "Defects", Test: testDefects, Over: true},
}
