// Package matmul multiplies matrices. The hand-written OpenCL version is in
// baseline.
package matmul
