// Package dot computes the dot product of two vectors. It is the smallest application.
// The hand-written OpenCL version is in baseline.
package dot
