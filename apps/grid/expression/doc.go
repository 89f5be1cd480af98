// Package expression reads formulas such as (x-1)^2 + sin(y), and evaluates them.
//
// [Parse] returns a [Program], a list of operations in which equal parts of the formula occur once.
// [Program.Eval] evaluates it for many arguments at once on the host. Package grid translates it for
// devices.
//
// Numbers are float64. A formula consists of numbers, the constants pi and e, variables, + - * / and
// ^ for powers, parentheses, and the functions in functions.go. The variables are x1 to x8, of which
// the first four are also called x, y, z and w. The operators have their usual precedence: ^ binds
// more tightly than a sign before it and associates to the right, so -x^2 is -(x^2) and x^y^z is
// x^(y^z).
//
// A power with a constant integer exponent of magnitude up to 64 is computed by multiplications:
// x^3 is (x*x)*x. All functions are those of math64, so results are bit-identical everywhere.
//
// Start with parse.go.
package expression
