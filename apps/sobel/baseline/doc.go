// Package baseline is the edge filter written directly on OpenCL, with the raw calls
// of devices/opencl/cl, for comparison with package sobel.
package baseline
