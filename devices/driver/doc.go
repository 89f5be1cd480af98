// Package driver is the small interface that every kind of device implements,
// and nothing else: bytes cross it, types stay above it.
//
// # A new kind of device
//
// It implements Driver, Device, Buffer, Kernel and Event, passes
// drivertest.Run, and is added to the list in package devices. It has one
// in-order queue for each device; it takes calls from many goroutines; it
// copies the arguments of a launch before Launch returns; its errors say what
// was called and what the library answered, and an Alloc that finds no room
// wraps ErrMemory. Nothing in it panics, prints or ends the program, and a
// library that is not installed is no error: Devices gives none, and Missing
// says why.
//
// A device either compiles Program.C, with its own prelude before it, or is
// native and runs Program.Go. What else it can do it says by implementing the
// interfaces in abilities.go.
//
// # Checked mode
//
// With Program.Checked the C is built with SKEL_CHECK defined. The first
// argument of its launches is then a buffer of 24 zero bytes, in which device
// code reports the first mistake it makes: its kind and place as 32-bit words,
// index and bound as 64-bit ones.
//
// # Where to start reading
//
// driver.go is the interface; mem.go holds the conversions between typed
// memory and bytes.
package driver
