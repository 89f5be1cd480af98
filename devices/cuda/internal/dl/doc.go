// Package dl opens a C library when the program runs and calls its functions,
// without cgo. It is what package cu is built on, and the one place where tests
// put a fake in place of libcuda and NVRTC.
//
// library.go finds the library and its functions, func.go calls them.
package dl
