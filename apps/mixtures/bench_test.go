package mixtures

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestPython runs em.py, its jobs for JAX with testdata/jax, which stands in for it. The results of
// both libraries must agree.
func TestPython(t *testing.T) {
	stub, err := filepath.Abs("testdata/jax")
	if err != nil {
		t.Fatal(err)
	}
	python := benchmark.FindPython(t.Context(), "numpy")
	if python == "" {
		t.Skip("there is no Python with NumPy")
	}
	// Without lines on standard input em.py measures nothing.
	const show = "\nlast = run()\nif library == 'jax': last = last[3] if job == 'fixed' else last[0][1]\n" +
		"print(*np.ravel(last))\n"
	logLiks := func(library, kind, job string) (all []float64) {
		const sizes = "2 3 200 2 0" // sets, starts, values, components, and the number of the GPU
		args := append([]string{"-c", emScript + show, library, kind, job}, strings.Fields(sizes)...)
		cmd := benchmark.Python(t.Context(), python, args...)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+stub, "PYTHONDONTWRITEBYTECODE=1")
		var warnings strings.Builder
		cmd.Stderr = &warnings
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s %s: %v\n%s%s", library, kind, job, err, out, &warnings)
		}
		for _, s := range strings.Fields(string(out)) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || x-x != 0 {
				t.Fatalf("%s %s %s prints %s", library, kind, job, out)
			}
			all = append(all, x)
		}
		if len(all) != 6 {
			t.Fatalf("%s %s %s: %d log-likelihoods, not 6", library, kind, job, len(all))
		}
		return all
	}
	for kind, tolerance := range map[string]float64{"float64": 1e-12, "float32": 1e-4} {
		want := logLiks("numpy", kind, "fixed")
		for i, got := range logLiks("jax", kind, "fixed") {
			near(t, kind, got, want[i], tolerance)
		}
		logLiks("jax", kind, "ragged")
	}
}

// TestBenchRows measures the rows of skelgo bench in the smallest size.
func TestBenchRows(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{
			Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest, Rounds: 1, Note: t.Logf,
		}
		rows := benchRows(s)
		if want := map[bool]int{true: 4, false: 2}[s.GPU()]; len(rows) != want {
			t.Errorf("%d rows, not %d", len(rows), want)
		}
		for _, r := range rows {
			if strings.HasSuffix(r.Name, "/m=8") {
				continue // it is large
			}
			c, err := r.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Error(err)
			}
			if took, err := c.Sample(); err != nil || took <= 0 {
				t.Errorf("%v %v", took, err)
			}
			for _, y := range c.Yardsticks {
				if took, err := y.Sample(); err != nil || took <= 0 {
					t.Errorf("%s: %v %v", y.Name, took, err)
				}
			}
			if err := c.End(); err != nil {
				t.Error(err)
			}
		}
	})
}
