// Package bench is the command skelgo bench: it measures the skeletons and the
// applications against yardsticks that are believed to be optimal. On NVIDIA GPUs these
// are the device copy, CUB, cuBLAS, PyTorch, JAX and a program in CUDA C++. On the CPU they are
// plain Go loops, with a goroutine for each core, and on CPUs that run OpenCL hand-written
// kernels. These are called hand, hand4 (Go with four partial sums) and hand16 (OpenCL with
// vectors of 16).
//
// Package benchmark describes how rows are measured. This package has the rows of the
// skeletons, and applications add theirs. The floor of a row is the time in which the
// device copy moves as many bytes as the row must.
//
// With --scaling, the command measures several devices against the first of them, and the
// copies with which a container changes its distribution (scaling.go, scaling_keys.go).
// traffic_test.go counts what a repetition of each row costs on emulated GPUs.
//
// Start with cmd.go. elementwise.go, mathematics.go, mathematics32.go, random.go, stencil.go,
// reduce.go, scan.go, sort.go, sortmerge.go, select.go, histogram.go, wavefront.go, calls.go,
// recording.go, start.go, transfer.go and opencl_rows.go make the rows;
// functions.go and inputs.go have their functions and inputs; reference.go checks
// results. handwritten*.go are the hand-written loops and kernels. yardsticks.go
// starts the yardsticks that are other programs: yardstick/yardstick.cu, built with
// nvcc when it is needed, yardstick/torch.py and yardstick/segment_sum_jax.py.
// print.go and plot.go show the results.
package bench
