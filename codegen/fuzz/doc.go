// Package fuzz makes random programs of the subset and compares what Go and
// an OpenCL device compute with them, bit for bit: integers, and float32 and
// float64 with + - * / and sqrt. Any NaN equals any other.
//
// A Program is one function with its helpers, types and extra argument
// (gen.go, stmt.go, expr.go, type.go). Many are put into a Batch: one Go
// package, which is built and run once, and one OpenCL program (batch.go).
// Run compares the two (run.go).
//
// The OpenCL program calls the functions from skel/kernels/map.cl, the kernel of
// Map and Zip on processors, with numbers of elements on both sides of every width
// of vectors and of a work-item's chunk (layout.go). Two programs in five are short
// and have no loops, so that the compiler can make vectors of them; many have local
// arrays whose elements are written at computed indices.
//
// go test ./codegen/fuzz runs 100 programs; SKEL_FUZZ=10000 sets their
// number, SKEL_FUZZ_SEED where they begin. A failure prints the seed, the
// program, its C and the arguments.
package fuzz
