package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// TestZipWithItself computes a chain in which each step uses the previous result twice. Every step is one
// launch: the expression does not double with each step.
func TestZipWithItself(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		const steps = 8
		x := vector.From([]float32{1, 1}, vector.Single(d))
		before := d.Stats()
		for range steps {
			x = times.Apply(squares.Apply(x), x)
		}
		for range steps {
			y := squares.Apply(x)
			x = times.Apply(y, y)
		}
		s, err := x.Host()
		if err != nil || s[0] != 1 {
			t.Fatal(s, err)
		}
		if n := d.Stats().Sub(before).Launches; n > 4*steps {
			t.Errorf("%d launches for %d steps, want at most %d", n, 2*steps, 4*steps)
		}
	})
}
