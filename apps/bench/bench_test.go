package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// bench runs the command on the CPU, in a size that takes no time.
func bench(t *testing.T, c Command) (out string, err error) {
	t.Helper()
	var stdout bytes.Buffer
	if c.Device == "" {
		c.Device = "cpu"
	}
	if c.MaxLog2 == nil {
		least := benchmark.Smallest
		c.MaxLog2 = &least
	}
	err = c.Run(t.Context(), &app.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: io.Discard})
	return stdout.String(), err
}

// TestRows runs every row on every device, except those of other processes. By default, it
// runs only a few rows on devices that compile.
func TestRows(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		only := "^[^S]|^Scan"
		if !d.Native() && !devicestest.Thorough() {
			only = "^(Call|Map|Dot|ReduceSegments|Scan/op=compose)/"
		}
		dir := t.TempDir()
		out, err := bench(t, Command{Device: d.ID(), Only: only, Rounds: 1, JSON: filepath.Join(dir, "out.json")})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"\ndevice: " + d.ID() + " (",
			"\nBenchmarkMap/device=" + d.ID() + "/type=float32/n=1024/impl=skelgo\t1\t",
			"/impl=copy\t1\t", " ns/op\t", " MB/s\n", " allocs/op\n",
			"\nScan/op=compose/form=inclusive/type=2xfloat64/n=1024 ",
			"\nReduceSegments/op=sum/type=float32/segments=1000/length=3 ",
			" goals are met.\n",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		if strings.Contains(out, "FAILED") {
			t.Errorf("rows failed:\n%s", out)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "out.json")); err != nil ||
			!bytes.Contains(text, []byte(`"name": "Dot/type=float64/n=1024"`)) {
			t.Errorf("%v: %s", err, text)
		}
	})
}

func TestOptions(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, c := range []struct {
		command Command
		want    string
	}{
		{Command{Rounds: 0}, "--rounds 0: it must be at least 1"},
		{Command{Rounds: 1, Only: "("}, "--only (: error parsing regexp: missing closing ): `(`"},
		{Command{Rounds: 1, Only: "nothing"}, "--only nothing: no such row; see --list"},
		{Command{Rounds: 1, MaxLog2: number(11)}, "--max-log2 11: it must be from 12 to 34"},
		{Command{Rounds: 1, MaxLog2: number(35)}, "--max-log2 35: it must be from 12 to 34"},
		{Command{Rounds: 1, Yardstick: "none/there"}, "--yardstick none/there: no such file or directory"},
		{Command{Rounds: 1, Plot: "doc.go/there"},
			"--plot: cannot make the directory doc.go/there: doc.go is not a directory"},
		{Command{Rounds: 1, JSON: "none/there"}, "cannot write none/there: no such file or directory"},
		{Command{Rounds: 1, JSON: "x", List: true}, "--json cannot be combined with --list"},
		{Command{Rounds: 1, Device: "cpu:7"}, ""},
	} {
		_, err := bench(t, c.command)
		if app.ExitCode(err) != app.ExitInput || c.want != "" && err.Error() != c.want {
			t.Errorf("%+v: %v", c.command, err)
		}
	}
}

func TestList(t *testing.T) {
	out, err := bench(t, Command{Rounds: 1, Only: "^(Map|Call)/", List: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Map/type=float32/n=1024", "0.9 of hand", "2 allocations"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\nZip/") || strings.Contains(out, "Benchmark") {
		t.Errorf("listed\n%s", out)
	}
}

func TestPlots(t *testing.T) {
	dir := t.TempDir()
	if _, err := bench(t, Command{Rounds: 1, Only: "^(Map|Dot)/", Plot: dir}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sweep.png", "roofline.png"} {
		if p, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.HasPrefix(p, []byte("\x89PNG")) {
			t.Errorf("%s: %v, %d bytes", name, err, len(p))
		}
	}
	// Nothing to draw is no reason to fail.
	if err := drawAll(nil, dir, &Report{Heading: Heading{MaxLog2: benchmark.Smallest}}); err != nil {
		t.Error(err)
	}
}

// TestInterrupt ends a run between two rows.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := benchmark.Smallest
	c := Command{Device: "cpu", Rounds: 1, MaxLog2: &n}
	if err := c.Run(ctx, &app.Env{Stdout: io.Discard, Stderr: io.Discard}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFailure checks that a wrong result fails the run, and that the other rows are
// measured.
func TestFailure(t *testing.T) {
	s := testSuite(t)
	good := &benchmark.Row{Name: "Good/n=1", Open: func(*benchmark.Suite) (*benchmark.Case, error) {
		return &benchmark.Case{Call: func() error { return nil }}, nil
	}}
	bad := &benchmark.Row{Name: "Bad/n=1", Open: func(*benchmark.Suite) (*benchmark.Case, error) {
		return &benchmark.Case{Call: func() error { return nil },
			Check: func() error { return wrong(false, 1, 2) }}, nil
	}}
	big := &benchmark.Row{Name: "Big/n=1", Memory: math.MaxInt64}
	var stdout, stderr bytes.Buffer
	results, err := measureAll(s, &app.Env{Stdout: &stdout, Stderr: &stderr}, []*benchmark.Row{bad, big, good})
	if err != nil {
		t.Fatal(err)
	}
	report := &Report{Results: results}
	const want = "1 of 3 rows failed, first Bad/n=1: wrong result on cpu: 1, and the reference gives 2"
	if err := report.failure(); err == nil || err.Error() != want || app.ExitCode(err) != app.ExitFailed {
		t.Errorf("%v", err)
	}
	if !strings.Contains(stderr.String(), "skelgo: Big/n=1 is left out: it takes 8.59e+09 GiB, and cpu has ") {
		t.Errorf("told %s", stderr.String())
	}
	if len(results[2].Time) != s.Rounds || !strings.Contains(tableOf(results), "\nBad/n=1            FAILED\n") {
		t.Errorf("%+v\n%s", results[2], tableOf(results))
	}
}

func testSuite(t *testing.T) *benchmark.Suite {
	found, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return &benchmark.Suite{Context: t.Context(), Device: found[0], MaxLog2: benchmark.Smallest,
		Rounds: 2, Note: t.Logf}
}

// TestHandWritten compares the hand-written versions with the skeletons, on numbers whose
// sums are exact in float32 in any order.
func TestHandWritten(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 15, 4096, 100_003} {
			x, y := make([]float32, n), make([]float32, n)
			for i := range x {
				x[i], y[i] = float32(i%5-2), float32(i%7-3)
			}
			on := vector.Single(d)
			a, b := vector.From(x, on), vector.From(y, on)
			one := func(s *vector.Scalar[float32]) []float32 { return must(t)(s.Vector().Host()) }
			want := map[string][]float32{
				"Map":    must(t)(float32s.square.Apply(a).Host()),
				"Zip":    must(t)(float32s.times.Apply(a, b).Host()),
				"Reduce": one(float32s.sum.Apply(a)),
				"Scan":   must(t)(float32s.sums.Inclusive(a).Host()),
				"Filter": must(t)(positives.Apply(a).Host()),
				"Dot":    one(float32s.sum.Apply(float32s.times.Apply(a, b))),
			}
			versions, end, err := openHandWritten(d, x, y)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range versions {
				if err := w.run(); err != nil {
					t.Fatal(err)
				}
				if got := must(t)(w.result()); !slices.Equal(got, want[w.task]) {
					t.Errorf("n=%d: %s, %s differs from skelgo", n, w.task, w.impl)
				}
			}
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
}

func must(t *testing.T) func([]float32, error) []float32 {
	return func(s []float32, err error) []float32 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
