// Package pass finds out what package skel wants to know of a function before it writes a
// kernel, and changes functions for one: each file has one pass over ir.
//
//	Short        the loops that a kernel unrolls, given extents of views (short.go)
//	Extents      the extents that may be worth a constant (extents.go)
//	MultiplyAdd  whether a function is a fused multiply-add (multiplyadd.go)
//	Never        a program in which one function returns false (never.go)
//
// To add a pass, write a file with one exported function and its test; nothing has to be
// registered. A pass that changes a program returns a new one, because others share the old
// one, and its test runs ir.Verify on it.
package pass
