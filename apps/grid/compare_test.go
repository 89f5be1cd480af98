package grid

import (
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestComparison runs the versions of skelgo compare, which must agree.
func TestComparison(t *testing.T) {
	_, missing := baseline.Load() // hand-written versions run on OpenCL
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 10, 101} {
			all, agree := programs(d, n)
			for _, p := range all {
				if p.Raw() && (d.Native() || missing != nil) {
					continue
				}
				if _, err := baseline.Measure(t.Context(), p, 1, func(string) {}); err != nil {
					t.Fatalf("%s, n = %d: %v", p.Version, n, err)
				}
				if err := agree(); err != nil {
					t.Errorf("%s, n = %d: %v", p.Version, n, err)
				}
			}
		}
	})
}
