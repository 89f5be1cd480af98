// Package codegen translates the Go functions that a program passes to
// skeletons to their device forms. Two commands are built on it: skelgen writes
// zkernels.go, and skelvet reports what cannot be translated.
//
// A function passes through these steps:
//
//	Load       loads the packages, type-checked as if no generated file existed (load.go)
//	find       follows every value that reaches skel.New... back to its function (flow.go, find.go)
//	marked     adds the functions that comments mark (marks.go)
//	lower      translates Go syntax to a small typed ir, whose names tell functions and
//	           types apart (package lower, identity.go)
//	passes     notes in ir what was found out about it (pass.List)
//	code       encodes ir as a string (ir.Encode)
//	loops      writes Go range loops for the CPU device, with a direct call (loops.go, fold.go)
//	           or with the function's text instead of a call (inline.go, heldextra.go)
//	uses       lists the declarations that it depends on, and their sums (uses.go, sources.go)
//	Files      writes one zkernels.go for each package, and one for its tests (file.go, expect.go)
//
// Package registry is the run-time side: generated files fill it, and package
// skel reads it. When a function is first used, its ir is decoded and printed in the
// C subset that OpenCL and CUDA share (package emit); for a kernel, skel asks more of the
// ir or changes it (package pass). Package fuzz compares the two forms of random programs and of
// the standard library; package moduletest tests all of it from another module.
package codegen
