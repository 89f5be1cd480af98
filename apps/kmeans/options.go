package kmeans

import (
	"cmp"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/matrix"
)

// number is the type of coordinates.
type number interface{ float32 | float64 }

// Init is a method of choosing the first centres.
type Init string

// The methods of choosing the first centres.
const (
	First    Init = "first"           // the first k points
	Random   Init = "random"          // k points, with probabilities proportional to their weights
	PlusPlus Init = "kmeans++"        // points far from each other (Arthur and Vassilvitskii 2007)
	Parallel Init = "kmeans-parallel" // the same in a few passes, for large k (Bahmani et al. 2012)
)

// Empty is a policy for clusters that have lost all their points.
type Empty string

// The policies for empty clusters.
const (
	Keep     Empty = "keep"     // it keeps its centre, and may find points again
	Farthest Empty = "farthest" // it takes the point that is farthest from its centre, as in scikit-learn
	Drop     Empty = "drop"     // it is left out; the result has fewer clusters
)

// Algorithm is a method of assigning points. All methods find the same labels in every
// iteration.
type Algorithm string

// The methods of assigning points.
const (
	Lloyd  Algorithm = "lloyd"  // computes the distances of all points from all centres
	Bounds Algorithm = "bounds" // keeps bounds on distances, and computes those that may change a label
	Auto   Algorithm = "auto"   // tries both and takes the faster one
)

// Options are the options of Cluster. Only K or Start is required.
type Options struct {
	K         int
	Init      Init        // "" means PlusPlus
	Start     [][]float64 // the first centres; if set, Init is ignored
	NInit     int         // the number of starts; the one with the least inertia is kept; 0 means 1
	Seed      uint64      // of the random choices; start s uses Seed + s
	MaxIter   int         // the maximum number of iterations; 0 means 501
	Threshold int         // stop when no more than this number of labels move
	Empty     Empty       // "" means Keep
	Algorithm Algorithm   // "" means Lloyd
	Weights   []float64   // one for each point, not negative; nil means that all are 1

	// Progress, if set, is called when the first centres are chosen, as
	// iteration 0, and after every iteration.
	Progress func(start, iteration, moved int)

	checkpoint *checkpoint.File
}

func inputErrorf(format string, args ...any) error {
	return app.InputErrorf("k-means: "+format, args...)
}

// check sets the defaults and reports options that are wrong.
func (o *Options) check(n, dim int) error {
	if o.Start != nil {
		if o.K == 0 {
			o.K = len(o.Start)
		}
		if o.K != len(o.Start) {
			return inputErrorf("k is %d, and the number of start centres is %d", o.K, len(o.Start))
		}
		for i, c := range o.Start {
			if len(c) != dim {
				return inputErrorf("start centre %d has %s; the points have %d", i, app.Count(len(c), "coordinate"),
					dim)
			}
		}
	}
	o.NInit, o.MaxIter = max(o.NInit, 1), cmp.Or(o.MaxIter, 501)
	o.Init, o.Empty, o.Algorithm = cmp.Or(o.Init, PlusPlus), cmp.Or(o.Empty, Keep), cmp.Or(o.Algorithm, Lloyd)
	if o.Start != nil || o.Init == First {
		o.NInit = 1 // all starts are the same
	}
	switch {
	case n == 0 || dim == 0:
		return inputErrorf("there are no points: %s of %s", app.Count(n, "row"), app.Count(dim, "column"))
	case o.K < 1:
		return inputErrorf("k is %d; it must be at least 1", o.K)
	case o.K > n:
		return inputErrorf("k is %d, which is more than the %s", o.K, app.Count(n, "point"))
	case o.MaxIter < 1:
		return inputErrorf("at most %d iterations; it must be at least 1", o.MaxIter)
	case o.Threshold < 0:
		return inputErrorf("the threshold is %d; it must not be negative", o.Threshold)
	case o.Init != First && o.Init != Random && o.Init != PlusPlus && o.Init != Parallel:
		return inputErrorf("unknown init %q", o.Init)
	case o.Empty != Keep && o.Empty != Farthest && o.Empty != Drop:
		return inputErrorf("unknown policy for empty clusters %q", o.Empty)
	case o.Algorithm != Lloyd && o.Algorithm != Bounds && o.Algorithm != Auto:
		return inputErrorf("unknown algorithm %q", o.Algorithm)
	}
	return checkWeights(o.Weights, n, o.K)
}

func checkWeights(weights []float64, n, k int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		return inputErrorf("%s for %s; there must be one for each", app.Count(len(weights), "weight"),
			app.Count(n, "point"))
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
		return inputErrorf("k is %d, which is more than the %s of positive weight", k, app.Count(positive, "point"))
	}
	return nil
}

// totalWeight returns the sum of the weights of n points.
func (o *Options) totalWeight(n int) float64 {
	if o.Weights == nil {
		return float64(n)
	}
	total := 0.0
	for _, w := range o.Weights {
		total += w
	}
	return total
}

// measure computes the largest absolute value of each column of points, which may have more columns than
// coordinates. It reports numbers whose squares overflow or underflow.
func (m *model[T]) measure(points *matrix.Matrix[T]) error {
	magnitudes := m.magnitude.ApplyMatrix(points)
	defer magnitudes.Free()
	columns := m.largest.Cols(magnitudes)
	defer columns.Free()
	most, err := columns.Host()
	if err != nil {
		return err
	}
	m.extents = slices.Clone(most[:m.dim]) // Host returns the vector's own memory
	return m.checkLargest(slices.Max(m.extents))
}

// checkLargest reports a largest absolute value of a coordinate that is too large or too small.
func (m *model[T]) checkLargest(largest T) error {
	v := float64(largest)
	most, least, name := math.MaxFloat64, 1e-300, "float64"
	if _, ok := any(T(0)).(float32); ok {
		most, least, name = math.MaxFloat32, 1e-34, "float32"
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil // Cluster accepts infinities and NaN
	}
	m.finite = true
	if 2*v >= math.Sqrt(most/float64(m.dim)) || v > 0 && v*v < least {
		return inputErrorf("the largest number is %v; squared distances of such numbers do not fit %s: "+
			"divide the columns by a unit of their size", largest, name)
	}
	return nil
}
