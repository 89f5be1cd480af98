// Package fakecuda stands in for libcuda and NVRTC, so that the driver's own
// code runs on a machine without a GPU, in tests.
//
// Streams keep what is enqueued until somebody waits for it, or do it at once,
// as the test says: so a missing dependency between two of them gives wrong
// bytes. Device memory and pinned memory are checked at every use. Every call is
// counted, and any of them can be made to fail.
//
// fake.go is the calls, sim.go the streams and the memory, code.go the compiler
// and the kernels, which are written in Go.
package fakecuda
