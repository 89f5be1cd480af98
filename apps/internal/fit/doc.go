// Package fit has what iterative algorithms with random starts share: the best
// of several starts, iterations whose end is known late, and random numbers
// that depend only on a seed and an index.
//
// Start with best.go.
package fit
