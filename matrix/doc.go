// Package matrix provides two-dimensional containers that live on devices.
//
// A [Matrix] is a row-major vector.Vector with a shape, and is as lazy and as careful
// with transfers and errors. An [IndexMatrix] holds the positions of a grid and takes
// no memory. User functions read a matrix through a [View], write it through an
// [OutView], and receive a [Window] from a stencil.
//
// Package dense converts from and to the matrices of gonum. Start with matrix.go.
package matrix
