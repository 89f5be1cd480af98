// Package dl opens a C library at run time and calls its functions without cgo.
// Packages cu and mpi are built on it, and tests use it to replace libcuda and
// NVRTC by a fake.
//
// library.go finds the library and its functions, func.go calls them.
package dl
