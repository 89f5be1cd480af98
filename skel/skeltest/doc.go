// Package skeltest is the conformance suite of the skeletons: [Run] puts one
// device through every form of Map, Zip, Reduce and Scan and compares the
// results with plain Go, bit for bit.
//
// reference.go is the order contract of package skel written as naively as
// possible; [Reduce], [Scan] and the others are exported because a test of an
// application can use them too. The files that end in _functions.go hold the
// user functions, whose device forms are in zkernels.go; every other file
// holds the tests of one subject, and its test function is listed in run.go.
package skeltest

//go:generate go tool skelgen
