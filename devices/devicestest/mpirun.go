package devicestest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// Main runs the tests of a package that mpirun may start, and ends MPI. It returns the exit code.
func Main(m *testing.M) (code int) {
	if code = m.Run(); code != 0 || !devices.Launched() {
		return code
	}
	if err := devices.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// MPIRun starts a program on several ranks with the mpirun of Open MPI and returns what they
// print. env are further environment variables. Without Open MPI it skips the test, unless
// SKEL_REQUIRE asks for it. The program is ended after two minutes.
func MPIRun(t testing.TB, ranks int, env []string, program ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("SKEL_REQUIRE"), ","), "openmpi") {
			t.Fatal("SKEL_REQUIRE asks for openmpi: ", err)
		}
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{"--oversubscribe", "--bind-to", "none", "-n", strconv.Itoa(ranks)}, program...)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // mpirun ends its ranks
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
