package sobel

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

// gradient returns how fast the pixels around a pixel change, by the operator of Sobel
// and Feldman (1968).
func gradient(w matrix.Window[uint8]) uint8 {
	nw, n, ne := int32(w.At(-1, -1)), int32(w.At(-1, 0)), int32(w.At(-1, 1))
	sw, s, se := int32(w.At(1, -1)), int32(w.At(1, 0)), int32(w.At(1, 1))
	x := ne + 2*int32(w.At(0, 1)) + se - nw - 2*int32(w.At(0, -1)) - sw
	y := sw + 2*s + se - nw - 2*n - ne
	return uint8(min(float32(math.Sqrt(float64(float32(x*x+y*y))))+0.5, 255))
}

var gradients = skel.NewMapOverlapMatrix(gradient, 1, 1)

// Edges returns an image of the edges in an image of grey pixels.
func Edges(image *matrix.Matrix[uint8]) *matrix.Matrix[uint8] { return gradients.Apply(image) }
