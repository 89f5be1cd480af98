// Package matmul multiplies matrices. The same written directly on OpenCL is in
// baseline.
package matmul
