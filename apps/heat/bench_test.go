package heat_test

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/apps/heat"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const side = 2048

// BenchmarkStep measures a step on each device.
func BenchmarkStep(b *testing.B) {
	for _, d := range devicestest.All(b) {
		b.Run("device="+d.ID(), func(b *testing.B) { step(b, d) })
	}
}

func step(b *testing.B, d *devices.Device) {
	plate := matrix.From(side, side, heat.Plate(side, side), vector.Single(d))
	defer plate.Free()
	b.SetBytes(8 * side * side)
	for b.Loop() {
		next := heat.Diffuse(plate, 0.2, 1, 0)
		if err := next.Wait(); err != nil {
			b.Fatal(err)
		}
		next.Free()
	}
}

// BenchmarkByHand measures a step in plain Go loops, on one core.
func BenchmarkByHand(b *testing.B) {
	cells := heat.Plate(side, side)
	next := make([]float32, len(cells))
	abs := func(x float32) float32 { return float32(math.Abs(float64(x))) }
	b.SetBytes(8 * side * side)
	for b.Loop() {
		for i := 1; i < side-1; i++ {
			for j := 1; j < side-1; j++ {
				k := i*side + j
				u := cells[k]
				if !math.Signbit(float64(u)) {
					u += float32(0.2 * (abs(cells[k-side]) + abs(cells[k+side]) + abs(cells[k-1]) +
						abs(cells[k+1]) - float32(4*u)))
				}
				next[k] = u
			}
		}
	}
}
