// Package grayscott simulates the reaction of two chemicals that diffuse over a
// plate, by the model of Gray and Scott [1]: with small changes of two rates,
// spots, stripes and spirals appear [2].
//
// grayscott.go is the algorithm, cmd.go the command, compare.go describes the
// hand-written OpenCL version in folder baseline, and bench.go has the rows of
// skelgo bench. docs/CONTRIBUTING.md shows this package as the example of a new
// application.
//
//   - [1] P. Gray, S. K. Scott, Chem. Eng. Sci. 39 (1984), 1087-1097
//   - [2] J. E. Pearson, Complex patterns in a simple system, Science 261 (1993), 189-192
package grayscott
