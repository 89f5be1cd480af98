package plain_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/apps/grid/plain"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// The expected figures were computed with NumPy.
func TestSchwefel(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		value, position, err := plain.Schwefel(-500, 1, 1001, vector.Single(d))
		if err != nil || !(math.Abs(value-2.71967711e-04) < 5e-13) || position != 922842 {
			t.Errorf("%v at %d, error %v", value, position, err)
		}
		value, position, err = plain.Schwefel(-500, 1, 0, vector.Single(d))
		if err != nil || !math.IsInf(value, 1) || position != -1 {
			t.Errorf("no nodes: %v at %d, error %v", value, position, err)
		}
	})
}

func ExampleSchwefel() {
	value, position, err := plain.Schwefel(-500, 1, 1001, vector.Distribution{})
	fmt.Printf("%.3g at %d %v\n", value, position, err)
	// Output: 0.000272 at 922842 <nil>
}
