// Package cuda drives NVIDIA GPUs through CUDA, without cgo, headers or a
// compiler on the machine that builds the program. It implements the interfaces
// of package driver on the raw calls of package cu.
//
// cuda.go finds the devices, device.go is one of them with its context and
// streams, memory.go and buffer.go are its memory, build.go makes kernels of C
// text (prelude.cu comes before every program and makes the shared C subset fit
// CUDA C), kernel.go launches them, and record.go makes graphs of sequences.
//
// # Order and transfers
//
// A device has one in-order queue, a stream, with launches, copies and transfers
// of up to 64 KiB in it. Longer ones go beside it through pinned memory, piece
// by piece, and overlap with what they have nothing to do with (order.go,
// staging.go). A Write returns when its bytes have left the Go slice, a Read
// when they have arrived there: no memory of Go is ever pinned.
//
// # What calls cost
//
// A launch is one call of libcuda, a wait one more, a short read two, and the
// replay of a recording one, however long that is: calls_test.go counts them.
// Waits are left to CUDA, whose threads spin, unless they turn out to be long
// (order.go).
//
// # Libraries
//
// libcuda comes with the NVIDIA driver; without it there are no devices. NVRTC,
// the compiler, comes with the CUDA toolkit and is opened when the first program
// without a binary is built: with the kernels on disk it is not needed.
//
// # When a kernel fails
//
// A kernel that reads or writes where it must not breaks its context: from then
// on every call gives the same error, which says so, until the process ends.
package cuda
