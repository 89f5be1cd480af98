// Package baseline is the Mandelbrot set written directly on OpenCL, with the raw calls
// of devices/opencl/cl, for comparison with package mandelbrot.
package baseline
