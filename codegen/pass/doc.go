// Package pass finds out what package skel wants to know of a function before it writes a
// kernel, and changes functions for one. Each pass is a file; copy.go and effects.go are
// what several need. Passes that need functions as lower writes them are tested there, and
// FindRuns by the C of package emit.
//
// These run when a program is generated, in the order of List (pass.go), with ir.Verify
// after each:
//
//	Twice        the function for two elements at once (twice.go)
//	Exact        operators that may fold elements in any order (exact.go)
//	Own          views that are accessed only at the element's own place (own.go)
//	Share        calls that neighbouring elements have in common (share.go)
//	FindRuns     elements that can be read together (runs.go, multiple.go)
//
// These are asked when a kernel is written:
//
//	Cost         the operations of a call (cost.go)
//	Short        the loops that a kernel unrolls, given extents of views (short.go)
//	Extents      the extents that may be worth a constant (extents.go)
//	MultiplyAdd  whether a function is a fused multiply-add (multiplyadd.go)
//	Never        a program in which one function returns false (never.go)
//
// To add a pass, write a file with one exported function and its test, and a line in List if
// every program takes it. A pass that changes a program says so.
package pass
