// Package codegen turns the Go functions that a program hands to skeletons
// into their device form. It is the work behind two commands, which live
// below it: skelgen writes zkernels.go, skelvet reports what cannot be
// translated.
//
// The way of a function through it:
//
//	Load       the packages, type-checked as if no generated file existed (load.go)
//	find       follows every value that reaches skel.New... to the function it is (flow.go, find.go)
//	lower      Go syntax to a small typed ir (package lower)
//	emit       ir to the C subset that OpenCL and CUDA share (package emit)
//	loops      Go range loops with a direct call, for the CPU device (loops.go, fold.go),
//	           or with the function's text in place of a call (inline.go, held.go)
//	uses       the declarations that it was made from, and their sums (uses.go, sources.go)
//	Files      one zkernels.go a package, and one for its tests (file.go, expect.go)
//
// Package registry is the run-time side: generated files fill it, package
// skel reads it. Package fuzz compares the two forms of random programs, and of
// the standard library; package moduletest uses all of it from another module.
package codegen
