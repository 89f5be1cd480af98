package grayscott

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Cell holds the concentrations of the two chemicals in a cell of the plate.
type Cell struct{ U, V float32 }

// Rates are the parameters of the model. U is fed to the plate at rate Feed, and
// V is removed at rate Feed + Kill.
type Rates struct{ Feed, Kill float32 }

// The diffusion rates of U and V, for cells and steps of unit size.
const (
	diffusionU = 0.16
	diffusionV = 0.08
)

// react returns a cell after one step: U and V diffuse, and U + 2V becomes 3V.
func react(w matrix.Window[Cell], r Rates) Cell {
	c, up, down, left, right := w.At(0, 0), w.At(-1, 0), w.At(1, 0), w.At(0, -1), w.At(0, 1)
	flowU := up.U + down.U + left.U + right.U - 4*c.U
	flowV := up.V + down.V + left.V + right.V - 4*c.V
	reaction := c.U * c.V * c.V
	return Cell{
		U: c.U + (diffusionU*flowU - reaction + r.Feed*(1-c.U)),
		V: c.V + (diffusionV*flowV + reaction - (r.Feed+r.Kill)*c.V),
	}
}

// What leaves the plate on one side comes back on the other.
var reacted = skel.NewMapOverlapMatrixWith(react, 1, 1).Padding(vector.Wrap)

// Steps returns the plate after some steps.
func Steps(plate *matrix.Matrix[Cell], r Rates, steps int) *matrix.Matrix[Cell] {
	return reacted.With(r).Times(steps).Apply(plate)
}
