// Package saxpy computes y = a*x + y, the usual first kernel. The same written
// directly on OpenCL is in baseline.
package saxpy
