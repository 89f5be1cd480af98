package baseline

import (
	"errors"
	"math"
)

// Descend searches weights between -1 and 1 as the paper does. It starts with weights of 1, and steps
// along one weight after the other as long as errors become fewer, first upward and then downward,
// until no step along any weight lowers them. Every step tries all sets of boundaries. x has the
// features of the first object, then those of the second, and so on.
func (p *Program) Descend(x []float64, features int, groups []int32, step float64) ([]float64, int, error) {
	weights := make([]float64, features)
	for j := range weights {
		weights[j] = 1
	}
	least, err := p.errors(x, weights, groups)
	if err != nil {
		return nil, 0, err
	}
	for j, idle := 0, 0; idle < features; j, idle = (j+1)%features, idle+1 {
		from := weights[j]
		for _, sign := range []float64{1, -1} {
			for k := 1.0; ; k++ {
				before := weights[j]
				weights[j] = tidy(from + sign*k*step)
				if math.Abs(weights[j]) > 1 {
					weights[j] = before
					break
				}
				n, err := p.errors(x, weights, groups)
				if err != nil {
					return nil, 0, err
				}
				if n >= least {
					weights[j] = before
					break
				}
				least, idle = n, -1
			}
			if weights[j] != from {
				break
			}
		}
	}
	return weights, least, nil
}

// errors returns the least number of errors with weights. It is more than the number of objects if
// there are no boundaries.
func (p *Program) errors(x, weights []float64, groups []int32) (int, error) {
	least, _, err := p.Run(Values(x, weights), groups)
	if errors.Is(err, ErrTooFew) {
		return p.n + 1, nil
	}
	return least, err
}

// Values returns the weighted sums of features. They are rounded, so that sums that are equal but for
// the rounding of their terms are equal.
func Values(x, weights []float64) (values []float64) {
	for ; len(x) > 0; x = x[len(weights):] {
		sum := 0.0
		for j, w := range weights {
			sum += w * x[j]
		}
		values = append(values, math.Round(sum*1e9)/1e9)
	}
	return values
}

// tidy returns v without the rounding of steps, so that 3 steps of 0.1 are 0.3.
func tidy(v float64) float64 { return math.Round(v*1e12) / 1e12 }
