package benchmark

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
)

func TestParseMeasured(t *testing.T) {
	m, err := parseMeasured("scan-sum-inclusive\tfloat64\t1073741824\t2750.25\t2740\t2760.5\r")
	want := measured{"scan-sum-inclusive", "float64", 1 << 30, 2750250, 2740000, 2760500}
	if err != nil || m != want {
		t.Errorf("%+v %v", m, err)
	}
	for _, bad := range []string{"", "error", "a\tb\tc", "a\tb\tc\t1\t1\t1", "a\tb\t1\tx\t1\t1", "a\tb\t1\t0\t1\t1",
		"a\tb\t1\t-1\t1\t1", "a\tb\t1\tNaN\t1\t1", "a\tb\t1\tInf\t1\t1", "a\tb\t1\t1\t1\t1\t1"} {
		if m, err := parseMeasured(bad); err == nil {
			t.Errorf("%q was taken as %+v", bad, m)
		}
	}
}

func TestQuantiles(t *testing.T) {
	for _, c := range []struct {
		times  Times
		median Seconds
		q1     Seconds
	}{{nil, 0, 0}, {Times{3}, 3, 3}, {Times{9, 1}, 5, 3}, {Times{9, 1, 2}, 2, 1.5}, {Times{4, 1, 3, 2, 5}, 3, 2}} {
		if m, q := c.times.Median(), c.times.Quantile(0.25); m != c.median || q != c.q1 {
			t.Errorf("%v: median %v, first quartile %v", c.times, m, q)
		}
	}
}

func TestMarks(t *testing.T) {
	r := &Row{Goals: []Goal{{"cub", 1}}}
	for _, c := range []struct {
		yardstick    string
		ours, theirs Times
		ratio        float64
		want         Mark
	}{
		{"cub", Times{2}, Times{4}, 2, Met},
		{"cub", Times{4}, Times{4}, 1, Met},
		{"cub", Times{4}, Times{2}, 0.5, Missed},
		{"copy", Times{4}, Times{2}, 0.5, NoGoal},
		{"cub", nil, Times{2}, 0, Missed},
	} {
		got := compare(r, c.yardstick, c.ours, c.theirs)
		if got.Ratio != c.ratio || got.Mark() != c.want {
			t.Errorf("%v: %+v, %q", c, got, got.Mark())
		}
	}
	number := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		r    Result
		want Mark
	}{
		{Result{Time: Times{1}}, NoGoal},
		{Result{Time: Times{1}, MaxTime: 1}, Met},
		{Result{Time: Times{1.1}, MaxTime: 1}, Missed},
		{Result{Time: Times{1}, MaxTime: 1, MaxAllocs: 2, Allocs: number(2)}, Met},
		{Result{Time: Times{1}, MaxTime: 1, MaxAllocs: 2, Allocs: number(3)}, Missed},
		{Result{MaxTime: 1, Skipped: "no room"}, NoGoal},
		{Result{MaxTime: 1, Failed: "wrong"}, NoGoal},
	} {
		if got := c.r.Mark(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
	}
}

// TestSteady: enough calls for the time that a sample should take, and a wait.
func TestSteady(t *testing.T) {
	found, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	sample, err := Sampler(found[0], func() error { calls++; time.Sleep(100 * time.Microsecond); return nil },
		5*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	calls = 0
	if d, err := sample(); err != nil || d < 100*time.Microsecond || calls < 2 || calls > 60 {
		t.Errorf("%v, %v, %d calls", d, err, calls)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct{ n, log2, want int }{
		{1 << 30, 30, 1 << 30}, {1 << 28, 24, 1 << 22}, {1_000_000, 24, 15625}, {100, 12, 1}, {1 << 28, 32, 1 << 30},
	} {
		s := &Suite{MaxLog2: c.log2}
		if got := s.Size(c.n); got != c.want {
			t.Errorf("size of %d with 2^%d: %d, want %d", c.n, c.log2, got, c.want)
		}
	}
	for _, c := range []struct {
		kind   devices.Kind
		memory int64
		want   int
	}{
		{devices.GPU, 140 << 30, 30}, {devices.GPU, 24 << 30, 28}, {devices.CPU, 24 << 30, 24}, {devices.CPU, 0, 24},
		{devices.GPU, 1 << 10, Smallest},
	} {
		if got := usualLog2(devices.Info{Kind: c.kind, Memory: c.memory}); got != c.want {
			t.Errorf("%v with %d bytes: 2^%d, want 2^%d", c.kind, c.memory, got, c.want)
		}
	}
}

// TestHelperProcess is not a test but the other program of TestProgram.
func TestHelperProcess(*testing.T) {
	if os.Getenv("BENCHMARK_HELPER") == "" {
		return
	}
	io.Copy(os.Stdout, os.Stdin) // the requests of TestProgram are the answers
	os.Exit(0)
}

func TestProgram(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=TestHelperProcess")
	cmd.Env = append(os.Environ(), "BENCHMARK_HELPER=1")
	a, err := StartProgram("yardstick", cmd)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := a.ask("reduce-sum\tfloat32\t1048576\t11.5\t11\t12"); d != 11500*time.Nanosecond || err != nil {
		t.Errorf("%v %v", d, err)
	}
	if _, err := a.ask("error\tout of\tmemory"); err == nil ||
		err.Error() != `yardstick, asked for "error\tout of\tmemory": out of memory` {
		t.Errorf("%v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.ask("more"); err == nil {
		t.Error("a program that ended answers")
	}
	if err := (*Program)(nil).Close(); err != nil {
		t.Error(err)
	}
}

// TestPythonIgnoresWorkingDirectory checks that no file in the working directory runs because it has the
// name of a module.
func TestPythonIgnoresWorkingDirectory(t *testing.T) {
	if FindPython(t.Context(), "sys") == "" {
		t.Skip("there is no python3")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("skelplanted.py", []byte("open('ran', 'w')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if name := FindPython(t.Context(), "skelplanted"); name != "" {
		t.Errorf("%s found a module in the working directory", name)
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("a file in the working directory ran")
	}
}
