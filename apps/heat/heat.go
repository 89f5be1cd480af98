package heat

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

// Temperatures are not negative. A cell whose temperature is fixed has the sign
// bit set: -3 is a source of heat at 3, and -0 a source of cold.

// Held returns a cell with a fixed temperature.
func Held(temperature float32) float32 {
	return float32(math.Copysign(float64(temperature), -1))
}

// Temperature returns the temperature of a cell, fixed or not.
func Temperature(cell float32) float32 { return float32(math.Abs(float64(cell))) }

// diffuse returns a cell after a step, in which its temperature moves toward those of its
// four neighbours.
func diffuse(w matrix.Window[float32], rate float32) float32 {
	u := w.At(0, 0)
	if math.Signbit(float64(u)) {
		return u
	}
	around := Temperature(w.At(-1, 0)) + Temperature(w.At(1, 0)) +
		Temperature(w.At(0, -1)) + Temperature(w.At(0, 1))
	return u + rate*(around-4*u)
}

// The edges of the plate are insulated: cells beyond an edge are as warm as those at
// the edge.
var diffused = skel.NewMapOverlapMatrixWith(diffuse, 1, 1)

// Diffuse returns the plate after some steps. In a step, the share rate of the
// difference between neighbours flows; above 0.25 the result is not physical.
// Several devices exchange rows after the number of steps in every; 0 lets the library
// choose.
func Diffuse(plate *matrix.Matrix[float32], rate float32, steps, every int) *matrix.Matrix[float32] {
	return diffused.With(rate).Times(steps).Exchange(every).Apply(plate)
}

// Plate returns a cold plate with three sources: a hot disc, a hot bar and a cold
// bar.
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
