// Package matrix holds two-dimensional containers that live on devices.
//
// A [Matrix] is a row-major vector.Vector with a shape, and is lazy, keeps
// errors and moves its bytes just as that does. An [IndexMatrix] holds the
// positions of a grid and takes no memory. [View] and [OutView] are what user
// functions read and write.
//
// Start with matrix.go. gonum.go converts from and to gonum's dense matrices.
package matrix
