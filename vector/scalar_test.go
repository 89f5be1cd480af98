package vector_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

func TestScalarString(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		s := vector.NewScalar(3.5, vector.Single(d))
		defer s.Free()
		if got, want := s.String(), "scalar of type float64 on "+d.ID(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	})
}

func TestUnknownNames(t *testing.T) {
	got := fmt.Sprint(vector.Wrap, vector.Padding(7), vector.Blocks, vector.Kind(-1))
	if want := "wrap Padding(7) block Kind(-1)"; got != want {
		t.Errorf("the names are %q, want %q", got, want)
	}
}
