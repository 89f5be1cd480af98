// Package opencl is the driver of OpenCL devices: any device of any platform
// that the loader finds, if it has OpenCL 1.2, a compiler and 64-bit addresses.
// It implements the interfaces of package driver on the raw calls of package
// cl.
//
// opencl.go finds the devices; device.go implements a device with its queue and
// memory; build.go builds kernels from C text (prelude.cl precedes every
// program and maps the shared C subset to OpenCL C); kernel.go launches them;
// and event.go tracks unfinished commands.
//
// # Devices
//
// Devices are numbered in the order of the loader: opencl:0 is the first device
// of the first platform. The devices of one platform share a context. Each has
// one in-order queue with profiling, so kernels, copies and transfers run in
// the order in which they were enqueued, and their times are known.
//
// # Transfers
//
// Write and Read return before the data has moved; their events are done when
// it has. Until then the host memory is pinned. If nothing waits for an event,
// Sync, Close or a later enqueue does.
//
// # Kernels on disk
//
// Kernels implement driver.Binary. Binaries carry a checksum, so that Build
// returns an error for a damaged one: some OpenCL implementations crash on it.
package opencl
