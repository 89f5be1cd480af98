package plain

import (
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// axis is the axis of frequencies.
type axis struct{ Begin, Step float64 }

// radian is the radians between two samples of an oscillation of 1 Hz, with the paper's π.
const radian = 2 * 3.14159 * 2e-7

// code has a bit for every 150 samples, the highest first. The carrier is negated in bits that are 0.
const code uint16 = 0xc44b

// functional returns the energy that remains of 16 * 150 samples when the best combination of a
// phase-coded carrier and of an oscillation is subtracted.
func functional(node int, a axis) float64 {
	frequency := a.Begin + float64(a.Step*float64(node))
	var energy float64
	var r [4]float64
	var c [4][4]float64
	for bit := range 16 {
		sign := float64(code>>(15-bit)&1)*2 - 1
		for j := bit * 150; j < bit*150+150; j++ {
			carrierSin, carrierCos := math64.Sincos(radian * 465000 * float64(j))
			s, co := math64.Sincos(radian * frequency * float64(j))
			sample := math64.Sin(radian * 467321.36 * float64(j))
			x := [4]float64{sign * carrierCos, sign * carrierSin, co, s}
			energy = math.FMA(sample, sample, energy)
			for k := range 4 {
				r[k] = math.FMA(x[k], sample, r[k])
				for l := range 4 {
					c[k][l] = math.FMA(x[k], x[l], c[k][l])
				}
			}
		}
	}
	return energy - quadratic(c, r)
}

// quadratic returns r'C⁻¹r, by the factors of C = LDL': r'C⁻¹r is the sum of the squares of the
// elements of L⁻¹r, each divided by its pivot.
func quadratic(c [4][4]float64, r [4]float64) (sum float64) {
	for p := range 4 {
		sum += r[p] * r[p] / c[p][p]
		for k := p + 1; k < 4; k++ {
			factor := c[k][p] / c[p][p]
			r[k] = math.FMA(-factor, r[p], r[k])
			for l := p + 1; l < 4; l++ {
				c[k][l] = math.FMA(-factor, c[p][l], c[k][l])
			}
		}
	}
	return sum
}

var (
	values  = skel.NewMapWith(functional)
	indexed = skel.NewZip(skel.WithIndex[float64])
	least   = skel.NewReduce(skel.ArgMin[float64], skel.Indexed[float64]{Value: math.Inf(1), Index: -1})
)

// Minimum returns the least value on an axis of n frequencies, and its position.
func Minimum(begin, step float64, n int, where vector.Distribution) (value float64, position int, err error) {
	nodes := vector.Indices(n, where)
	best, err := least.Apply(indexed.Apply(values.With(axis{begin, step}).Apply(nodes), nodes)).Value()
	return best.Value, best.Index, err
}
