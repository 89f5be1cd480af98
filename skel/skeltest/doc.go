// Package skeltest is the conformance suite of the skeletons: [Run] puts one
// device through every form of Map, Zip, Reduce, Scan and MapOverlap and compares the
// results with plain Go, bit for bit.
//
// reference.go is the order contract of package skel written as naively as
// possible; [Reduce], [Scan] and the others are exported because a test of an
// application can use them too. operators.go has the operators that most tests
// share. Every other file holds the tests of one subject with the user
// functions that they need; run.go lists the subjects. The functions' device
// forms are in zkernels.go.
//
// A device that compiles spends most of the suite's time on that: with -short
// it builds a third of the kernels.
package skeltest

//go:generate go tool skelgen
