// Package plain minimizes the paper's functional on an axis of frequencies in the plainest way: it
// does what the paper's kernels do, so skelgo compare compares it with them. Every node computes its
// samples, its images and four equations, and the least value is found in the same kernel, so that
// values are not stored. Package frequency takes any signal, and is much faster on many nodes.
//
// Start with [Minimum].
package plain
