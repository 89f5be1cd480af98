// Package emit prints ir in the C subset that OpenCL C 1.2 and CUDA C share.
// prelude.md lists the names that the preludes must define.
//
// Start with emit.go, then stmt.go and expr.go.
package emit
