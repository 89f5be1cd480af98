// Package elementwise tests Map, Zip and what computes or moves each element by itself: extra
// arguments, views, indices, Gather, transposes and stencils. It also tests what all calls have
// in common: traffic, pending expressions, recorded loops, errors and panics, goroutines, and
// random programs. These use the same skeletons with the same types, of which the compiler
// makes copies in every package that uses them. It is a part of the suite of package skeltest;
// package kit has what its parts share.
package elementwise

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "ElementTypes", Test: testElementTypes, Over: true},
	{Name: "Map", Test: testMap, Over: true},
	{Name: "Zip", Test: testZip, Over: true},
	{Name: "LocalArrays", Test: testLocalArrays},
	{Name: "Extra", Test: testExtra, Over: true},
	{Name: "Twice", Test: testTwice, Over: true},
	{Name: "OutViews", Test: testOutViews},
	{Name: "Indices", Test: testIndices, Over: true},
	{Name: "Share", Test: testShare},
	{Name: "Repeat", Test: testRepeat, Over: true},
	{Name: "Gather", Test: testGather, Over: true},
	{Name: "Transpose", Test: testTranspose, Over: true},
	{Name: "Fusion", Test: testFusion},
	{Name: "Overlap", Test: testOverlap, Over: true},
	{Name: "Ready", Test: testReady, Over: true},
	{Name: "Traffic", Test: testTraffic},
	{Name: "Laziness", Test: testLaziness},
	{Name: "Coherence", Test: testCoherence},
	{Name: "InPlace", Test: testInPlace, Over: true},
	{Name: "Aliasing", Test: testAliasing, Over: true},
	{Name: "Combined", Test: testCombined, Over: true},
	{Name: "Loop", Test: testLoop},
	{Name: "Errors", Test: testErrors},
	{Name: "Races", Test: testRaces},
	{Name: "Panics", Test: testPanics},
	{Name: "Goroutines", Test: testGoroutines},
	{Name: "Properties", Test: testProperties, Over: true},
}
