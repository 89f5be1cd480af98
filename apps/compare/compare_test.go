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

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// run runs the command and returns what it prints.
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
			"dot ", "raw-tree", "raw-chunk", "saxpy ", "mandelbrot ", "sobel ", "matmul ", "kmeans ", "raw-paper",
			"raw-device", "nw ", "skelgo-plain", "tmixture ", "raw-thesis", "kernel of tmixture raw-thesis",
			"launches", "column_products",
			"300 float32", "300 x 300 pixels", "300 x 300 float32", "300 points of 34 float32",
			"two proteins of 304 letters", "300 rows of 2 float64, g = 2",
			"mixtures ", "100 sets of 300 values, 100 iterations",
			"grid ", "Schwefel's function on 300 x 300 nodes", "grid-frequency ", "at 300 frequencies",
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
	m := measurement{device: cpu[0], rounds: 1, missing: errors.New("none")}
	var reports []report
	for _, a := range apps.All {
		for name, c := range a.Comparison.All(a.Name) {
			r, err := m.compare(context.Background(), name, c, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Versions {
				if (v.Times != nil) != strings.HasPrefix(v.Version, "skelgo") {
					t.Errorf("%s %s: times %v", name, v.Version, v.Times)
				}
			}
			reports = append(reports, r)
		}
	}
	var out bytes.Buffer
	if err := write(&out, cpu[0], reports); err != nil ||
		!regexp.MustCompile(`raw-chunk +opencl:0 +- +-`).MatchString(out.String()) {
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
	for _, v := range got.Apps[0].Twins {
		if v.Lines != linesOf("saxpy", v.Twin) || v.Lines.Host == 0 {
			t.Errorf("%s: lines %+v", v.Twin, v.Lines)
		}
		if v.Seconds["kernel"] <= 0 || v.Seconds["total"] < v.Seconds["kernel"]+v.Seconds["transfer"] {
			t.Errorf("%s: seconds %v", v.Twin, v.Seconds)
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

// TestCounted checks that every version that is measured is counted, and that programs are
// in the order of the versions.
func TestCounted(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range apps.All {
		for name, c := range a.Comparison.All(a.Name) {
			programs, _ := c.Programs(cpu[0], 10)
			if len(programs) != len(c.Versions) {
				t.Fatalf("%s: %d programs and %d versions", name, len(programs), len(c.Versions))
			}
			for i, p := range programs {
				if l := linesOf(name, p.Version); l.Host == 0 || (l.Kernel > 0) != p.Raw() ||
					p.Version != c.Versions[i].Name {
					t.Errorf("%s %s: %+v", name, p.Version, l)
				}
			}
		}
	}
}

// TestKmeansLines checks that the plain form of k-means has less than a third of the lines
// of the better hand-written version.
func TestKmeansLines(t *testing.T) {
	ours, raw := linesOf("kmeans", "skelgo-plain"), linesOf("kmeans", "raw-device")
	if ours.Kernel != 0 || 3*ours.Host > raw.Host+raw.Kernel {
		t.Errorf("%+v is more than a third of %+v", ours, raw)
	}
}

// TestAlignmentLines checks that the plain alignment has at most a fifth of the lines of
// the hand-written OpenCL version.
func TestAlignmentLines(t *testing.T) {
	ours, raw := linesOf("nw", "skelgo-plain"), linesOf("nw", "raw")
	if ours.Kernel != 0 || 5*ours.Host > raw.Host+raw.Kernel {
		t.Errorf("%+v is more than a fifth of %+v", ours, raw)
	}
}

// TestDocs checks that docs/loc.md, which cloc counted, agrees with the table in the
// program.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "loc.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range counted {
		l := r.lines
		row := fmt.Sprintf(`\| %s \| %s \| %d \| %d \| %d \| [0-9.]+ \| %d \|`, r.app, r.version, l.Host, l.Kernel,
			l.Host+l.Kernel, l.Generated)
		if !regexp.MustCompile(row).Match(text) {
			t.Errorf("docs/loc.md is not what make loc writes: %s %s: %+v", r.app, r.version, l)
		}
	}
}
