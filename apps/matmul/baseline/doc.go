// Package baseline is the matrix product written directly on OpenCL, with the raw calls
// of devices/opencl/cl, for comparison with package matmul.
package baseline
