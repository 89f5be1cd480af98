// Package benchmark measures rows: a row is one thing to measure, with the
// yardsticks that it is compared with and goals for its speed.
//
// Package bench has the rows of the skeletons and the command skelgo bench; an
// application returns its rows from App.Rows. A row opens a [Case] on the
// device of a [Suite]. The suite checks the result of the case first and then
// measures the case and its yardsticks alternately, so that what slows the
// machine down slows all of them.
//
// Inputs are random and a function of the index: the device computes them into
// memory, and the host computes them again for its reference (random.go,
// reference.go).
//
// Start with row.go.
package benchmark
