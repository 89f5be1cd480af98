// Package baseline is saxpy written directly on OpenCL, with the raw calls of
// devices/opencl/cl, to compare package saxpy with.
package baseline
