// Package ir is the small typed language between Go and the C subset: a list
// of functions, each a tree of statements and expressions in which every
// meaning that differs between Go and C has been made explicit. lower writes
// it, FindRuns marks what may be read together, Verify checks it, emit prints
// it.
//
// Rules that hold for every verified program: functions come before their
// callers, so there is no recursion; operands of an arithmetic operation have
// one and the same type; an expression calls at most one function with side
// effects, so that its order of evaluation does not matter; a variable is
// declared once, in a block that encloses its uses; names of locals do not
// shadow each other.
//
// Start with program.go, then expr.go and stmt.go.
package ir
