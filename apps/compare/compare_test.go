package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// run runs the command and gives what it prints.
func run(c *Command) (string, error) {
	var out bytes.Buffer
	err := c.Run(context.Background(), &app.Env{Stdout: &out, Stderr: io.Discard})
	return out.String(), err
}

func TestTables(t *testing.T) {
	baseline.RequireOpenCL(t)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		out, err := run(&Command{N: new(300), Device: d.ID(), Rounds: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"lines of code", "host  kernel  both", "run time", "init", "transfer",
			"dot ", "raw-tree", "raw-chunk", "saxpy ", "mandelbrot ", "sobel ", "matmul ", "kmeans ", "raw-paper", "raw-device", "nw ", "skelgo-plain", "skelgo-tuned",
			"300 float32", "300 x 300 pixels", "300 x 300 float32", "300 points of 34 float32", "two proteins of 304 letters",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	})
}

func TestWithoutOpenCL(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	s := session{device: cpu[0], rounds: 1, missing: errors.New("none")}
	var reports []report
	for _, a := range applications {
		r, err := s.compare(context.Background(), a, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, twin := range r.Twins {
			if (twin.Times != nil) != strings.HasPrefix(twin.Twin, "skelgo") {
				t.Errorf("%s %s: times %v", a.name, twin.Twin, twin.Times)
			}
		}
		reports = append(reports, r)
	}
	var out bytes.Buffer
	if err := write(&out, cpu[0], reports); err != nil || !regexp.MustCompile(`raw-chunk +opencl:0 +- +-`).MatchString(out.String()) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestJSON(t *testing.T) {
	baseline.RequireOpenCL(t)
	out, err := run(&Command{Apps: []string{"saxpy"}, N: new(1000), Device: "cpu", Rounds: 2, JSON: true})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Device string
		Rounds int
		Apps   []struct {
			App, Size string
			Twins     []struct {
				Twin, Device string
				Lines        lines
				Seconds      map[string]float64
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Device != "cpu" || got.Rounds != 2 || len(got.Apps) != 1 || len(got.Apps[0].Twins) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, twin := range got.Apps[0].Twins {
		if twin.Lines != linesOf("saxpy", twin.Twin) || twin.Lines.Host == 0 {
			t.Errorf("%s: lines %+v", twin.Twin, twin.Lines)
		}
		if twin.Seconds["kernel"] <= 0 || twin.Seconds["total"] < twin.Seconds["kernel"]+twin.Seconds["transfer"] {
			t.Errorf("%s: seconds %v", twin.Twin, twin.Seconds)
		}
	}
}

func TestBadCommandLines(t *testing.T) {
	for _, c := range []struct {
		command Command
		want    string
	}{
		{Command{N: new(-1), Rounds: 1, Device: "cpu"}, "-n -1: it must be at least 1"},
		{Command{N: new(0), Rounds: 1, Device: "cpu"}, "-n 0: it must be at least 1"},
		{Command{N: new(math.MaxInt), Rounds: 1, Device: "cpu"}, "out of memory"},
		{Command{Rounds: 0, Device: "cpu"}, "--rounds 0: it must be at least 1"},
		{Command{Rounds: 1, Device: "cuda:77"}, "cuda"},
	} {
		_, err := run(&c.command)
		if err == nil || !strings.Contains(err.Error(), c.want) || app.ExitCode(err) != app.ExitInput {
			t.Errorf("%+v: %v", c.command, err)
		}
	}
}

// Every twin that is compared has its lines in docs/loc.txt.
func TestCounted(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range applications {
		programs, _ := a.programs(cpu[0], 10)
		for _, p := range programs {
			if l := linesOf(a.name, p.twin); l.Host == 0 || (l.Kernel > 0) != p.raw() {
				t.Errorf("%s %s: %+v", a.name, p.twin, l)
			}
		}
	}
}

// k-means written with skeletons is about a quarter of the better twin.
func TestKmeansLines(t *testing.T) {
	ours, twin := linesOf("kmeans", "skelgo"), linesOf("kmeans", "raw-device")
	if ours.Kernel != 0 || 15*ours.Host > 4*(twin.Host+twin.Kernel) {
		t.Errorf("%+v is more than 4/15 of %+v", ours, twin)
	}
}

// The plain alignment, written with a wavefront, has a fifth of the lines of the
// hand-written OpenCL version of the same algorithm.
func TestAlignmentLines(t *testing.T) {
	ours, twin := linesOf("nw", "skelgo-plain"), linesOf("nw", "raw")
	if ours.Kernel != 0 || 5*ours.Host > twin.Host+twin.Kernel {
		t.Errorf("%+v is more than a fifth of %+v", ours, twin)
	}
}

// docs/loc.md, which cloc counted, says the same as the table in the program.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "loc.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range counted {
		l := r.lines
		row := fmt.Sprintf(`\| %s \| %s \| %d \| %d \| %d \| [0-9.]+ \| %d \|`, r.app, r.twin, l.Host, l.Kernel, l.Host+l.Kernel, l.Generated)
		if !regexp.MustCompile(row).Match(text) {
			t.Errorf("docs/loc.md is not what make loc writes: %s %s: %+v", r.app, r.twin, l)
		}
	}
}

func TestMeasure(t *testing.T) {
	var calls []string
	step := func(name string, d time.Duration) func() error {
		return func() error { calls = append(calls, name); time.Sleep(d); return nil }
	}
	p := program{
		open: step("open", 5*time.Millisecond), upload: step("upload", 1), run: step("run", 10*time.Millisecond), close: step("close", 0),
		host: func() time.Duration { return 4 * time.Millisecond },
	}
	got, err := measure(t.Context(), p, 2, func(string) {})
	if diff := cmp.Diff([]string{"open", "upload", "run", "run", "run", "close"}, calls); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if got.Init < 5*time.Millisecond || got.Host != 4*time.Millisecond || got.Kernel < 6*time.Millisecond {
		t.Errorf("times %+v", got)
	}

	broken := errors.New("broken")
	calls = nil
	p.twin, p.upload = "raw", func() error { return broken }
	if _, err := measure(t.Context(), p, 2, func(string) {}); !errors.Is(err, broken) || err.Error() != "raw: upload: broken" {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"open", "close"}, calls); diff != "" {
		t.Error(diff)
	}
	calls = nil
	p.open = func() error { return broken }
	if _, err := measure(t.Context(), p, 2, func(string) {}); !errors.Is(err, broken) || len(calls) > 0 {
		t.Errorf("error %v, then %v", err, calls)
	}
}

func TestDiffer(t *testing.T) {
	c := differ[int32]{last: []int32{1, 2}}
	if err := c.agree(); err != nil {
		t.Error(err)
	}
	c.last = []int32{1, 3}
	if err := c.agree(); err == nil || err.Error() != "element 1 is 3, and skelgo's is 2" {
		t.Errorf("error %v", err)
	}
}
