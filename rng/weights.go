package rng

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Weights are the probabilities of the numbers 0, 1, ..., m-1, for drawing numbers with
// replacement.
//
// A number j has the probability w[j]/sum(w), exact to 2^-62. A number with the weight 0
// is never drawn.
type Weights struct{ cumulative *vector.Vector[int64] }

// weightScale is the value to which the integer weights add up, except for rounding.
const weightScale = 0x1p62

// noFault is the index of the first faulty weight if there is none.
const noFault = math.MaxInt

// total holds the sum of the weights.
type total struct{ Sum float64 }

// cumulated holds the sums of the first 1, 2, ... weights.
type cumulated struct {
	Source
	Cumulative vector.View[int64]
}

// fault returns i if w is no weight.
func fault(i int, w float64) int {
	if w >= 0 && w <= math.MaxFloat64 {
		return noFault
	}
	return i
}

// scaledWeight returns the weight as an integer. Sums of integers have no rounding errors,
// so they never decrease, and a weight of 0 leaves them as they are.
func scaledWeight(w float64, t total) int64 { return int64(w / t.Sum * weightScale) }

func weightedOf(i int, c cumulated) int { return Weighted(c.Seed, c.Stream, i, c.Cumulative) }

var (
	faults        = skel.NewZip(fault)
	firstFault    = skel.NewReduce(skel.Min[int]())
	weightSum     = skel.NewReduce(skel.Sum[float64]())
	scaledWeights = skel.NewMapWith(scaledWeight)
	weightSums    = skel.NewScan(skel.Sum[int64]())
	weighteds     = skel.NewMapWith(weightedOf)
)

// NewWeights returns the weights as they are now. It computes their sums on the devices of
// the vector, in three passes, and needs 8 bytes for each weight. It returns an error if
// there is no weight, if a weight is negative, infinite or NaN, and if their sum is 0 or
// infinite.
func NewWeights(weights *vector.Vector[float64]) (*Weights, error) {
	n := weights.Len()
	if n == 0 {
		if err := weights.Wait(); err != nil {
			return nil, err
		}
		return nil, errors.New("rng: there are no weights")
	}
	if err := weights.Wait(); err != nil { // otherwise each pass would compute them
		return nil, err
	}
	first, err := firstFault.Apply(faults.Apply(vector.Indices(n), weights)).Value()
	if err != nil {
		return nil, err
	}
	if first != noFault {
		w, err := weights.At(first)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("rng: weight %d is %v; weights must be finite and not negative", first, w)
	}
	sum, err := weightSum.Apply(weights).Value()
	switch {
	case err != nil:
		return nil, err
	case sum == 0:
		return nil, errors.New("rng: all weights are 0")
	case sum > math.MaxFloat64:
		return nil, errors.New("rng: the sum of the weights is infinite; divide them by their number")
	}
	w := &Weights{weightSums.Inclusive(scaledWeights.With(total{sum}).Apply(weights))}
	if err := w.cumulative.Wait(); err != nil {
		return nil, err
	}
	return w, nil
}

// Len returns the number of weights.
func (w *Weights) Len() int { return w.cumulative.Len() }

// Cumulative returns a view of the sums of the first 1, 2, ..., m weights, for [Weighted].
// The weights are multiplied such that the last sum is close to 2^62.
func (w *Weights) Cumulative() vector.View[int64] { return w.cumulative.View() }

// Free releases the memory of the sums.
func (w *Weights) Free() { w.cumulative.Free() }

// Draw returns n numbers that are drawn with replacement. Like the vectors of a [Source],
// they are a pending expression, and element i is what [Weighted] returns for i. The cost
// of a number is that of a Uint64 and log2(m) reads.
func (w *Weights) Draw(s Source, n int, where ...vector.Distribution) *vector.Vector[int] {
	return weighteds.With(cumulated{s, w.Cumulative()}).Apply(vector.Indices(n, where...))
}

// Weighted returns a number that is drawn with the probabilities of some [Weights], for
// use in the function of a skeleton. The view is their method Cumulative. Weighted
// uses Uint64(seed, stream, i).
func Weighted(seed, stream uint64, i int, cumulative vector.View[int64]) int {
	m := cumulative.Len()
	place, _ := bits.Mul64(Uint64(seed, stream, i), uint64(cumulative.At(m-1)))
	lo, hi := 0, m-1 // the result is the first element that is greater than place
	for lo < hi {
		middle := int(uint(lo+hi) >> 1)
		if uint64(cumulative.At(middle)) > place {
			hi = middle
		} else {
			lo = middle + 1
		}
	}
	return lo
}
