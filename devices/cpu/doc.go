// Package cpu is the driver of the machine's own processor. It runs the Go
// form of a program, its groups handed out to as many goroutines as GOMAXPROCS
// allows; device memory is ordinary memory, so nothing is copied to reach it.
// Floating-point results are what plain Go gives, because it is plain Go.
//
// Every call is finished when it returns. Calls of different goroutines may run
// at the same time: the order of the queue is that of calls that happen one
// after the other.
//
// run.go hands out groups; panic.go turns a panic into an error with the place
// in the user's source; memory.go and memory_mmap.go are where buffers come
// from.
package cpu
