// Package mandelbrot computes images of the Mandelbrot set. The hand-written OpenCL
// version is in baseline.
package mandelbrot
