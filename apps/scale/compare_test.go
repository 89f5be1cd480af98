package scale

import (
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestComparison runs the versions of skelgo compare, which must find the same weights.
func TestComparison(t *testing.T) {
	_, missing := baseline.Load() // hand-written versions run on OpenCL
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 10, 150} {
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
