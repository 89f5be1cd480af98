// Package dot is the dot product: the smallest program of skelgo, and the first in
// the comparison with hand-written OpenCL, which is in baseline.
package dot
