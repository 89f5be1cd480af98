// Package gputest runs the suite of package skeltest with the kernels for GPUs on machines
// that have no GPU: on a device that emulates CUDA (emulated_test.go), and on an OpenCL CPU
// device that claims to be a GPU (gpushape_test.go). It is a package of its own so that go test
// runs it in parallel with the tests of package skel.
package gputest
