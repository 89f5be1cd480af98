// Package baseline is the edge filter written directly on OpenCL, with the raw
// calls of devices/opencl/cl, to compare package sobel with.
package baseline
