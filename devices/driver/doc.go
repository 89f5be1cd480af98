// Package driver is the small interface that every kind of device implements,
// and nothing else: bytes cross it, types stay above it. A new kind of device
// implements Driver, Device, Buffer, Kernel and Event, passes
// drivertest.Run, and is added to the list in package devices.
//
// Start with driver.go; mem.go holds the conversions between typed memory and
// bytes.
package driver
