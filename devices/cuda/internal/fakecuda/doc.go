// Package fakecuda replaces libcuda and NVRTC in tests, so that the driver's
// own code runs on a machine without a GPU.
//
// As a test chooses, streams execute commands at once or only when something
// waits for them, so that a missing dependency between two streams produces
// wrong data. Device memory and pinned memory are checked at every use. Every
// call is counted, and any call can be made to fail.
//
// fake.go implements the calls; sim.go the streams and the memory; code.go the
// compiler and the kernels, which are written in Go.
package fakecuda
