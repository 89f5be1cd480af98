// Package sobel finds edges in grey images. The hand-written OpenCL version is in
// baseline.
package sobel
