// Package baseline is the dot product written directly on OpenCL, with the raw calls
// of devices/opencl/cl, for comparison with package dot.
package baseline
