// Package cpu is the driver of the machine's own processor. It runs the Go form
// of a program and distributes the groups over as many goroutines as GOMAXPROCS
// allows. Device memory is ordinary memory, so nothing is copied to reach it.
// Floating-point results are those of plain Go.
//
// Every call has finished when it returns. Calls from different goroutines may
// run concurrently; only calls that happen one after the other are ordered.
//
// run.go distributes groups; panic.go converts a panic to an error with its
// position in the user's source; memory.go finds out how much memory there is.
package cpu
