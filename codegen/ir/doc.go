// Package ir is the small typed language between Go and the C subset: a list of
// functions, each a tree of statements and expressions in which every meaning
// that differs between Go and C is explicit. Package lower writes it, package
// pass examines and changes it, Verify checks it, and package emit prints it in
// C. Encode and Decode turn a program into a string of bytes and back.
//
// These rules hold for every verified program: functions precede their callers,
// so there is no recursion; the operands of an arithmetic operation have the
// same type; an expression calls at most one function with side effects, so its
// order of evaluation does not matter; a variable is declared once, in a block
// that encloses its uses; names of locals do not shadow each other.
//
// Start with program.go, then expr.go and stmt.go. code.go describes how programs are encoded.
package ir
