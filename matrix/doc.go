// Package matrix provides two-dimensional containers that live on devices.
//
// A [Matrix] is a row-major vector.Vector with a shape. Results, transfers and errors
// work as package vector describes. An [IndexMatrix] holds the positions of a grid, and
// a [Repeated] repeats a vector as rows or columns; neither takes memory. User functions
// read a matrix through a [View], write it through an [OutView], and receive a [Window]
// from a stencil.
//
// [Matrix.Vector] returns the elements as a vector, whose methods also apply to the
// matrix: Distribution, HostRange, Write, CopyFrom, Memory and OutMemory.
//
// Package dense converts from and to the matrices of gonum. Start with matrix.go.
package matrix
