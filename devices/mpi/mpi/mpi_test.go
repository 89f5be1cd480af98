package mpi_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/mpi/mpi"
)

// cleanEnv returns the environment without what launchers set, and with more.
func cleanEnv(more ...string) []string {
	var env []string
	for _, s := range os.Environ() {
		name, _, _ := strings.Cut(s, "=")
		launcher := slices.ContainsFunc([]string{"OMPI_", "PMI", "SLURM_", "MPI_"}, func(prefix string) bool {
			return strings.HasPrefix(name, prefix)
		})
		if !launcher && name != "LD_LIBRARY_PATH" {
			env = append(env, s)
		}
	}
	return append(env, more...)
}

func TestLaunched(t *testing.T) {
	for _, c := range []struct {
		env  string
		want string
	}{
		{"", "false  -1 -1 -1 -1"},
		{"SLURM_PROCID=0 SLURM_NTASKS=4", "false  -1 -1 -1 -1"}, // a batch script, not a rank
		{"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 " +
			"OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_RANK=3",
			"true mpirun of Open MPI (OMPI_COMM_WORLD_SIZE=4) 3 4 1 2"},
		{"PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2", "true mpirun of MPICH (PMI_SIZE=2) 1 2 1 2"},
		{"PMI_RANK=1 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=0", "true a launcher with PMI (PMI_RANK=1) 1 8 0 -1"},
		{"PMIX_RANK=5 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1", "true a launcher with PMIx (PMIX_RANK=5) 5 8 1 -1"},
		{"PMIX_RANK=x", "true a launcher with PMIx (PMIX_RANK=x) -1 -1 -1 -1"},
	} {
		env := map[string]string{}
		for _, f := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(f, "=")
			env[name] = value
		}
		l, ok := mpi.LaunchedBy(func(name string) string { return env[name] })
		name := ""
		if ok {
			name = l.String()
		}
		if got := fmt.Sprint(ok, " ", name, " ", l.Rank, l.Size, l.LocalRank, l.LocalSize); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.env, got, c.want)
		}
	}
}

// command returns a command that is ended after a minute.
func command(t *testing.T, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // mpirun ends its ranks
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// fakes compiles a fake library of each interface, and returns their folders.
func fakes(t *testing.T, flags map[string][]string) map[string]string {
	cc, err := exec.LookPath("cc")
	if err != nil {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "openmpi") {
			t.Fatal(err)
		}
		t.Skip("there is no C compiler")
	}
	dirs := map[string]string{}
	for name, f := range flags {
		dir := filepath.Join(t.TempDir(), strings.TrimSuffix(name, filepath.Ext(name)))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		file, _, _ := strings.Cut(name, "+")
		args := append(f, "-shared", "-fPIC", "-O1", "-o", filepath.Join(dir, file), "testdata/fake.c")
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		dirs[name] = dir
	}
	return dirs
}

// TestChoice runs programs with fake libraries, under the environment of launchers.
func TestChoice(t *testing.T) {
	const (
		version = `-DVERSION="MPICH Version:      4.0.2\nMPICH Release date: today"`
		open    = "OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0"
		hydra   = "PMI_SIZE=1 PMI_RANK=0"
	)
	dirs := fakes(t, map[string][]string{
		"libmpi_abi.so.1":        {"-DKIND=5"},
		"libmpi_abi.so.1+mpich":  {"-DKIND=5", version},
		"libmpi_abi.so.1+old":    {"-DKIND=5", "-DOLD"},
		"libmpi.so.40":           {"-DKIND=4"},
		"libmpi.so.40+incorrect": {"-DKIND=3"},
		"libmpich.so.12":         {"-DKIND=3", version},
		"libmpi.so.12":           {"-DKIND=3", `-DVERSION="Intel(R) MPI Library 2021.11 for Linux* OS\n"`},
	})
	hidden := t.TempDir() // files that are no libraries, which hide those of the machine
	for _, name := range strings.Fields(
		"libmpi_abi.so.1 libmpi_abi.so.0 libmpi_abi.so libmpi.so.40 libmpich.so.12 libmpi.so.12") {
		if err := os.WriteFile(filepath.Join(hidden, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		libs string
		env  string
		want string // of the last line of the output, or "error" and parts of the error
	}{
		{"libmpi_abi.so.1 libmpi.so.40 libmpich.so.12", "", "ok with Open MPI v6.0.0 (libmpi_abi.so.1)"},
		{"libmpi_abi.so.1 libmpi.so.40 libmpich.so.12", open, "ok with Open MPI v6.0.0 (libmpi_abi.so.1)"},
		{"libmpi_abi.so.1 libmpi.so.40 libmpich.so.12", hydra, "ok with MPICH 4.0.2 (libmpich.so.12)"},
		{"libmpi_abi.so.1+mpich libmpi.so.40", open, "ok with Open MPI v6.0.0 (libmpi.so.40)"},
		{"libmpi_abi.so.1+mpich libmpi.so.40", "PMIX_RANK=0", "ok with MPICH 4.0.2 (libmpi_abi.so.1)"},
		{"libmpi.so.40 libmpich.so.12", hydra, "ok with MPICH 4.0.2 (libmpich.so.12)"},
		{"libmpi.so.12", hydra, "ok with Intel(R) MPI Library 2021.11 for Linux* OS (libmpi.so.12)"},
		{"libmpi_abi.so.1+old libmpi.so.40", "", "ok with Open MPI v6.0.0 (libmpi.so.40)"},
		{"libmpich.so.12", open, "error|started by mpirun of Open MPI (OMPI_COMM_WORLD_SIZE=1)|" +
			"MPICH 4.0.2 (libmpich.so.12)|libopenmpi3"},
		{"libmpi.so.40", hydra, "error|started by mpirun of MPICH (PMI_SIZE=1)|" +
			"Open MPI v6.0.0 (libmpi.so.40)|libmpich12"},
		{"libmpi_abi.so.1+old", "", "error|libmpi_abi.so.1) is too old: MPI_Abi_get_version is missing"},
		{"libmpi_abi.so.1", "FAKE_ABI=2", "error|version 2.0 of the interface, not 1"},
		{"libmpi.so.40+incorrect", "", "error|libmpi.so.40) has no ompi_"},
		{"libmpi.so.40", "OMPI_COMM_WORLD_SIZE=4 FAKE_SIZE=1",
			"error|as one of 4, but Open MPI v6.0.0 (libmpi.so.40) counts 1"},
		{"", open, "error|started by mpirun of Open MPI (OMPI_COMM_WORLD_SIZE=1), but an MPI library was not found"},
		{"", "", "error|mpi: an MPI library was not found (tried libmpi_abi.so.1"},
	} {
		t.Run(c.libs+" "+c.env, func(t *testing.T) {
			var path []string
			for _, name := range strings.Fields(c.libs) {
				path = append(path, dirs[name])
			}
			path = append(path, hidden)
			env := append(strings.Fields(c.env), programVariable+"=alone", "LD_LIBRARY_PATH="+strings.Join(path, ":"))
			cmd := command(t, os.Args[0])
			cmd.Env = cleanEnv(env...)
			out, err := cmd.CombinedOutput()
			parts := strings.Split(c.want, "|")
			if failed := parts[0] == "error"; failed != (err != nil) {
				t.Fatalf("%v\n%s", err, out)
			} else if failed {
				parts = parts[1:]
			}
			for _, p := range parts {
				if !strings.Contains(string(out), p) {
					t.Errorf("the output is\n%s\nwithout %q", out, p)
				}
			}
		})
	}
}

// launcher returns the command of a launcher with its first arguments, and skips the test if
// the machine does not have it.
func launcher(t *testing.T, name string) []string {
	for _, l := range [][]string{
		{"openmpi", "mpirun.openmpi", "--oversubscribe", "--bind-to", "none"},
		{"mpich", "mpiexec.hydra"},
	} {
		if l[0] != name {
			continue
		}
		path, err := exec.LookPath(l[1])
		if err == nil {
			return append([]string{path}, l[2:]...)
		}
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), name) {
			t.Fatal("SKEL_REQUIRE asks for ", name, ": ", err)
		}
		t.Skip(err)
	}
	t.Fatal("no launcher ", name)
	return nil
}

func mpirun(t *testing.T, name, program string, ranks int) (string, error) {
	args := append(launcher(t, name), "-n", fmt.Sprint(ranks), os.Args[0])
	cmd := command(t, args...)
	cmd.Env = cleanEnv(programVariable+"="+program, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestRanks makes every call among ranks that mpirun starts.
func TestRanks(t *testing.T) {
	for _, name := range []string{"openmpi", "mpich"} {
		for _, ranks := range []int{2, 1, 3} {
			if testing.Short() && ranks != 2 {
				continue
			}
			t.Run(fmt.Sprint(name, ranks), func(t *testing.T) {
				out, err := mpirun(t, name, "calls", ranks)
				if n := strings.Count(out, ": ok with "); err != nil || n != ranks {
					t.Errorf("%d of %d ranks: %v\n%s", n, ranks, err, out)
				}
			})
		}
	}
}

func TestAbort(t *testing.T) {
	for _, name := range []string{"openmpi", "mpich"} {
		t.Run(name, func(t *testing.T) {
			out, err := mpirun(t, name, "abort", 3)
			if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() != 7 {
				t.Errorf("mpirun returns %v, want 7\n%s", err, out)
			}
		})
	}
}
