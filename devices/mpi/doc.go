// Package mpi makes the devices of all processes of an MPI program devices of each of
// them. mpirun starts the processes, which are called ranks; each runs the same program
// and makes the same calls on the same list of devices.
//
// # Ghosts
//
// A [Device] wraps a device of another driver. On the rank that has it, its owner, it
// forwards the calls. On the other ranks it is a ghost: it has no memory, and its launches,
// writes and copies do nothing, because the owner makes them. Two calls send messages: a
// read, which gives the owner's bytes to all ranks, and a copy between devices of two ranks,
// which is a message from one to the other; NVIDIA GPUs of one machine copy the bytes themselves. So the
// host code of all ranks sees the same values and goes the same way, and containers and skeletons
// need not know of ranks: what runs on several devices runs on several ranks, with the same results.
//
// A ghost of a native device has addresses, because launches make slices of memory, but no
// memory: an access is a fault, with the line that made it.
//
// # Agreement
//
// Ranks that make different calls would wait for each other forever, or take one message for
// another. Therefore a [World] keeps a history: a hash of all calls, and the last of them.
// Each message begins with it, and its receiver compares it with its own before it uses the
// bytes. A [DivergedError] names the first call that differs, on both ranks. A rank that has
// waited for two seconds tells the others where it is, so that ranks that wait for each other
// find the difference, too.
//
// Calls that the garbage collector causes are different on each rank: results that nobody has
// any more are not computed. Those calls are quiet: they are not in the history, and they
// must not need a message.
//
// # Errors
//
// An error that only the owner sees, such as a fault of a kernel or missing memory, is kept
// until the next read, which returns it on all ranks. If the owner has no memory for a buffer,
// [Device.Without] stands for it, and what would use it does not run.
//
// # Goroutines
//
// Goroutines must not use devices at the same time, because ranks could make their calls in
// different orders. A call that meets another one is an error.
//
// # Where to start reading
//
// world.go makes the messages, wait.go waits for them, and history.go compares calls. device.go and
// buffer.go are devices and ghosts, and lane.go copies between GPUs of one machine; join.go finds
// devices, and divides accelerators among the ranks of a machine. Package devices uses this one;
// programs use package devices. Raw calls are in devices/mpi/mpi.
package mpi
