// Package saxpy computes y = a*x + y, the usual first kernel. The hand-written
// OpenCL version is in baseline.
package saxpy
