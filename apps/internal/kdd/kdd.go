package kdd

import "math/rand/v2"

// N is the number of points that measurements are told for, and Dim their
// dimension.
const (
	N   = 494_020
	Dim = 34
)

// clusters is how many groups the points form, the first ones the largest.
const clusters = 23

// Points makes n points, one after the other; the same ones every time.
func Points(n int) []float32 {
	r := rand.New(rand.NewPCG(1999, Dim))
	centres := make([]float32, clusters*Dim)
	for v := range centres {
		centres[v] = r.Float32() * float32(1+v%Dim)
	}
	points := make([]float32, 0, n*Dim)
	for range n {
		c := int(clusters * r.Float64() * r.Float64())
		for j := range Dim {
			points = append(points, centres[c*Dim+j]+float32(r.NormFloat64())*float32(1+j)*0.2)
		}
	}
	return points
}
