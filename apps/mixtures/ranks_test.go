package mixtures

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

func TestMain(m *testing.M) {
	name, isRank := os.LookupEnv("MIXTURES_RANK")
	if !isRank {
		os.Exit(m.Run())
	}
	text, err := fitOnRank(name)
	if err = errors.Join(err, devices.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if devices.Rank() == 0 {
		fmt.Println(text)
	}
}

// fitOnRank fits data sets with a checkpoint, and is killed if it comes to the report of progress whose
// number the environment has.
func fitOnRank(name string) (string, error) {
	n, err := devices.Ranks()
	if err != nil {
		return "", err
	}
	file, err := checkpoint.Open(name, 0, nil)
	if err != nil {
		return "", err
	}
	o := Options{
		Family: Normal, MinComponents: 1, MaxComponents: 3, Starts: 3, Bootstrap: 3, MaxIter: 200, values: 700,
		lanes: 5, checkpoint: file,
	}
	var left atomic.Int64
	if at, err := strconv.Atoi(os.Getenv("MIXTURES_KILL")); err == nil && devices.Rank() == n-1 {
		left.Store(int64(at))
	}
	o.Progress = func(int) {
		if left.Add(-1) != 0 {
			return
		}
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
	}
	var sets []Set
	for _, x := range raggedSets(Normal, 5) {
		sets = append(sets, Set{"set", x})
	}
	r, err := FitSets(context.Background(), sets, o)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(r.Sets)
	return fmt.Sprintf("%d fits: %s", r.Count, text), err
}

// TestKilledRanks kills fits on two ranks, goes on with one process, kills that too, and goes on with
// three ranks. The results must be those of one process that is not interrupted.
func TestKilledRanks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	run := func(ranks int, kill string) (string, error) {
		env := []string{"MIXTURES_RANK=" + name, "MIXTURES_KILL=" + kill, "SKEL_DEVICE=cpu", "SKEL_CHECK="}
		return devicestest.MPIRun(t, ranks, env, os.Args[0])
	}
	var before state
	// killed kills a run after some fits, and reports whether fits were running when it saved its state.
	killed := func(ranks, after int) bool {
		if out, err := run(ranks, strconv.Itoa(after)); err == nil {
			t.Fatalf("%d ranks have not been killed:\n%s", ranks, out)
		}
		file, err := checkpoint.Open(name, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		var now state
		_, err = file.Load(&now)
		if err != nil || now.Count < before.Count {
			t.Fatalf("%d ranks have saved %d fits that have ended, after %d: %v", ranks, now.Count, before.Count, err)
		}
		before = now
		return len(now.Round.Running) > 0
	}
	for _, ranks := range []int{2, 1} {
		ended := before.Count
		running := killed(ranks, 40)
		for range 5 { // by chance, all fits of a round may have ended
			running = running || killed(ranks, 3)
		}
		if !running || before.Count <= ended {
			t.Errorf("%d ranks have saved %d fits that have ended, after %d, and running ones: %t",
				ranks, before.Count, ended, running)
		}
	}
	got, err := run(3, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	want, err := fitOnRank("")
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}
