// Package cpu is the driver of the machine's own processor. It runs the Go
// form of a program, its groups handed out to as many goroutines as GOMAXPROCS
// allows; device memory is ordinary memory, so nothing is copied to reach it.
// Floating-point results are what plain Go gives, because it is plain Go.
//
// Every call is finished when it returns; calls of different goroutines may run
// at the same time, and the order of the queue is that of calls that happen one
// after the other. run.go hands out groups and turns a
// panic into an error with the place in the user's source; memory.go is where
// buffers come from.
package cpu
