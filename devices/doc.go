// Package devices finds the devices of this machine and provides what
// containers and skeletons need of them. It lies between the drivers, which
// move bytes, and the packages that know types.
//
// # Which device
//
// Get takes a specification such as "cpu", "opencl:0" or "cuda:0-3" and returns
// the devices that it names, or a NotFoundError that lists the available
// devices and explains why others are missing; it never returns a device that
// was not asked for. List returns all devices. Default returns the device that
// containers use by default: the one that SKEL_DEVICE names, the first GPU, or
// the CPU. A driver is opened when it is first needed, so a program that runs
// on "cpu" never loads OpenCL.
//
// # Memory
//
// Device.Alloc returns a Buffer. Freed buffers go to a pool, which keeps at
// most an eighth of the device's memory. Before an allocation fails, the pool
// releases everything that it keeps; Close empties it as well. The error of a
// failed allocation is a MemoryError, which reports the requested and the
// available size. Buffers are freed explicitly. Containers free theirs in
// finalizers if the program does not, and the pool requests a garbage
// collection when the bytes in use have doubled since the last one or have
// grown by a twelfth of the device's memory. Using a freed buffer panics.
//
// # Kernels
//
// Device.Launch takes a kernel in every form that a device may need. The CPU, a
// native device, runs the Go function at once. Other devices build the C text,
// once for each Launch.Key, and enqueue it. Work runs in the order in which it
// was enqueued; Read and Sync wait for it. Built kernels are cached on disk in
// the directory skelgo of os.UserCacheDir, which holds at most 256 MiB; the
// least recently used kernels are removed first. SKEL_CACHE is the absolute
// path of another directory, in which the cache has its folder skelgo, or "off".
//
// # Several processes
//
// Under mpirun, the devices of all processes are those of the program, with IDs such as
// "1/cuda:0" (docs/ranks.md). All processes must make the same calls: Agree makes them
// decide alike, FromFirst passes standard input on, and Close ends MPI. In PerRank, each
// process makes calls of its own. Package devices/mpi moves the bytes.
//
// # Observing
//
//   - Device.Stats and TotalStats count transfers, bytes, launches, builds,
//     memory and time.
//   - OnBuild reports when a kernel is being compiled, which can take seconds.
//   - SKEL_TRACE=file.json writes all of it as a Chrome trace, which Perfetto
//     (ui.perfetto.dev) shows.
//   - SKEL_DUMP=DIR writes every function that is used, as IR (package
//     codegen/ir) and in C, and the C of every kernel that is built.
//   - SKEL_CHECK=1 turns on checked mode: a bad index, a division by zero, a
//     negative shift or a call of panic in a user's function becomes a
//     CheckError with the line of the Go source, and a panic about a freed
//     buffer reports where it was allocated. So does an element of an out-view
//     that two elements of the input write. On the CPU device only this last
//     CheckError needs checked mode.
//
// A variable with an invalid value, such as SKEL_CHECK=yes, makes Get, List and
// Default fail, and so the creation of the first container.
//
// # Where to start reading
//
// device.go has Launch; buffer.go and pool.go manage memory; kernels.go and
// diskcache.go are the two caches; list.go and spec.go find devices; ranks.go and
// perrank.go join those of several processes. A new kind of device implements the
// interfaces of package driver.
package devices
