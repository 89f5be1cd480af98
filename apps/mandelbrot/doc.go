// Package mandelbrot computes images of the Mandelbrot set. The same written
// directly on OpenCL is in baseline.
package mandelbrot
