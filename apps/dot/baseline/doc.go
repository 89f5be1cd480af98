// Package baseline is the dot product written directly on OpenCL, with the
// raw calls of devices/opencl/cl, to compare package dot with.
package baseline
