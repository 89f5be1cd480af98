package frequency

import (
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestRows measures the rows of skelgo bench in a small size.
func TestRows(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := &benchmark.Suite{Context: t.Context(), Device: d, MaxLog2: benchmark.Smallest + 6, Rounds: 1, Note: t.Logf}
		for _, r := range Rows(s) {
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
			if err := c.End(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestComparison runs the versions of skelgo compare, which must agree.
func TestComparison(t *testing.T) {
	_, missing := baseline.Load() // hand-written versions run on OpenCL
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 10, 130} {
			all, agree := programs(d, n)
			for _, p := range all {
				if p.Raw() && (d.Native() || missing != nil) {
					continue
				}
				for _, step := range []func() error{p.Open, p.Build, p.Upload, p.Run, agree, p.Close} {
					if step == nil {
						continue
					}
					if err := step(); err != nil {
						t.Fatalf("%s, n = %d: %v", p.Version, n, err)
					}
				}
			}
		}
	})
}
