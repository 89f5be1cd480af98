// Package devices finds the devices of this machine and wraps them in what
// containers and skeletons need. It stands between the drivers, which move
// bytes, and the packages that know types.
//
// # Which device
//
// Get takes a specification such as "cpu", "opencl:0" or "cuda:0-3" and gives
// the devices it names, or a NotFoundError that says what there is and why the
// rest is missing; it never gives another device than was asked for. List
// gives all. Default is what containers use when they are told nothing: what
// SKEL_DEVICE names, or the first GPU, or the CPU. A driver is opened when
// something asks for it, so a program that runs on "cpu" never loads OpenCL.
//
// # Memory
//
// Device.Alloc gives a Buffer. Freed buffers go to a pool, which keeps at most
// an eighth of the device's memory, gives it all back before an allocation
// fails, and is emptied by Close. The error is then a MemoryError: how much was
// asked for, how much there is. Buffers are freed by hand; the containers above
// have the garbage collector do it for those who forget, and the pool asks for a
// collection when the bytes in use have doubled since the last one or grown by a
// twelfth of the memory. Using a freed buffer panics.
//
// # Kernels
//
// Device.Launch takes a kernel in every form that a device may want. A native
// device, the CPU, runs the Go function at once. Others build the C text, once
// for each Launch.Key, and enqueue it; work runs in the order in which it was
// enqueued, and Read and Sync wait. Built kernels are kept on disk in the
// directory skelgo of os.UserCacheDir, 256 MiB at most, the least recently used
// going first. SKEL_CACHE is the absolute path of another directory, or "off".
//
// # Looking inside
//
//   - Device.Stats and TotalStats count transfers, bytes, launches, builds,
//     memory and time.
//   - OnBuild reports when a kernel is being compiled, which can take seconds.
//   - SKEL_TRACE=file.json writes all of it as a Chrome trace, which Perfetto
//     (ui.perfetto.dev) shows.
//   - SKEL_CHECK=1 turns on checked mode: a bad index, a division by zero, a
//     negative shift or a call of panic in a user's function becomes a
//     CheckError with the line of the Go source, and a panic about a freed
//     buffer tells where it was allocated. On the CPU device a CheckError needs
//     no checked mode.
//
// A variable whose value is not understood, such as SKEL_CHECK=yes, is an error of
// Get, List and Default, and so of the first container.
//
// # Where to start reading
//
// device.go has Launch; buffer.go and pool.go are the memory; kernels.go and
// diskcache.go the two caches; list.go and spec.go find devices. Package driver
// is what a new kind of device implements.
package devices
