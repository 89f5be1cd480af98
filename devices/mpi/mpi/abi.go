package mpi

// abi is what differs between the binary interfaces of MPI libraries: the values of
// constants and whether a handle is a C int or a pointer.
type abi struct {
	intHandles bool // handles are C ints; otherwise they have the size of a pointer

	world, bytes, errorsReturn, noInfo uintptr
	threadMultiple, typeShared         uintptr
	statusSize                         int // bytes of MPI_Status
}

// abiOfMPI5 is the interface that the MPI standard defines since version 5, chapter 20.
var abiOfMPI5 = abi{
	world: 0x101, bytes: 0x247, errorsReturn: 0x142, noInfo: 0x130,
	threadMultiple: 4096, typeShared: 221, statusSize: 32,
}

// abiOfMPICH is that of mpi.h of MPICH, which its relatives keep (the MPICH ABI
// Compatibility Initiative).
var abiOfMPICH = abi{
	intHandles: true,
	world:      0x44000000, bytes: 0x4c00010d, errorsReturn: 0x54000001, noInfo: 0x1c000000,
	threadMultiple: 3, typeShared: 1, statusSize: 20,
}

// abiOfOpenMPI is that of mpi.h of Open MPI 1.10 to 5, whose handles are addresses of
// variables of the library.
func abiOfOpenMPI(l *library) (a abi, err error) {
	a = abi{threadMultiple: 3, typeShared: 0, statusSize: 24}
	for name, handle := range map[string]*uintptr{
		"ompi_mpi_comm_world": &a.world, "ompi_mpi_byte": &a.bytes,
		"ompi_mpi_errors_return": &a.errorsReturn, "ompi_mpi_info_null": &a.noInfo,
	} {
		if *handle, err = l.Symbol(name); err != nil {
			return a, err
		}
	}
	return a, nil
}
