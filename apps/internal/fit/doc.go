// Package fit helps to write iterative algorithms with random starts. It chooses the best
// of several starts, iterates without waiting for the devices after each step, and draws
// random numbers that depend only on a seed and an index.
//
// Start with best.go.
package fit
