package kit

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// FivePoint computes a step of heat diffusion.
func FivePoint(w matrix.Window[float32]) float32 {
	u := w.At(0, 0)
	return u + 0.1*(w.At(-1, 0)+w.At(1, 0)+w.At(0, -1)+w.At(0, 1)-4*u)
}

// Field is a matrix or, with one row, a vector in plain Go, with its padding.
type Field[T any] struct {
	Rows, Cols int
	S          []T
	Padding    vector.Padding
	Neutral    T
}

// at returns element (i, j), or its padding outside. It does not use the library's
// implementation of padding.
func (f *Field[T]) at(i, j int) T {
	switch f.Padding {
	case vector.Wrap:
		for i < 0 {
			i += f.Rows
		}
		for j < 0 {
			j += f.Cols
		}
		i, j = i%f.Rows, j%f.Cols
	case vector.Nearest:
		for i < 0 {
			i++
		}
		for j < 0 {
			j++
		}
		for i >= f.Rows {
			i--
		}
		for j >= f.Cols {
			j--
		}
	default:
		if i < 0 || j < 0 || i >= f.Rows || j >= f.Cols {
			return f.Neutral
		}
	}
	return f.S[i*f.Cols+j]
}

// Overlap is MapOverlap in plain Go; f calls at for the elements around the current one.
func Overlap[In, Out any](x *Field[In], f func(at func(dr, dc int) In) Out) []Out {
	out := make([]Out, 0, len(x.S))
	for i := range x.Rows {
		for j := range x.Cols {
			out = append(out, f(func(dr, dc int) In { return x.at(i+dr, j+dc) }))
		}
	}
	return out
}

func FivePointAt(at func(dr, dc int) float32) float32 {
	u := at(0, 0)
	return u + 0.1*(at(-1, 0)+at(1, 0)+at(0, -1)+at(0, 1)-4*u)
}

func Integers(n int) []int32 {
	return Generate(n, func(d *Dice, _ int) int32 { return d.Int32() - 1<<30 })
}

var HeatStep = skel.NewMapOverlapMatrix(FivePoint, 1, 1)
