package scale

import (
	"math"
	"math/bits"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// On CPUs, a candidate for few objects is evaluated by one function, whose arrays fit the cache. It
// distributes the objects to buckets by their values, and sorts what is then almost sorted. The order of
// equal values does not matter, if sums of costs are exact.

const (
	smallRow   = 1024 // the maximum number of objects
	bucketBits = 10
)

// smallArgs is what the least cost of few objects is computed from.
type smallArgs struct {
	Valued valued
	Costs  matrix.View[float64]
	Rule   rule
}

// small returns the least cost of the boundaries for candidate i, as least does.
func small[V costs](i int, s smallArgs) float64 {
	var unsorted, order [smallRow]int64
	n, low, high := 0, int64(math.MaxInt64), int64(math.MinInt64)
	for o := range s.Valued.X.Cols() {
		object := key(matrix.Index{Row: i, Col: o}, s.Valued)
		if object&codeMask == 0 {
			continue
		}
		unsorted[n] = object
		n++
		low, high = min(low, object), max(high, object)
	}
	var ends [1<<bucketBits + 1]int32
	shift := max(0, bits.Len64(uint64(high-low))-bucketBits)
	for o := range n {
		ends[(unsorted[o]-low)>>shift]++
	}
	sum := int32(0)
	for b := range 1 << bucketBits {
		sum, ends[b] = sum+ends[b], sum
	}
	for o := range n {
		b := (unsorted[o] - low) >> shift
		order[ends[b]] = unsorted[o]
		ends[b]++
	}
	for gap := 64; gap > 0; gap /= 8 { // the method of Shell
		for o := gap; o < n; o++ {
			x, at := order[o], o
			for at >= gap && order[at-gap] > x {
				order[at] = order[at-gap]
				at -= gap
			}
			order[at] = x
		}
	}
	best := nothing[V](s.Rule)
	last := order[0] >> codeBits
	for o := range n {
		code, value := int(order[o]&codeMask), order[o]>>codeBits
		cut := value-last > 1
		last = value
		earlier := noStates()
		for k := range len(best) {
			best[k] = earlier.enter(best[k], k, cut, s.Rule) + s.Costs.At(code, k)
		}
	}
	return leastOf(best, s.Rule)
}

// smalls has the skeletons by the length of a row of costs.
var smalls = map[int]*skel.MapWith[int, smallArgs, float64]{
	2:  skel.NewMapWith(small[[2]float64]),
	3:  skel.NewMapWith(small[[3]float64]),
	4:  skel.NewMapWith(small[[4]float64]),
	5:  skel.NewMapWith(small[[5]float64]),
	8:  skel.NewMapWith(small[[8]float64]),
	16: skel.NewMapWith(small[[16]float64]),
}
