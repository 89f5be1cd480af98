// Package bench is `skelgo bench`: it measures the skeletons, and k-means,
// against what is said to be as fast as a device can be. On NVIDIA's GPUs that
// is the device copy, CUB, cuBLAS, PyTorch and a program in CUDA C++, on the
// CPU and on CPUs that run OpenCL what one writes by hand: a goroutine for each
// core with a plain loop over its part, and kernels.
//
// A row of its table is one thing to measure. Its result is checked against
// the host's arithmetic in whole numbers first; then it and its yardsticks are
// measured in turn, A B A B, so that what slows the machine down slows all of
// them. The floor is the time in which the device copy moves as many bytes as
// the row must. Inputs are random and made on the device.
//
// With --scaling several devices are measured against the first of them, and so
// are the copies with which a container changes its distribution (scaling.go).
//
// The ways by hand are called hand, hand4 (Go, four sums under way at a time)
// and hand16 (OpenCL, in vectors of 16).
//
// Start with row.go, what a row is, and session.go, how it is measured.
// elementwise.go, stencil.go, reduce.go, scan.go, matmul.go, small.go, loop.go, start.go,
// transfer.go, cross.go and cloud.go make the rows; functions.go and inputs.go are what they
// run, and on what; reference.go checks. outside.go starts the yardsticks that
// are other programs: yardstick/yardstick.cu, built by nvcc when it is needed,
// and yardstick/kmeans_torch.py. result.go compares, print.go and plot.go show.
package bench
