// Package cuda is the driver of NVIDIA GPUs. It uses CUDA without cgo or
// headers, and without a C compiler on the machine that builds the program. It
// implements the interfaces of package driver on the raw calls of package cu.
//
// cuda.go finds the devices; device.go implements a device with its context and
// streams; memory.go and buffer.go manage its memory; build.go builds kernels
// from C text (prelude.cu precedes every program and maps the shared C subset
// to CUDA C); kernel.go launches them; and record.go records sequences as
// graphs.
//
// # Order and transfers
//
// A device has one in-order queue, a stream, for launches, copies and transfers
// of up to 64 KiB. Longer transfers run in other streams through pinned memory,
// in pieces, and overlap with work on other buffers (order.go, staging.go).
// Write returns when the data has left the Go slice, and Read when it has
// arrived there. Go memory is never pinned.
//
// A short copy from another device is a kernel in the queue of the target, if
// that can read the other device's memory (peercopy.go). Only work of the other
// device that may write what is copied waits for it, so launches say what they
// only read (driver.Arg.Reads).
//
// # Cost of calls
//
// A launch, a wait, and the replay of a recording of any length take one call
// of libcuda each, and a short read takes two; calls_test.go counts them. CUDA
// performs the waits, with spinning threads, unless they turn out to be long
// (order.go).
//
// # Libraries
//
// libcuda comes with the NVIDIA driver; without it there are no devices. NVRTC,
// the compiler, comes with the CUDA toolkit and is opened when the first
// program without a binary is built: kernels that are cached on disk do not
// need it.
//
// # Failing kernels
//
// A kernel that accesses invalid memory breaks its context: from then on every
// call returns the same error, which says so, until the process ends.
package cuda
