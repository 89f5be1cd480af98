// Package baseline finds the boundaries of a diagnostic scale as the paper does that package scale
// follows: it counts the errors of every set of boundaries, on an OpenCL device with the raw calls of
// devices/opencl/cl, and takes the least count. The paper's kernel is in CUDA, and is described but not
// printed. Where it is limited or wrong, this one differs:
//
//   - Boundaries stand between distinct values only. The paper's may stand between objects of equal
//     values, which then count as separated although no boundary separates them.
//   - The values are in global memory. In constant memory there is room for 16,384 only.
//   - A launch counts for some millions of sets, so that any number of sets fits the device's memory.
//
// Start with [Program].
package baseline
