package plain_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/apps/grid/frequency/plain"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// The expected figures were computed with NumPy.
func TestMinimum(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range []struct {
			begin, step float64
			n, position int
			value       float64
		}{
			{460000, 100, 130, 73, 0.401318192},
			{460000, 10, 1300, 732, 0.001623108},
			{0, 460000, 2, 1, 1096.556521233}, // F is NaN at 0
		} {
			value, position, err := plain.Minimum(c.begin, c.step, c.n, vector.Single(d))
			if err != nil || !(math.Abs(value-c.value) < 2e-9) || position != c.position {
				t.Errorf("%+v: F = %.9f at %d, error %v", c, value, position, err)
			}
		}
		value, position, err := plain.Minimum(0, 1, 0, vector.Single(d))
		if err != nil || !math.IsInf(value, 1) || position != -1 {
			t.Errorf("no nodes: %v at %d, error %v", value, position, err)
		}
	})
}

func ExampleMinimum() {
	_, position, err := plain.Minimum(460000, 10, 1300, vector.Distribution{})
	fmt.Println(position, err)
	// Output: 732 <nil>
}
