package mpi

import (
	"fmt"
	"os"
	"strconv"
)

// family is a project whose libraries and launchers belong together.
type family int

const (
	anyFamily family = iota
	openMPI
	mpich // and its relatives: Intel MPI, MVAPICH, Cray MPICH
)

func (f family) String() string { return [...]string{"MPI", "Open MPI", "MPICH"}[f] }

// Launcher describes what started the process, as its environment says.
type Launcher struct {
	Name       string // "mpirun of Open MPI"
	Variable   string // the environment variable that shows it, with its value: "OMPI_COMM_WORLD_SIZE=4"
	Rank, Size int    // the number of this process, and of all processes; -1 if not known

	// LocalRank and LocalSize are Rank and Size among the processes on this machine; -1 if
	// not known.
	LocalRank, LocalSize int

	family family
}

// launchers lists the environments of launchers. The first whose key is set counts:
// a launcher of Open MPI also sets the variable of PMIx, which is not its own.
var launchers = []struct {
	name                             string
	family                           family
	key                              string
	rank, size, localRank, localSize string
}{
	{"mpirun of Open MPI", openMPI, "OMPI_COMM_WORLD_SIZE",
		"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
	{"mpirun of MPICH", mpich, "PMI_SIZE", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
	{"a launcher with PMI", mpich, "PMI_RANK", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""},
	{"a launcher with PMIx", anyFamily, "PMIX_RANK", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""},
}

// Launched returns what started this process to be one of several ranks, and whether
// there is such a launcher. It opens no library.
func Launched() (by Launcher, ok bool) { return launched(os.Getenv) }

func launched(getenv func(string) string) (Launcher, bool) {
	number := func(name string) int {
		if n, err := strconv.Atoi(getenv(name)); err == nil && n >= 0 {
			return n
		}
		return -1
	}
	for _, l := range launchers {
		value := getenv(l.key)
		if value == "" {
			continue
		}
		return Launcher{
			Name: l.name, Variable: l.key + "=" + value, family: l.family,
			Rank: number(l.rank), Size: number(l.size),
			LocalRank: number(l.localRank), LocalSize: number(l.localSize),
		}, true
	}
	return Launcher{Rank: -1, Size: -1, LocalRank: -1, LocalSize: -1}, false
}

// String returns the name and the variable: "mpirun of Open MPI (OMPI_COMM_WORLD_SIZE=4)".
func (l Launcher) String() string { return fmt.Sprintf("%s (%s)", l.Name, l.Variable) }
