// Package baseline is y = a*x + y written directly on OpenCL, with the raw calls
// of devices/opencl/cl, for comparison with package saxpy.
package baseline
