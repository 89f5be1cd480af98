package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// testJob notes the methods that Run calls; the one called fails fails.
type testJob struct {
	file, fails string
	calls       []string
}

var errJob = errors.New("failed")

func (j *testJob) call(name string) error {
	j.calls = append(j.calls, name)
	if name == j.fails {
		return errJob
	}
	return nil
}

func (j *testJob) Check() error                        { return j.call("check") }
func (j *testJob) Read(context.Context, *Runner) error { return j.call("read") }
func (j *testJob) Report(r *Runner) error {
	return errors.Join(j.call("report"), r.Env.JSON(r.Seconds()))
}
func (j *testJob) Write(_ context.Context, r *Runner) error {
	err := r.Files.Write(j.file, func(w io.Writer) error { _, err := io.WriteString(w, "result"); return err })
	return errors.Join(err, j.call("write"))
}

func (j *testJob) Compute(_ context.Context, r *Runner) error {
	r.Defer(func() { j.call("freed first") })
	r.Defer(func() { j.call("freed last") })
	r.Phases.Start(PhasePrepare)
	time.Sleep(2 * time.Millisecond)
	r.Phases.Start("compute")
	if len(r.Devices) != 1 || r.Devices[0].ID() != "cpu" {
		return errors.New("no device")
	}
	return j.call("compute")
}

func TestRun(t *testing.T) {
	all := []string{"check", "read", "compute", "write", "report"}
	for _, fails := range append(all, "") {
		file := filepath.Join(t.TempDir(), "file")
		j := &testJob{file: file, fails: fails}
		var out, notes bytes.Buffer
		err := Run(t.Context(), &Env{Stdout: &out, Stderr: &notes}, Flags{Device: "cpu", Verbose: true}, j)
		if errors.Is(err, errJob) != (fails != "") {
			t.Errorf("%s fails: error %v", fails, err)
		}
		want := slices.Clone(all)
		if i := slices.Index(all, fails); i >= 0 {
			want = want[:i+1]
		}
		if slices.Contains(want, "compute") {
			want = append(want, "freed last", "freed first")
		}
		if !slices.Equal(j.calls, want) {
			t.Errorf("%s fails: calls %v, want %v", fails, j.calls, want)
		}
		written := slices.Contains(want, "report")
		if _, err := os.Stat(file); (err == nil) != written {
			t.Errorf("%s fails: written %v, want %v", fails, err == nil, written)
		}
		if shown := strings.Contains(notes.String(), "\nprepare "); shown != written {
			t.Errorf("%s fails: phases\n%s", fails, notes.String())
		}
	}
}

func TestSeconds(t *testing.T) {
	var r Runner
	r.Phases.done = []phase{
		{Name: "read", Time: time.Second}, {Name: "device", Time: 2 * time.Second},
		{Name: "prepare", Time: 4 * time.Second},
		{Name: "init", Time: 8 * time.Second}, {Name: "iterate", Time: 16 * time.Second},
		{Name: "write", Time: 32 * time.Second},
		{Name: "write", Time: 64 * time.Second},
	}
	if got, want := r.Seconds(), (Seconds{24, 127}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPhasesOfPages prints phases without and with data that do not fit on the device.
func TestPhasesOfPages(t *testing.T) {
	p := Phases{done: []phase{{Name: "read"}, {Name: "iterate"}}}
	for _, want := range [][]string{
		{"iterate", "0", "0", "0", "0", "0", "0", "0"},
		{"iterate", "0", "0", "0", "0", "0", "0", "0", "3", "GiB", "5", "KiB"},
	} {
		var out strings.Builder
		p.Fprint(&out)
		lines := strings.Split(out.String(), "\n")
		if got := strings.Fields(lines[3]); !slices.Equal(got, want) {
			t.Errorf("%q, want %q in\n%s", got, want, out.String())
		}
		if header := strings.Contains(lines[0], "loaded"); header != (len(want) == 12) {
			t.Errorf("header %s", lines[0])
		}
		p.done[1].Stats.LoadedBytes, p.done[1].Stats.SavedBytes = 3<<30, 5<<10
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0 objects"}, {1, "1 object"}, {1234, "1 234 objects"}} {
		if got := Count(c.n, "object"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
