// Package fuzz generates random programs in the subset and checks that Go and
// an OpenCL device compute bit-identical results with them: integers, and
// float32 and float64 with + - * / and sqrt. All NaNs are equal.
//
// A Program is one function with its helpers, types and extra argument (gen.go,
// stmt.go, expr.go, type.go). A Batch combines many programs in one Go package,
// which is built and run once, and one OpenCL program (batch.go). Run compares
// the two (run.go).
//
// The OpenCL program calls the functions from skel/kernels/map.cl, the kernel
// of Map and Zip on CPUs, with numbers of elements just below, at and above
// every vector width and the size of a work-item's chunk (layout.go). Two
// programs in five are short and have no loops, so that the compiler can
// vectorize them; many have local arrays whose elements are written at computed
// indices.
//
// go test ./codegen/fuzz runs 100 programs. SKEL_FUZZ=10000 sets the number of
// programs, and SKEL_FUZZ_SEED the first seed. A failure prints the seed, the
// program, its C text and the arguments.
package fuzz
