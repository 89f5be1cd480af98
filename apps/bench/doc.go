// Package bench is the command skelgo bench: it measures the skeletons and the
// applications against yardsticks that are believed to be optimal. On NVIDIA GPUs
// these are the device copy, CUB, cuBLAS, PyTorch and a program in CUDA C++. On the
// CPU, and on CPUs that run OpenCL, they are written by hand: a goroutine for each
// core with a plain loop over its part, and kernels. They are called hand, hand4
// (Go with four partial sums) and hand16 (OpenCL with vectors of 16).
//
// Package benchmark says what a row is and how it is measured; here are the rows of
// the skeletons, and applications add theirs. The minimum time of a row is the time
// in which the device copy moves as many bytes as the row must.
//
// With --scaling several devices are measured against the first of them, and so are
// the copies with which a container changes its distribution (scaling.go).
//
// Start with cmd.go. elementwise.go, stencil.go, reduce.go, scan.go, wavefront.go,
// calls.go, recording.go, start.go, transfer.go and opencl_rows.go make the rows;
// functions.go and inputs.go have their functions and inputs; reference.go checks
// results. handwritten*.go are the hand-written loops and kernels. yardsticks.go
// starts the yardsticks that are other programs: yardstick/yardstick.cu, built with
// nvcc when it is needed, and yardstick/kmeans_torch.py. print.go and plot.go show
// the results.
package bench
