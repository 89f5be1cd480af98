// Package sobel finds edges in grey images. The same written directly on OpenCL
// is in baseline.
package sobel
