package heat

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

// A temperature is not negative. That of a cell which is held at it has the sign
// bit set: -3 is a source of heat at 3, and -0 one of cold.

// Held is the cell that keeps a temperature.
func Held(temperature float32) float32 {
	return float32(math.Copysign(float64(temperature), -1))
}

// Temperature is that of a cell, held or not.
func Temperature(cell float32) float32 { return float32(math.Abs(float64(cell))) }

// diffuse is a cell a step later: it moves toward its four neighbours.
func diffuse(w matrix.Window[float32], rate float32) float32 {
	u := w.At(0, 0)
	if math.Signbit(float64(u)) {
		return u
	}
	around := Temperature(w.At(-1, 0)) + Temperature(w.At(1, 0)) + Temperature(w.At(0, -1)) + Temperature(w.At(0, 1))
	return u + rate*(around-4*u)
}

// The edges of the plate are insulated: beyond them it is as warm as at them.
var diffused = skel.NewMapOverlapMatrixWith(diffuse, 1, 1)

// Diffuse is the plate after some steps. rate is how much of a difference between
// neighbours goes over in a step; above 0.25 the result is no longer physics. Over
// several devices, every is after how many steps they exchange rows; 0 leaves the
// choice to the library.
func Diffuse(plate *matrix.Matrix[float32], rate float32, steps, every int) *matrix.Matrix[float32] {
	return diffused.With(rate).Times(steps).Exchange(every).Apply(plate)
}

// Plate is a cold plate with sources on it: a hot disc, a hot bar, and a cold
// one.
func Plate(rows, cols int) []float32 {
	cells := make([]float32, rows*cols)
	for i := range rows {
		y := (float64(i) + 0.5) / float64(rows)
		for j := range cols {
			x := (float64(j) + 0.5) / float64(cols)
			switch {
			case math.Hypot(x-0.3, y-0.35) < 0.08:
				cells[i*cols+j] = Held(1)
			case math.Abs(x-0.72) < 0.02 && math.Abs(y-0.6) < 0.25:
				cells[i*cols+j] = Held(0.8)
			case math.Abs(y-0.8) < 0.02 && math.Abs(x-0.3) < 0.2:
				cells[i*cols+j] = Held(0)
			}
		}
	}
	return cells
}
