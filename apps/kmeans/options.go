package kmeans

import (
	"fmt"
	"math"
)

// number is the type of coordinates.
type number interface{ float32 | float64 }

// Init says how the first centres are chosen.
type Init string

// The ways to choose the first centres.
const (
	First    Init = "first"           // the first k points
	Random   Init = "random"          // k points, each with the chance of its weight
	PlusPlus Init = "kmeans++"        // points far from each other (Arthur and Vassilvitskii 2007)
	Parallel Init = "kmeans-parallel" // the same in few passes over the points, for large k (Bahmani et al. 2012)
)

// Empty says what becomes of a cluster that lost all its points.
type Empty string

// The policies for empty clusters.
const (
	Keep     Empty = "keep"     // it keeps its centre, and may find points again
	Farthest Empty = "farthest" // it takes the point farthest from its centre, as in scikit-learn
	Drop     Empty = "drop"     // it is left out; the result has fewer clusters
)

// Options say how to cluster. Only K, or Start, is needed.
type Options struct {
	K         int
	Init      Init        // PlusPlus when empty
	Start     [][]float64 // the first centres themselves; Init is not used then
	NInit     int         // how many starts to try, the one with the least inertia wins; 1 when 0
	Seed      uint64      // of the random choices; start s uses Seed + s
	MaxIter   int         // iterations, at most; 501 when 0
	Threshold int         // stop when at most so many labels move
	Empty     Empty       // Keep when empty
	Weights   []float64   // one a point, not negative; all 1 when nil

	// Progress, if set, is called when the first centres are chosen, as
	// iteration 0, and after every iteration.
	Progress func(start, iteration, moved int)
}

// InputError is an error in the points or in the options, not one of the
// device.
type InputError struct{ msg string }

func (e *InputError) Error() string { return e.msg }

func inputErrorf(format string, args ...any) error {
	return &InputError{fmt.Sprintf("k-means: "+format, args...)}
}

// check fills in what is left out and finds what cannot be.
func (o *Options) check(n, dim int) error {
	if o.Start != nil {
		if o.K == 0 {
			o.K = len(o.Start)
		}
		if o.K != len(o.Start) {
			return inputErrorf("k is %d, but there are %d start centres", o.K, len(o.Start))
		}
		for i, c := range o.Start {
			if len(c) != dim {
				return inputErrorf("start centre %d has %d coordinates; the points have %d", i, len(c), dim)
			}
		}
	}
	o.NInit, o.MaxIter = max(o.NInit, 1), defaultTo(o.MaxIter, 501)
	if o.Init == "" {
		o.Init = PlusPlus
	}
	if o.Empty == "" {
		o.Empty = Keep
	}
	if o.Start != nil || o.Init == First {
		o.NInit = 1 // all starts are the same
	}
	switch {
	case n == 0 || dim == 0:
		return inputErrorf("there are no points: %d rows of %d columns", n, dim)
	case o.K < 1:
		return inputErrorf("k is %d; it must be at least 1", o.K)
	case o.K > n:
		return inputErrorf("k is %d, but there are only %d points", o.K, n)
	case o.MaxIter < 1:
		return inputErrorf("at most %d iterations; it must be at least 1", o.MaxIter)
	case o.Threshold < 0:
		return inputErrorf("the threshold is %d; it must not be negative", o.Threshold)
	case o.Init != First && o.Init != Random && o.Init != PlusPlus && o.Init != Parallel:
		return inputErrorf("unknown init %q", o.Init)
	case o.Empty != Keep && o.Empty != Farthest && o.Empty != Drop:
		return inputErrorf("unknown policy for empty clusters %q", o.Empty)
	}
	return checkWeights(o.Weights, n, o.K)
}

func checkWeights(weights []float64, n, k int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		return inputErrorf("there are %d weights for %d points", len(weights), n)
	}
	positive := 0
	for i, w := range weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return inputErrorf("weight %d is %v; it must be finite and not negative", i, w)
		}
		if w > 0 {
			positive++
		}
	}
	if positive < k {
		return inputErrorf("k is %d, but only %d points have a positive weight", k, positive)
	}
	return nil
}

func defaultTo(v, usual int) int {
	if v == 0 {
		return usual
	}
	return v
}
