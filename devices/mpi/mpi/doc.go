// Package mpi is MPI for Go: the calls that exchange bytes between the processes
// of a parallel program, under their own names, with every call checked. Building
// it needs no cgo, no headers and no MPI: a library is opened at run time, so one
// binary runs under the mpirun of Open MPI, of MPICH and of the libraries that
// share the interface of one of them, and without any.
//
// # The objects
//
// [Launched] says whether a launcher such as mpirun or srun started the process,
// and opens nothing. [Init] opens the library, starts MPI and returns the
// communicator of all processes, a [Comm]. A process is called a rank, after its
// number in a communicator.
//
//	world, err := mpi.Init()
//	defer mpi.Finalize()
//	if world.Rank() == 0 {
//		err = world.Send([]byte("hello"), 1, 0)
//	} else {
//		p := make([]byte, 5)
//		err = world.Recv(p, 0, 0)
//	}
//
// Send, Recv and the collective calls Bcast, Allgather and Barrier wait until the
// memory may be used again. Isend, Irecv, Ibcast and Ibarrier return a [Request] at once.
//
// # Libraries
//
// Three binary interfaces exist: the one that MPI 5 defines (libmpi_abi), that of
// Open MPI (libmpi.so.40), and that of MPICH (libmpich.so.12, or libmpi.so.12 of
// its relatives Intel MPI and MVAPICH). They are tried in this order. A library
// can only talk to the launcher of its own project: with another one, every process
// believes to be alone. Init therefore takes the library that belongs to the
// launcher, and fails, with the names of both, if the machine does not have it.
//
// # Messages
//
// A message is a slice of bytes. Messages from one rank to another with the same
// tag arrive in the order in which they were sent. The receiver must know the
// length: Recv fails if the message is longer or shorter. MPI counts in 32 bits,
// so more than 1 GiB travels in several messages, which callers do not see.
//
// # Threads
//
// If [ThreadMultiple] is true, which it is with every common library, everything
// may be called from many goroutines, except that the collective calls of one
// communicator must be made in the same order on all ranks: goroutines need
// communicators of their own, from [Comm.Dup]. A call that waits keeps a thread of
// the operating system.
//
// # Errors
//
// A failed call returns an [*Error], which has the name of the C function and the
// library's description. An error of MPI itself, such as the loss of a rank,
// usually ends the process: launchers end all ranks if one ends without Finalize.
//
// # Where to start reading
//
// launcher.go looks at the environment, library.go chooses a library, abi.go holds
// what differs between them; comm.go and message.go are the calls.
package mpi
