package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

func TestMain(m *testing.M) {
	commands := map[string]func(){"skelgo": main}
	for name, crash := range crashes {
		commands[name] = func() {
			app.AbortOnCrash()
			crash()
		}
	}
	testscript.Main(m, commands)
}

func TestScripts(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", cache) // kernels that were built before
			e.Setenv("SKEL_DEVICE", "cpu")
			e.Setenv("APPS", folder)
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

// start prepares a run of skelgo in an empty directory.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	stderr = new(bytes.Buffer)
	cmd = exec.Command("skelgo", args...)
	cmd.Dir, cmd.Stderr = t.TempDir(), stderr
	cmd.Env = append(os.Environ(), "SKEL_DEVICE=cpu")
	return cmd, stderr
}

// TestInterrupt sends Ctrl-C to commands that read, compile, compute, measure
// and write, after random times. They must end within latest.
func TestInterrupt(t *testing.T) {
	const latest = 300 * time.Millisecond
	type test struct{ name, args string }
	tests := []test{
		{"reading", "kmeans -k 2 - --labels labels"},
		{"opening a pipe", "kmeans -k 2 fifo --labels labels"},
		{"measuring", "bench --plot new/pictures --json figures.json"},
		{"comparing", "compare -d cpu"},
		{"writing to a pipe", "demo kmeans --labels labels --centers fifo"},
		{"writing to standard output", "demo kmeans --n 300000 -k 2 --max-iter 1 --labels - --centers centers.csv"},
		{"compiling", "heat -d opencl:0 --size 4000 --steps 100000 -o plate.png"},
	}
	for _, a := range apps.All {
		if a.Long != "" {
			tests = append(tests, test{a.Name, a.Long})
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := devices.Get("opencl:0"); err != nil && strings.Contains(test.args, "opencl:0") {
				t.Skip(err)
			}
			for range 5 { // another process may keep the machine busy
				wait := time.Duration(20+rand.IntN(800)) * time.Millisecond
				took := interrupted(t, wait, strings.Fields(test.args)...)
				if t.Failed() || took <= latest {
					return
				}
				t.Logf("interrupted after %v, it took %v", wait, took)
			}
			t.Errorf("it took more than %v every time", latest)
		})
	}
}

// interrupted runs a command, sends it Ctrl-C after a time, and returns how
// long it took to end. It must have left no file.
func interrupted(t *testing.T, wait time.Duration, args ...string) time.Duration {
	t.Helper()
	cmd, stderr := start(t, args...)
	cmd.Env = append(cmd.Env, "SKEL_CACHE=off", "POCL_CACHE_DIR="+t.TempDir())
	in, err := cmd.StdinPipe() // nothing comes
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, full, err := os.Pipe() // which nobody reads
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = full
	if err := syscall.Mkfifo(filepath.Join(cmd.Dir, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	full.Close()
	time.Sleep(wait)
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	took := time.Since(begin)
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() && status.Signal() == syscall.SIGINT {
		return took // before main began; shells make 130 of it
	}
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if got := stderr.String(); !strings.HasSuffix(got, "skelgo: interrupted\n") {
		t.Errorf("stderr %q", got)
	}
	left, err := os.ReadDir(cmd.Dir)
	if err != nil || len(left) != 1 || left[0].Name() != "fifo" {
		t.Errorf("files left: %v %v", left, err)
	}
	return took
}

// TestBrokenPipe checks that a command prints no message and leaves no file when nothing
// reads its output.
func TestBrokenPipe(t *testing.T) {
	cmd, stderr := start(t, "demo", "kmeans", "--centers", "centers.csv", "--labels", "-")
	out, gone, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	cmd.Stdout = gone
	cmd.Run()
	gone.Close()
	if code := cmd.ProcessState.ExitCode(); code != 141 || stderr.Len() > 0 {
		t.Errorf("exit code %d, want 141; stderr %q", code, stderr)
	}
	if left, err := os.ReadDir(cmd.Dir); err != nil || len(left) > 0 {
		t.Errorf("files left: %v %v", left, err)
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
	const want = "skelgo: cannot write the result: write /dev/stdout: no space left on device\n"
	if stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr, want)
	}
}

// TestApps runs a short command of each application. With --json it prints one line
// with the keys that all results have (app.Seconds).
func TestApps(t *testing.T) {
	for _, a := range apps.All {
		if a.Command == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			if a.Help == "" || a.Short == "" || a.Long == "" || a.Demo != nil && a.DemoHelp == "" {
				t.Fatalf("a command needs Help, Short and Long, and a demo DemoHelp: %+v", a)
			}
			cmd, stderr := start(t, append(strings.Fields(a.Short), "--json")...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			var result map[string]any
			if err := json.Unmarshal(out, &result); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			keys := []string{"device", "seconds", "total_seconds"}
			if _, ok := reflect.TypeOf(a.Command).FieldByName("Seed"); ok {
				keys = append(keys, "seed")
			}
			for _, key := range keys {
				if result[key] == nil {
					t.Errorf("no %q in %s", key, out)
				}
			}
		})
	}
}
