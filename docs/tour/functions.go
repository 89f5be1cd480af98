package tour

import (
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// show functions

// logistic returns the probability that belongs to the logarithm of odds.
func logistic(x float64) float64 { return 1 / (1 + math64.Exp(-x)) }

var probabilities = skel.NewMap(logistic)

// end
