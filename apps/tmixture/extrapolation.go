package tmixture

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// extrapolation finds parameters near their limit. Where the likelihood is flat, EM changes
// them by very small steps, each a constant part of the one before. An extrapolation is
// undone if it makes the likelihood fall.
type extrapolation struct {
	History [][]float64 // the coordinates of the last parameters
	Safe    *parameters // the parameters without the last extrapolation
	Floor   float64     // the likelihood before it, minus its noise
	Pause   int         // the number of iterations until the next one
	Jumped  bool        // to many degrees of freedom; once is enough
	Origin  *parameters // the parameters before the jump, until it is confirmed
}

// flatDF are degrees of freedom beyond which the likelihood is almost flat.
const flatDF = 200

// jump returns theta with the most degrees of freedom for the components whose number grows
// and is large already, or nil. EM would get there in thousands of iterations.
func (e *extrapolation) jump(f *setting, theta *parameters) *parameters {
	n := len(e.History)
	if e.Jumped || f.o.DF == Fixed {
		return nil
	}
	far := theta.clone()
	size := len(e.History[0]) / theta.g() // of a component; log ν is first
	for j, nu := range theta.df {
		a, b, c := e.History[n-3][j*size], e.History[n-2][j*size], e.History[n-1][j*size]
		if nu > flatDF && nu < maxDF && a < b && b < c {
			far.df[j], e.Jumped = maxDF, true
		}
	}
	if !e.Jumped {
		return nil
	}
	return far
}

// next returns the parameters theta of an iteration, extrapolated, or nil. l is the
// likelihood before the iteration.
func (e *extrapolation) next(f *setting, theta *parameters, l float64) *parameters {
	e.Safe = nil
	e.History = append(e.History, f.coordinates(theta))
	n := len(e.History)
	if n < max(5, e.Pause) {
		return nil
	}
	if far := e.jump(f, theta); far != nil {
		e.History, e.Safe, e.Floor, e.Origin = nil, theta, l-f.noise, theta
		return far
	}
	now, last, before := e.History[n-1], e.History[n-2], e.History[n-3]
	e.History = slices.Clone(e.History[n-3:])
	step := make([]float64, len(now))
	size, sizeBefore, largest := 0.0, 0.0, 0.0
	for i := range now {
		step[i] = now[i] - last[i]
		size, sizeBefore = size+step[i]*step[i], sizeBefore+(last[i]-before[i])*(last[i]-before[i])
		largest = max(largest, math.Abs(step[i]))
	}
	rate := math.Sqrt(size / sizeBefore)
	if !(rate > 0.3 && rate < 1) {
		return nil
	}
	factor := min(rate/(1-rate), 1/largest)
	for i := range now {
		step[i] = now[i] + factor*step[i]
	}
	far := f.fromCoordinates(step, theta)
	if far == nil {
		return nil
	}
	e.History, e.Safe, e.Floor = nil, theta, l-f.noise
	return far
}

// overshot returns the parameters before a jump from which the next iteration leads back, or
// nil. There is a maximum between both.
func (e *extrapolation) overshot(theta, next *parameters) *parameters {
	origin := e.Origin
	e.Origin = nil
	if origin == nil || next.g() != origin.g() {
		return nil
	}
	for j, nu := range origin.df {
		if nu < maxDF && theta.df[j] == maxDF && next.df[j] < maxDF*(1-1e-6) {
			return origin
		}
	}
	return nil
}

// undo returns the parameters without the last extrapolation if it made the likelihood l
// fall, or nil.
func (e *extrapolation) undo(l float64) *parameters {
	safe := e.Safe
	if safe == nil {
		return nil
	}
	e.Safe = nil
	if l >= e.Floor {
		e.Pause = 0
		return nil
	}
	e.Pause, e.Origin = max(10, 2*e.Pause), nil
	return safe
}

// coordinates returns the parameters as numbers of similar size: log ν, log π, and means and
// covariances in units of the standard deviations of the columns.
func (f *setting) coordinates(theta *parameters) (x []float64) {
	scale := make([]float64, f.p)
	for c, v := range f.variances {
		scale[c] = 1 / math.Sqrt(v)
	}
	x = make([]float64, 0, theta.g()*(2+f.p+f.p*(f.p+1)/2))
	for j := range theta.weights {
		x = append(x, math.Log(theta.df[j]), math.Log(theta.weights[j]))
		sigma := theta.covariances[j].RawSymmetric()
		for r, unit := range scale {
			x = append(x, theta.means[j][r]*unit)
			for c, v := range sigma.Data[r*sigma.Stride+r : r*sigma.Stride+f.p] { // of the upper triangle
				x = append(x, v*unit*scale[r+c])
			}
		}
	}
	return x
}

// fromCoordinates returns the parameters with the given coordinates, or nil if they are not
// those of a mixture.
func (f *setting) fromCoordinates(x []float64, like *parameters) *parameters {
	theta := like.clone()
	total := 0.0
	for j := range theta.weights {
		if f.o.DF != Fixed {
			theta.df[j] = min(max(math.Exp(x[0]), minDF), maxDF)
		}
		theta.weights[j] = math.Exp(x[1])
		total += theta.weights[j]
		x = x[2:]
		theta.means[j] = make([]float64, f.p)
		theta.covariances[j] = mat.NewSymDense(f.p, nil)
		for r := range f.p {
			theta.means[j][r] = x[0] * math.Sqrt(f.variances[r])
			x = x[1:]
			for c := r; c < f.p; c++ {
				theta.covariances[j].SetSym(r, c, x[c-r]*math.Sqrt(f.variances[r]*f.variances[c]))
			}
			x = x[f.p-r:]
		}
	}
	for j := range theta.weights {
		theta.weights[j] /= total
	}
	if f.sound(theta) != nil {
		return nil
	}
	return theta
}
