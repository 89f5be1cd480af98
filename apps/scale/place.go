package scale

import (
	"cmp"
	"math"
	"slices"
)

// ranked is an object in the order of F.
type ranked struct {
	object int
	value  int64 // F in fixed point, as in a key
}

// orderOf returns the objects of a problem in ascending order of F, whose magnitude is at most
// largest.
func orderOf(f []float64, largest float64, codes []int32) []ranked {
	scale := perUnit(largest)
	order := make([]ranked, 0, len(f))
	for i, v := range f {
		if codes[i] != 0 {
			order = append(order, ranked{i, int64(v * scale)})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(codes[a.object], codes[b.object]))
	})
	return order
}

// values returns F of all objects, and the bound of its magnitude that the fixed point needs.
func (d *Data) values(weights, most []float64) (f []float64, largest float64) {
	for j, w := range weights {
		largest = math.FMA(math.Abs(w), most[j], largest)
	}
	f = make([]float64, d.N())
	for i := range f {
		f[i] = weigh(weights, d.row(i))
	}
	return f, largest
}

// weigh returns F of an object.
func weigh(weights, x []float64) float64 {
	f := 0.0
	for j, w := range weights {
		f = math.FMA(w, x[j], f)
	}
	return f
}

// largestOf returns the largest magnitude of each feature.
func (d *Data) largestOf() []float64 {
	most := make([]float64, len(d.Features))
	for i := range d.N() {
		for j, x := range d.row(i) {
			most[j] = max(most[j], math.Abs(x))
		}
	}
	return most
}

// middle returns the number in the middle between two numbers, in as few decimal digits as the
// middle of their shortest decimal forms has, if it is between them.
func middle(a, b float64) float64 {
	m := a + (b-a)/2
	for digits := range 16 {
		scale := math.Pow(10, float64(digits))
		r := math.Round(m*scale) / scale
		if math.Abs(r-m) <= 1e-12*max(math.Abs(a), math.Abs(b)) && a < r && r < b {
			return r
		}
	}
	return m
}
