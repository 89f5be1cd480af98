package grid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Polish is an iteration that improves the minimum on the host.
type Polish string

// The iterations. Both only accept points with lesser values.
const (
	NoPolish Polish = ""
	// Golden is the golden-section search of one coordinate after the other, each between the
	// neighbours of the node.
	Golden Polish = "golden"
	// Newton is Newton's method with derivatives by differences and a line search.
	Newton Polish = "newton"
)

// polish improves the best node that was found.
func polish(f *Function, axes Axes, how Polish, r *Result) *Node {
	p := &polisher{f: f}
	start := *r.Minimum
	for k, i := range axes.Indices(start.Position) {
		a := axes[k]
		lo, hi := a.At(max(i-1, 0)), a.At(min(i+1, a.Count-1))
		p.lo, p.hi = append(p.lo, min(lo, hi)), append(p.hi, max(lo, hi))
	}
	p.x, p.value = slices.Clone(start.Argument), start.Value
	if r.Refined != nil && r.Refined.Value < p.value {
		p.x, p.value = slices.Clone(r.Refined.Argument), r.Refined.Value
	}
	if how == Newton {
		p.newton()
	} else {
		p.golden()
	}
	return &Node{start.Position, p.x, p.value}
}

// polisher is a point that improves, between the bounds lo and hi.
type polisher struct {
	f      *Function
	lo, hi []float64
	x      []float64
	value  float64
}

// accept moves to x if the value there is less, and reports whether it is.
func (p *polisher) accept(x []float64) bool {
	for k, v := range x {
		if !(v >= p.lo[k] && v <= p.hi[k]) {
			return false
		}
	}
	if v := p.f.at(x); v < p.value && v-v == 0 {
		copy(p.x, x)
		p.value = v
		return true
	}
	return false
}

// golden searches each coordinate in turn until none improves.
func (p *polisher) golden() {
	for range 200 {
		before := p.value
		for k := range p.x {
			p.goldenAxis(k)
		}
		if !(p.value < before-1e-15*math.Abs(before)) {
			return
		}
	}
}

// goldenAxis is the golden-section search of coordinate k.
func (p *polisher) goldenAxis(k int) {
	const ratio = 0.6180339887498949
	x := slices.Clone(p.x)
	at := func(v float64) float64 {
		x[k] = v
		if y := p.f.at(x); y-y == 0 {
			return y
		}
		return math.Inf(1)
	}
	lo, hi := p.lo[k], p.hi[k]
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := at(a), at(b)
	for range 100 {
		if fa <= fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = at(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = at(b)
		}
		if !(hi-lo > 1e-16*(math.Abs(lo)+math.Abs(hi))) {
			break
		}
	}
	if fb < fa {
		a = b
	}
	x[k] = a
	p.accept(x)
}

// newton minimizes a quadratic function with the derivatives at x, and moves towards its minimum by
// a step that is halved until the value is less. Where the second derivatives have no positive
// definite matrix, multiples of the unit matrix are added. The coordinates on axes of one node stay.
func (p *polisher) newton() {
	var free []int
	for k := range p.x {
		if p.hi[k] > p.lo[k] {
			free = append(free, k)
		}
	}
	n := len(free)
	for range 100 {
		gradient, hessian := p.derivatives(free)
		if gradient == nil {
			return
		}
		scale := 0.0
		for k := range n {
			scale = max(scale, math.Abs(hessian.At(k, k)))
		}
		if !(scale > 0) {
			return
		}
		var factor mat.Cholesky
		for shift := 0.0; !factor.Factorize(hessian); {
			next := max(2*shift, 1e-3*scale)
			for k := range n {
				hessian.SetSym(k, k, hessian.At(k, k)+next-shift)
			}
			if shift = next; shift > 1e6*scale {
				return
			}
		}
		var step mat.VecDense
		if err := factor.SolveVecTo(&step, mat.NewVecDense(n, gradient)); err != nil && step.Len() == 0 {
			return
		}
		moved := false
		for t := 1.0; t > 1e-6 && !moved; t /= 2 {
			x := slices.Clone(p.x)
			for i, k := range free {
				x[k] = min(max(x[k]-t*step.AtVec(i), p.lo[k]), p.hi[k])
			}
			moved = p.accept(x)
		}
		if !moved {
			return
		}
	}
}

// derivatives returns the first and second derivatives in some coordinates by central differences,
// or nil if a value is not finite or there are no coordinates.
func (p *polisher) derivatives(free []int) ([]float64, *mat.SymDense) {
	n := len(free)
	if n == 0 {
		return nil, nil
	}
	h := make([]float64, n)
	for i, k := range free {
		h[i] = 1e-4 * max(p.hi[k]-p.lo[k], 1e-4*math.Abs(p.x[k]))
	}
	x := slices.Clone(p.x)
	at := func(i, j int, a, b float64) float64 {
		copy(x, p.x)
		x[free[i]] += a * h[i]
		x[free[j]] += b * h[j]
		return p.f.at(x)
	}
	gradient, hessian := make([]float64, n), mat.NewSymDense(n, nil)
	for i := range n {
		up, down := at(i, i, 1, 0), at(i, i, -1, 0)
		gradient[i] = (up - down) / (2 * h[i])
		hessian.SetSym(i, i, (up-2*p.value+down)/(h[i]*h[i]))
		for j := range i {
			cross := at(i, j, 1, 1) - at(i, j, 1, -1) - at(i, j, -1, 1) + at(i, j, -1, -1)
			hessian.SetSym(i, j, cross/(4*h[i]*h[j]))
		}
	}
	for i := range n {
		for j := range n {
			if v := hessian.At(i, j) + gradient[i]; v-v != 0 {
				return nil, nil
			}
		}
	}
	return gradient, hessian
}
