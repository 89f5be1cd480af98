// Package ops holds the functions behind the ready operators of package skel,
// such as skel.Sum, for use wherever a skeleton takes a function of two
// elements:
//
//	var product = skel.NewAllPairsOf(ops.Mul[float32], ops.Add[float32], 0)
//
// They have device forms for all predeclared types: a package that only uses them need not
// be generated.
package ops
