// Package baseline is the product of matrices written directly on OpenCL, with the
// raw calls of devices/opencl/cl, to compare package matmul with.
package baseline
