package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestKilledRanks kills a rank of skelgo at a random moment: while it starts, reads, computes or
// ends. mpirun must end soon, and must not succeed unless all was done; no rank may be left.
func TestKilledRanks(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip(err)
	}
	runs := 3
	if devicestest.Thorough() {
		runs = 100
	}
	mpirun, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Skip(err) // devices.TestRanks fails if it is required
	}
	for i := range runs {
		cmd, stderr := start(t)
		cmd.Path, cmd.Args = mpirun, []string{"mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", "skelgo",
			"demo", "kmeans", "--n", "20000", "--dim", "8", "-k", "20", "--max-iter", "40", "--labels", "labels"}
		cmd.Env = append(cmd.Env, "SKEL_SPLIT=0", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		ranks := children(cmd.Process.Pid)
		killed := false
		if len(ranks) > 0 {
			p, err := os.FindProcess(ranks[rand.IntN(len(ranks))])
			killed = err == nil && p.Kill() == nil
		}
		begin, ended := time.Now(), make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err = <-ended:
		case <-time.After(time.Minute): // Open MPI has taken half of that on busy cores
			left := slices.DeleteFunc(ranks, func(p int) bool { return !alive(p) })
			_ = cmd.Process.Kill()
			t.Fatalf("run %d: mpirun does not end; of its ranks, processes %v are left:\n%s", i, left, stderr)
		}
		_, missing := os.Stat(filepath.Join(cmd.Dir, "labels"))
		switch {
		case err == nil && missing != nil:
			t.Errorf("run %d: it succeeds without its result:\n%s%s", i, &stdout, stderr)
		case err != nil && !killed:
			t.Errorf("run %d: no rank was killed: %v\n%s", i, err, stderr)
		case err != nil && stderr.Len() == 0:
			t.Errorf("run %d: %v without a message", i, err)
		}
		if took := time.Since(begin); took > 15*time.Second {
			t.Errorf("run %d: mpirun ends %v after a rank", i, took)
		}
		for _, p := range ranks {
			if alive(p) {
				t.Errorf("run %d: rank with process %d is left", i, p)
			}
		}
	}
}

// children returns the children of a process.
func children(of int) (list []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == fmt.Sprint(of) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}

// alive reports whether a process runs.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	after := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	return after[0] != "Z"
}

// TestDividedWork runs commands whose ranks compute different pieces: the results must be those of one process.
func TestDividedWork(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	var sequences bytes.Buffer
	for i := range 16 {
		letters := make([]byte, 1500+r.IntN(1000))
		for k := range letters {
			letters[k] = "ACGT"[r.IntN(4)]
		}
		fmt.Fprintf(&sequences, ">s%d\n%s\n", i, letters)
	}
	input := filepath.Join(dir, "sequences.fasta")
	if err := os.WriteFile(input, sequences.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"nw " + input + " --mode local --format sam --output",
		"demo mixtures --sets 5 --n 300 --components 1-2 --starts 3 --bootstrap 3 --output",
	} {
		var results [][]byte
		for _, ranks := range []int{0, 3} {
			name := filepath.Join(dir, fmt.Sprint(ranks))
			cmd, stderr := start(t, append(strings.Fields(args), name)...)
			var err error
			if ranks == 0 {
				err = cmd.Run()
			} else {
				var out string
				out, err = devicestest.MPIRun(t, ranks, []string{"SKEL_DEVICE=cpu"}, cmd.Args...)
				stderr.WriteString(out)
			}
			text, missing := os.ReadFile(name)
			if err != nil || missing != nil {
				t.Fatalf("%s: %v, %v\n%s", args, err, missing, stderr)
			}
			results = append(results, bytes.ReplaceAll(text, []byte(name), nil)) // the command line has it
		}
		if !bytes.Equal(results[0], results[1]) {
			t.Errorf("%s: over ranks:\n%s\nin one process:\n%s", args, results[1], results[0])
		}
	}
}
