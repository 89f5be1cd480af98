// Package opencl drives OpenCL devices: any device of any platform that the
// loader finds and that has OpenCL 1.2, a compiler and 64-bit addresses. It
// implements the interfaces of package driver on the raw calls of package cl.
//
// opencl.go finds the devices, device.go is one of them with its queue and
// memory, build.go makes kernels of C text (prelude.cl comes before every
// program and makes the shared C subset fit OpenCL C), kernel.go launches
// them, and event.go keeps account of what is under way.
//
// # Devices
//
// Devices are numbered as the loader gives them: opencl:0 is the first device
// of the first platform. The devices of one platform share a context. Each has
// one in-order queue with profiling, so kernels, copies and transfers run in
// the order in which they were enqueued and their times are known.
//
// # Transfers
//
// Write and Read return before the bytes have moved; their events are done when
// they have. Until then the memory is pinned. An event that nobody waits for is
// settled by Sync, Close, or the enqueues that follow it.
//
// # Kernels on disk
//
// Kernels implement driver.Binary. What they give carries a checksum, so that a
// damaged one is an error of Build: some OpenCL implementations crash on it.
package opencl
