package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

// ErrNoLibrary is wrapped by the error of Init if the machine has no MPI library.
var ErrNoLibrary = dl.ErrMissing

// library is an MPI library and its functions.
type library struct {
	*dl.Library
	family  family // anyFamily: its version says which
	abi     abi
	version string // "Open MPI v4.1.4"

	getLibraryVersion, abiGetVersion                *dl.Func
	initialized, finalized, initThread, queryThread *dl.Func
	finalize, abort, errorString                    *dl.Func
	commRank, commSize, commDup, commFree           *dl.Func
	commSplitType, commSetErrhandler                *dl.Func
	send, recv, isend, irecv, wait, test, getCount  *dl.Func
	bcast, allgather, barrier                       *dl.Func
	ibcast, ibarrier, cancel                        *dl.Func
}

func newLibrary(f family, title string, names ...string) *library {
	l := &library{family: f, Library: &dl.Library{Title: title, Names: func() []string { return names }}}
	for name, fn := range map[string]**dl.Func{
		"MPI_Get_library_version": &l.getLibraryVersion,
		"MPI_Initialized":         &l.initialized, "MPI_Finalized": &l.finalized,
		"MPI_Init_thread": &l.initThread, "MPI_Query_thread": &l.queryThread,
		"MPI_Finalize": &l.finalize, "MPI_Abort": &l.abort, "MPI_Error_string": &l.errorString,
		"MPI_Comm_rank": &l.commRank, "MPI_Comm_size": &l.commSize,
		"MPI_Comm_dup": &l.commDup, "MPI_Comm_free": &l.commFree,
		"MPI_Comm_split_type": &l.commSplitType, "MPI_Comm_set_errhandler": &l.commSetErrhandler,
		"MPI_Send": &l.send, "MPI_Recv": &l.recv, "MPI_Isend": &l.isend, "MPI_Irecv": &l.irecv,
		"MPI_Wait": &l.wait, "MPI_Test": &l.test, "MPI_Get_count": &l.getCount,
		"MPI_Bcast": &l.bcast, "MPI_Allgather": &l.allgather, "MPI_Barrier": &l.barrier,
		"MPI_Ibcast": &l.ibcast, "MPI_Ibarrier": &l.ibarrier, "MPI_Cancel": &l.cancel,
	} {
		*fn = l.Func(name)
	}
	l.abiGetVersion = l.Optional("MPI_Abi_get_version")
	return l
}

// libraries returns the libraries to try, in order.
func libraries() []*library {
	if runtime.GOOS == "darwin" {
		return []*library{
			newLibrary(anyFamily, "the MPI library with the standard's interface",
				"libmpi_abi.1.dylib", "libmpi_abi.dylib"),
			newLibrary(openMPI, "the library of Open MPI", "libmpi.40.dylib"),
			newLibrary(mpich, "the library of MPICH", "libmpi.12.dylib", "libpmpi.12.dylib"),
		}
	}
	return []*library{
		newLibrary(anyFamily, "the MPI library with the standard's interface",
			"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"),
		newLibrary(openMPI, "the library of Open MPI", "libmpi.so.40"),
		newLibrary(mpich, "the library of MPICH", "libmpich.so.12", "libmpi.so.12"),
	}
}

// choose opens the first library that belongs to the launcher, or the first there
// is if there is no launcher.
func choose(by Launcher, launched bool) (*library, error) {
	var others, tried []string // libraries of other families, and names of those that are not here
	var broken []error
	for _, l := range libraries() {
		if err := l.open(); errors.Is(err, ErrNoLibrary) {
			tried = append(tried, l.Names()...)
			continue
		} else if err != nil {
			broken = append(broken, err)
			continue
		}
		if !launched || by.family == anyFamily || l.family == anyFamily || l.family == by.family {
			return l, l.Share()
		}
		others = append(others, fmt.Sprintf("%s (%s)", l.version, l.Path()))
	}
	install := "install openmpi-bin, or mpich, or the library that your cluster offers"
	switch by.family {
	case openMPI:
		install = "install the library of Open MPI (libmpi.so.40; on Debian libopenmpi3), or use the library's mpirun"
	case mpich:
		install = "install the library of MPICH (libmpich.so.12; on Debian libmpich12), or use the library's mpirun"
	case anyFamily:
	}
	if len(others) > 0 {
		err := fmt.Errorf("mpi: this process was started by %v, but the MPI library is %s: %s",
			by, strings.Join(others, " or "), install)
		return nil, errors.Join(append(broken, err)...)
	}
	if len(broken) > 0 {
		return nil, errors.Join(broken...)
	}
	start := ""
	if launched {
		start = fmt.Sprintf("this process was started by %v, but ", by)
	}
	return nil, fmt.Errorf("mpi: %san MPI library was %w (tried %s): %s",
		start, ErrNoLibrary, strings.Join(tried, ", "), install)
}

// open loads the library and finds out what it is. It does not start MPI.
func (l *library) open() error {
	err := l.Load()
	if err != nil && !errors.Is(err, ErrNoLibrary) {
		err = fmt.Errorf("mpi: %w", err)
	}
	if err != nil {
		return err
	}
	switch l.family {
	case openMPI:
		l.abi, err = abiOfOpenMPI(l)
	case mpich:
		l.abi = abiOfMPICH
	case anyFamily:
		l.abi, err = abiOfMPI5, l.checkABI()
	}
	if err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	text, n := make([]byte, 8192), new(int32) // MPI_MAX_LIBRARY_VERSION_STRING is at most this
	r := l.getLibraryVersion.Call(uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(n)))
	if r != 0 {
		return fmt.Errorf("mpi: MPI_Get_library_version of %s fails with code %d", l.Path(), r)
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	l.version = shortVersion(string(text))
	if l.family == anyFamily {
		l.family = familyOf(string(text))
	}
	return nil
}

// checkABI checks the version of the standard's interface that a library has.
func (l *library) checkABI() error {
	if !l.abiGetVersion.Present() {
		return fmt.Errorf("%s (%s) is too old: MPI_Abi_get_version is missing", l.Title, l.Path())
	}
	major, minor := new(int32), new(int32)
	r := l.abiGetVersion.Call(uintptr(unsafe.Pointer(major)), uintptr(unsafe.Pointer(minor)))
	if r != 0 || *major != 1 {
		return fmt.Errorf("%s (%s) has version %d.%d of the interface, not 1", l.Title, l.Path(), *major, *minor)
	}
	return nil
}

// familyOf finds the project of a library in the text of MPI_Get_library_version.
func familyOf(version string) family {
	switch {
	case strings.Contains(version, "Open MPI"):
		return openMPI
	case strings.Contains(version, "MPICH"), strings.Contains(version, "Intel"), strings.Contains(version, "MVAPICH"):
		return mpich
	}
	return anyFamily
}

// shortVersion returns the part of a version that names the library: "Open MPI
// v4.1.4" or "MPICH 4.0.2".
func shortVersion(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, ",")
	name, version, ok := strings.Cut(line, "Version:")
	if ok {
		return strings.TrimSpace(name) + " " + strings.TrimSpace(version)
	}
	return strings.TrimSpace(line)
}
