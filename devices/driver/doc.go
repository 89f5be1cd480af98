// Package driver defines the small interface that every kind of device
// implements. Drivers handle bytes; the packages above them know types.
//
// # A new kind of device
//
// A driver implements Driver, Device, Buffer, Kernel and Event, passes
// drivertest.Run, and is added to the list in package devices. It has one
// in-order queue for each device, accepts calls from many goroutines, and
// copies the arguments of a launch before Launch returns. Its errors name the
// call and the library's answer, and an Alloc without enough memory wraps
// ErrMemory. A driver never panics, prints or exits. A library that is not
// installed is not an error: Devices returns no devices, and Missing says why.
//
// A device either compiles Program.C, preceded by its own prelude, or is native
// and runs Program.Go. It announces optional abilities by implementing the
// interfaces in abilities.go.
//
// # Checked mode
//
// If Program.Checked is set, the C text is built with SKEL_CHECK defined. The
// first argument of its launches is then a buffer of 24 zero bytes, to which
// device code reports its first error: kind and site as 32-bit words, index and
// bound as 64-bit words.
//
// # Where to start reading
//
// driver.go defines the interface; mem.go converts between typed memory and
// bytes.
package driver
