// Package registry is the run-time table from a Go function to its device
// form. Generated files (zkernels.go) fill it from init; package skel reads
// it. It imports the standard library only, so that a user's binary never
// holds the compiler.
package registry
