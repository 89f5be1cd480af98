package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skelgo/skelgo/devices"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skelgo": main})
}

func TestScripts(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs("../kmeans/testdata")
	if err != nil {
		t.Fatal(err)
	}
	sequences, err := filepath.Abs("../nw/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", cache) // kernels that were built before
			e.Setenv("SKEL_DEVICE", "cpu")
			e.Setenv("DATA", data)
			e.Setenv("SEQUENCES", sequences)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			_, err := devices.Get(cond)
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits runs a command that must end with a given exit code: exits 2 skelgo ...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		e := new(exec.ExitError)
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		code = e.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// start runs skelgo until it is about to wait or compute.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	stderr = new(bytes.Buffer)
	cmd = exec.Command("skelgo", args...)
	cmd.Dir, cmd.Stderr = t.TempDir(), stderr
	cmd.Env = append(os.Environ(), "SKEL_DEVICE=cpu")
	return cmd, stderr
}

func TestInterrupt(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"computing", []string{"demo", "kmeans", "--n", "200000", "-k", "300", "--dim", "8", "--init", "first", "--labels", "labels", "--centers", "centers.csv"}},
		{"aligning", []string{"nw", "--rodinia", "100000", "--matrix", "PAM250", "-o", "alignment", "--plot", "path.svg"}},
		{"reading", []string{"kmeans", "-k", "2", "-", "--labels", "labels"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd, stderr := start(t, test.args...)
			in, err := cmd.StdinPipe() // nothing comes
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			if got := stderr.String(); got != "skelgo: interrupted\n" {
				t.Errorf("stderr %q", got)
			}
			left, err := os.ReadDir(cmd.Dir)
			if err != nil || len(left) > 0 {
				t.Errorf("files left: %v %v", left, err)
			}
		})
	}
}

func TestStandardOutputFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	cmd, stderr := start(t, "version")
	cmd.Stdout = full
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if want := "skelgo: cannot write the result: write /dev/stdout: no space left on device\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr, want)
	}
}
