// Package gputest runs the suite of package skeltest with the kernels that GPUs
// get, on machines that have none: on a device that emulates CUDA, and on a
// processor that claims to be a GPU. It is apart from the tests of package skel so
// that both run at the same time.
package gputest
