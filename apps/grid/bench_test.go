package grid

import (
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestBenchRows measures the rows of skelgo bench in a small size, with NumPy if this machine has it.
func TestBenchRows(t *testing.T) {
	python := benchmark.FindPython(t.Context(), "numpy")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{
			Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest + 4, Rounds: 1, Note: t.Logf,
		}
		for _, r := range rows(s) {
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
			if c.Note != nil && c.Note() == "" {
				t.Error("no prediction")
			}
			if python != "" && !s.GPU() && c.Note == nil && len(c.Yardsticks) == 0 {
				t.Error("no yardstick")
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
