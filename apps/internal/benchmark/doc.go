// Package benchmark measures rows. A [Row] is one thing to measure, together with the
// yardsticks that it is compared with and the goals for its speed.
//
// Package bench has the rows of the skeletons and the command skelgo bench; an
// application returns its rows from App.Rows. A row opens a [Case] on the device of a
// [Suite]. The suite first checks the result of the case and then measures the case and
// its yardsticks alternately, so that what slows the machine down slows all of them.
//
// Inputs are random functions of the index. The device computes them into its memory,
// and the host computes them again for its reference (random.go, reference.go).
//
// Start with row.go.
package benchmark
