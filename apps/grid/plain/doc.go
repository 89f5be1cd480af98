// Package plain minimizes Schwefel's function on a grid of two axes in the plainest way: it does what
// the paper's kernels do, so skelgo compare compares it with them. Every node computes its coordinates
// and both terms of the function, and the least value is found in the same kernel, so that values are
// not stored. Package grid takes any function and any axes, and computes what depends on one
// coordinate only once.
//
// Start with [Schwefel].
package plain
