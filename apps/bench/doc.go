// Package bench measures the skeletons against what one writes by hand: on the
// CPU device a goroutine for each core with a plain loop over its part, on
// OpenCL kernels written for the device that the figures are about, PoCL.
//
// The data stay where they are; what is timed is one call and the wait for
// its end. The same cases are Go benchmarks,
//
//	go test ./apps/bench -bench . -elements 67108864
//
// and the program figures runs them in turn, A B A B, in one process, and
// prints the tables of docs/performance.md.
//
// The ways by hand are called hand, hand4 (Go, four sums under way at a time)
// and hand16 (OpenCL, in vectors of 16).
//
// Start with case.go; skelgo.go, hand.go and raw.go are the three ways to
// write each case.
package bench
