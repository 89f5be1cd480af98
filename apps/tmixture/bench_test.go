package tmixture

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestBenchRows measures the rows of skelgo bench in the smallest size. SKEL_TEST=all adds scikit-learn
// as a yardstick, if this machine has it: to start it takes longer than the rest of this test.
func TestBenchRows(t *testing.T) {
	python := ""
	if devicestest.Thorough() {
		python = benchmark.FindPython(t.Context(), "sklearn")
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{
			Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest, Rounds: 1, Note: t.Logf, Python: python,
		}
		rows := benchRows(s)
		if want := map[bool]int{true: 3, false: 4}[s.GPU()]; len(rows) != want {
			t.Errorf("%d rows, not %d", len(rows), want)
		}
		for _, r := range rows {
			if !strings.HasSuffix(r.Name, "/g=5") && !strings.Contains(r.Name, "float32") { // the others are large
				continue
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
			if (len(c.Yardsticks) > 0) != (python != "") {
				t.Errorf("yardsticks %v with python %q", c.Yardsticks, python)
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
