// Package baseline minimizes functions on grids with the kernels of the paper that package grid
// follows, written directly on OpenCL with the raw calls of devices/opencl/cl, for comparison with
// packages grid and frequency. One kernel stores the values of all nodes, and another finds the
// least of them. The paper's are in CUDA. Where they are wrong, these differ:
//
//   - The paper updates the minimum and its position by two atomic operations, one after the
//     other, so that the position can be that of another block's minimum. Here every work-group
//     writes both, and the host combines them.
//   - It compares by a < b only, so that the result depends on the order if there is a NaN. Here
//     NaNs lose and are counted, and the lowest of several positions wins.
//   - It computes begin + step*i in float32, which moves frequencies by up to 0.03 Hz and gives a
//     wrong minimum in fine steps. Here all numbers are float64.
//   - It has 456000 in one place for 465000, and misses two parentheses.
//
// Start with [Program].
package baseline
