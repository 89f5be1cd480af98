// Package grid finds the minimum of a function by evaluating it at every node of a grid.
//
//	schwefel := grid.Builtin("schwefel", 2)
//	axis := grid.Axis{Begin: -500, Step: 1, Count: 1001}
//	result, err := grid.Minimize(ctx, schwefel, grid.Axes{axis, axis}, grid.Options{})
//
// The method is that of V. I. Strokov, "Application of GPUs to the minimization of functionals that
// arise in the estimation of signal parameters by maximum likelihood", Journal of Radio Electronics
// 1/2015 (in Russian): a fine grid finds a global minimum that is narrow and surrounded by noise, where
// an iterative method finds another one. The paper stores the values and then searches them. Here
// nothing is stored: the index of a node, its coordinates, the function and the arg-min are one kernel
// over an index vector, in blocks over all devices, so a grid can have 10^12 nodes.
//
// Of equal values, the one at the lowest position wins. NaNs and infinities lose, and are counted.
// Results are bit-identical on all devices if the function is, which is the case for those that use
// math64 instead of math.
//
// A [Function] is a Go function ([Of]), an expression that is parsed and compiled at run time
// ([Expression]), or one of the functions that optimizers are tested with ([Builtin]).
//
// Start with search.go; node.go has the coordinates of nodes, expression.go the compiler of
// expressions, and formula_runs.go and formula_strided.go what makes them fast on CPUs and on GPUs.
package grid
