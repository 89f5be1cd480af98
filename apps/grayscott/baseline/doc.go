// Package baseline is the Gray-Scott reaction written directly on OpenCL, with the
// raw calls of devices/opencl/cl, for comparison with package grayscott.
package baseline
