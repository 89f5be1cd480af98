// Package dot is the dot product: the smallest program of skelgo, and the
// first in the comparison with raw OpenCL. The same written directly on OpenCL
// is in baseline.
package dot
