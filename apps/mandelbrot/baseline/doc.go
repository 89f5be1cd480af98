// Package baseline is the Mandelbrot image written directly on OpenCL, with the
// raw calls of devices/opencl/cl, to compare package mandelbrot with.
package baseline
