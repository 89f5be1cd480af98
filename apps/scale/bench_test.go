package scale

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestBenchRows measures the rows of skelgo bench in the smallest size, with NumPy if this machine has
// it.
func TestBenchRows(t *testing.T) {
	numpy := benchmark.FindPython(t.Context(), "numpy")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest, Rounds: 1, Note: t.Logf}
		for _, r := range benchRows(s) {
			if strings.HasPrefix(r.Name, "ScaleCV") {
				continue // it takes seconds
			}
			c, err := r.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Errorf("%s: %v", r.Name, err)
			}
			if took, err := c.Sample(); err != nil || took <= 0 {
				t.Errorf("%s: %v %v", r.Name, took, err)
			}
			compared := strings.HasPrefix(r.Name, "Scale/") && numpy != "" && !s.GPU()
			if (len(c.Yardsticks) > 0) != compared {
				t.Errorf("%s: yardsticks %v with python %q", r.Name, c.Yardsticks, numpy)
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
