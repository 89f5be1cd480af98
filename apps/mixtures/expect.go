package mixtures

import (
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

const (
	// stripLength is the number of values of a strip. It is fixed, so that a sum does not
	// depend on what else is in the batch.
	stripLength = 32
	// stripGroup is the number of strips that are stored together for a GPU.
	stripGroup = 32
	// mostStrips is the number of strips of a long data set that one call of expect adds up.
	mostStrips = 4
	// blockLength is the number of values that are computed together on other devices.
	blockLength = 8
	// pairLength is that number on a GPU: two chains of operations that do not wait for each
	// other.
	pairLength = 2
	// maxComponents is the largest number of components.
	maxComponents = 16
)

// value is a number as a family uses it: X is the number or a function of it, and Y is
// another function of it, so that neither is computed in every iteration.
type value struct{ X, Y float64 }

// sums are the sums of a component over values: of the probabilities that a value belongs to
// the component, and of three products of these with functions that the family chooses.
type sums struct{ W, A, B, C float64 }

func (s *sums) add(t sums) {
	s.W += t.W
	s.A += t.A
	s.B += t.B
	s.C += t.C
}

// sumsSize is the number of sums of a component.
const sumsSize = 4

// family is a component of a mixture from a family of distributions: its parameters, and
// constants that its density needs.
type family[F any] interface {
	// value returns what the kernels need of a number.
	value(x float64) value
	// at returns the component with a weight and two parameters.
	at(weight, p, q float64) F
	// parameters returns the arguments of at.
	parameters() (weight, p, q float64)
	// log returns the logarithm of weight times density, without the terms that are the
	// same for all components, and what terms needs of it.
	log(v value) (log, kept float64)
	// terms returns what is summed over the values.
	terms(v value, kept float64) (a, b, c float64)
	// three reports whether the third of them is used.
	three() bool
	// complete returns the sum of the logarithms, each times the probability that the
	// value belongs to the component.
	complete(s sums) float64
	// next returns the most likely component, given its sums. It is no narrower than limit
	// allows.
	next(s sums, n, limit float64, oldMean bool) F
}

// weighted returns w*x, and 0 for a component without weight, whose x may be infinite.
func weighted(w, x float64) float64 {
	if w == 0 {
		return 0
	}
	return w * x
}

// row is a number for each of the values that expect computes together: one or two on a GPU, and
// on other devices a block of values, for vector instructions. Sums are in the order of the
// values, so results do not depend on it.
type row interface {
	[1]float64 | [pairLength]float64 | [blockLength]float64
}

// slot is what expect remembers about a component.
type slot[F any, R row] struct {
	F         F
	Log, Kept R
	Sums      sums
}

// slots are the components of a mixture. Their number is known when the kernel is built, so
// that they are in registers.
type slots[F any, R row] interface {
	[2]slot[F, R] | [4]slot[F, R] | [8]slot[F, R] | [16]slot[F, R]
}

// lane is the part of a fit that one call of expect computes: Strips strips, of which each comes
// stripGroup strips after the one before, so that neighbouring calls read neighbouring strips. Count
// is the number of values from the beginning of the first strip to the end of the data set.
type lane struct{ Fit, Strip, Strips, Count int32 }

// layout says how strips are stored: Group strips together, value by value, so that
// neighbouring calls read neighbouring numbers.
type layout struct{ Group int32 }

// at returns where value j of a strip is.
func (l layout) at(strip, j int) int {
	g := int(l.Group)
	return strip/g*(g*stripLength) + strip%g + j*g
}

// expectation is what expect reads and writes. Sum s of lane l is at s*len(Lanes) + l.
type expectation[F any] struct {
	Lanes      vector.View[lane]
	Values     vector.View[value]
	Components vector.View[F]
	Progress   vector.View[progress]
	Sums       vector.OutView[float64]
	Layout     layout
	M          int32
}

// valueOf returns what the kernels of a family need of a number.
func valueOf[F family[F]](x float64) value {
	var f F
	return f.value(x)
}

// expect computes the sums of a lane: the log-likelihood, and those of each component.
// Exponentials are relative to the largest term, so that densities may be as small as they
// like. Their sum is between 1 and M: the product over a lane does not overflow, and one
// logarithm suffices.
func expect[F family[F], R row, S slots[F, R]](i int, e expectation[F]) {
	l := e.Lanes.At(i)
	m, fit := int(e.M), int(l.Fit)*int(e.M)
	if e.Progress.At(fit).Status != running {
		return
	}
	var c S
	for k := range len(c) {
		if k < m {
			c[k].F = e.Components.At(fit + k)
		}
	}
	logLik, product := 0.0, 1.0
	var x, y, top, total, inverse R
	step := int(e.Layout.Group) // from one value to the next
	if len(top) == blockLength {
		step = 1 // so that compilers know it
	}
	for strip := range int(l.Strips) {
		from := e.Layout.at(int(l.Strip)+strip*stripGroup, 0)
		count := min(stripLength, int(l.Count)-strip*(stripGroup*stripLength))
		for j := 0; j < count; j += len(top) {
			at := from + j*step
			for b := range len(top) {
				v := e.Values.At(at + b*step)
				x[b], y[b], top[b], total[b] = v.X, v.Y, math.Inf(-1), 0
			}
			for k := range len(c) {
				if k < m {
					f := c[k].F
					for b := range len(top) {
						log, kept := f.log(value{x[b], y[b]})
						c[k].Log[b], c[k].Kept[b] = log, kept
						top[b] = larger(top[b], log)
					}
				}
			}
			for k := range len(c) {
				if k < m {
					for b := range len(top) {
						w := decay(c[k].Log[b] - top[b])
						total[b] += w
						c[k].Log[b] = w
					}
				}
			}
			for b := range len(top) {
				inverse[b] = 1 / total[b]
			}
			for b := range len(top) {
				if j+b < count { // the strip has memory for all values of a row
					logLik += top[b]
					product *= total[b]
				}
			}
			for k := range len(c) {
				if k < m {
					f, s := c[k].F, c[k].Sums
					for b := range len(top) {
						if j+b < count {
							w := c[k].Log[b] * inverse[b]
							p, q, r := f.terms(value{x[b], y[b]}, c[k].Kept[b])
							s.W += w
							s.A = math.FMA(w, p, s.A)
							s.B = math.FMA(w, q, s.B)
							if f.three() {
								s.C = math.FMA(w, r, s.C)
							}
						}
					}
					c[k].Sums = s
				}
			}
		}
	}
	n := e.Lanes.Len()
	e.Sums.Set(i, logLik+math64.Log(product))
	for k := range len(c) {
		if k < m {
			to := (1+k*sumsSize)*n + i
			e.Sums.Set(to, c[k].Sums.W)
			e.Sums.Set(to+n, c[k].Sums.A)
			e.Sums.Set(to+2*n, c[k].Sums.B)
			if c[k].F.three() {
				e.Sums.Set(to+3*n, c[k].Sums.C)
			}
		}
	}
}

// larger returns the larger one of two numbers, and y if x is not a number.
func larger(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

// decay returns e**x for x from -Inf to 0, with an error below one unit in the last place, and 0
// below -700, where a weight makes no difference. It needs half of the operations of
// [math64.Exp], which rounds better and covers all numbers.
func decay(x float64) float64 {
	const (
		toInteger = 0x1.8p52 // added to a number, it leaves the nearest integer in the last bits
		ln2Hi     = 0x1.62e42fefa39efp-1
		ln2Lo     = 0x1.abc9e3b39803fp-56
	)
	shifted := math.FMA(x, math.Log2E, toInteger)
	whole := shifted - toInteger
	r := math.FMA(whole, -ln2Lo, math.FMA(whole, -ln2Hi, x))
	// The Taylor series, with the last coefficients adjusted for -ln 2/2 to ln 2/2.
	q := math.FMA(r, 0x1.1f860dcfcd221p-29, 0x1.af6efecf4db42p-26)
	q = math.FMA(r, q, 0x1.27e4d00e36129p-22)
	q = math.FMA(r, q, 0x1.71ddee2e750d9p-19)
	q = math.FMA(r, q, 0x1.a01a01ab83b96p-16)
	q = math.FMA(r, q, 0x1.a01a01b45c909p-13)
	q = math.FMA(r, q, 0x1.6c16c16c156adp-10)
	q = math.FMA(r, q, 0x1.111111110e9d0p-7)
	q = math.FMA(r, q, 0x1.5555555555557p-5)
	q = math.FMA(r, q, 0x1.555555555555cp-3)
	q = math.FMA(r, q, 0.5)
	q = math.FMA(r, q, 1)
	q = math.FMA(r, q, 1)
	exponent := int32(uint32(math.Float64bits(shifted)))
	power := math.Float64frombits(uint64(uint32(exponent+1023)<<20) << 32)
	if x < -700 {
		return 0
	}
	return q * power
}
