package skel

import (
	"fmt"
	"math"
	"reflect"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// A histogram counts integers, so that elements can be counted in any order and the counts
// are still exact on every device. The bin of an element must be exact as well: it is
// defined by comparisons with the edges, not by a division that may round differently.

// CountByKey returns how many of the keys are k, for every k from 0 to n-1. Keys outside
// this range are ignored. If the keys are a pending Map or Zip, the kernel that counts
// them computes them. CountByKey is computed at once. It panics if n is negative.
func CountByKey(keys vector.Source[int32], n int) *vector.Vector[int] {
	if n < 0 {
		panic(fmt.Sprintf("skel: CountByKey: the number of keys, %d, is negative", n))
	}
	return histogramOf(open(keys), &binning[int32]{label: "CountByKey", bins: n, unit: true})
}

// HistogramEven counts the elements in each of the given number of bins of equal width,
// which divide the range from lo to hi. Bin k holds the elements x with
// edge(k) <= x < edge(k+1), where edge(k) = lo + (hi-lo)*k/bins in float64, and
// edge(bins) = hi. Elements are compared with edges by value, without rounding either of
// them, so an element is in the same bin on every device. All bins, also the last one, are
// half-open: the bins of a uint8 are
//
//	skel.HistogramEven(bytes, 0, 256, 256)
//
// Elements below lo, elements from hi on, and NaNs are ignored. If in is a pending Map or
// Zip, the kernel that counts the elements computes them. HistogramEven is computed at
// once. It panics if bins is less than 1, or unless lo < hi and (hi-lo)*bins is finite.
func HistogramEven[T Number](in vector.Source[T], lo, hi float64, bins int) *vector.Vector[int] {
	if bins < 1 {
		panic(fmt.Sprintf("skel: HistogramEven: the number of bins, %d, is less than 1", bins))
	}
	if !(lo < hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		panic(fmt.Sprintf("skel: HistogramEven: %g to %g is not a range of finite numbers with lo < hi", lo, hi))
	}
	if math.IsInf((hi-lo)*float64(bins), 0) {
		panic(fmt.Sprintf("skel: HistogramEven: (%g - %g) * %d, the range times the number of bins, is not finite",
			hi, lo, bins))
	}
	x := open(in)
	if bins > maxBins { // before evenBins computes their edges
		return histogramOf(x, &binning[T]{label: "HistogramEven", bins: bins})
	}
	return histogramOf(x, evenBins[T](lo, hi, bins))
}

// HistogramEdges counts the elements between neighbouring edges. Bin k holds the elements
// x with edges[k] <= x < edges[k+1]; there is one bin fewer than edges. The edges must not
// decrease. All bins, also the last one, are half-open, so a bin between equal edges is
// empty, and an infinite last edge excludes infinity itself. NaNs, and elements outside the
// edges, are ignored.
//
// If the edges decrease or contain NaNs, an element is counted in some bin or in none, and
// results may differ between devices. If in is a pending Map or Zip, the kernel that counts
// the elements computes them. HistogramEdges is computed at once. It panics if edges is
// empty.
func HistogramEdges[T Number](in vector.Source[T], edges *vector.Vector[T]) *vector.Vector[int] {
	if edges.Len() == 0 {
		panic("skel: HistogramEdges: there are no edges: n bins need n+1 edges")
	}
	return histogramOf(open(in), &binning[T]{
		label: "HistogramEdges", bins: edges.Len() - 1, known: edges.Len(), edges: edges,
	})
}

// binning says in which bin an element is.
type binning[T Number] struct {
	label string
	bins  int

	unit  bool // bin k holds the integer first + k, and nothing is compared
	first T

	known  int               // the number of edges; of evenly spaced ones, those that a T can reach
	values []T               // the edges, if the host computed them
	edges  *vector.Vector[T] // the edges, if they are an argument

	even      bool // the edges are evenly spaced: (x - lo) * scale is about the bin of x
	lo, scale float64
}

// evenBins returns the binning of HistogramEven.
func evenBins[T Number](lo, hi float64, bins int) *binning[T] {
	b := &binning[T]{label: "HistogramEven", bins: bins, even: true, lo: lo}
	// The quotient overflows if the range is tiny. The guess of binOf needs a finite scale,
	// because 0 times infinity is NaN; if it is too small, binOf searches for the bin.
	b.scale = min(float64(bins)/(hi-lo), math.MaxFloat64)
	if kindOf[T]() != floats && lo == math.Trunc(lo) && hi-lo == float64(bins) && math.Abs(lo)+float64(bins) <= 1<<53 {
		if first, reached := atLeast[T](lo); reached && float64(first) == lo {
			b.unit, b.first = true, first
			return b
		}
	}
	edges := make([]T, 0, bins+1)
	for k := range bins + 1 {
		edge := hi
		if k < bins {
			edge = lo + (hi-lo)*float64(k)/float64(bins)
		}
		x, reached := atLeast[T](edge)
		if !reached {
			break
		}
		edges = append(edges, x)
	}
	b.known, b.values = len(edges), edges
	return b
}

// numberKind is a kind of numbers.
type numberKind int

const (
	signed numberKind = iota
	unsigned
	floats
)

// kindOf returns the kind of T.
func kindOf[T Number]() numberKind {
	switch k := reflect.TypeFor[T]().Kind(); {
	case k == reflect.Float32 || k == reflect.Float64:
		return floats
	case k >= reflect.Uint:
		return unsigned
	}
	return signed
}

// atLeast returns the least x that is at least the given bound, and whether T has one.
func atLeast[T Number](bound float64) (x T, reached bool) {
	bits := reflect.TypeFor[T]().Bits()
	switch kindOf[T]() {
	case floats:
		if x = T(bound); bits == 32 && float64(x) < bound {
			x = T(math.Nextafter32(float32(x), float32(math.Inf(1))))
		}
		return x, true
	case signed:
		limit := math.Ldexp(1, bits-1)
		if bound > -limit {
			return T(math.Ceil(bound)), math.Ceil(bound) < limit
		}
		return least[T](), true
	default:
		return T(max(0, math.Ceil(bound))), math.Ceil(bound) < math.Ldexp(1, bits)
	}
}

// binOf returns the bin of x, and whether it has one. It is the native form of the function
// of the same name in kernels/histogram.cl.
func (b *binning[T]) binOf(edges []T, x T) (bin int, has bool) {
	if len(edges) == 0 || !(edges[0] <= x) || len(edges) > b.bins && !(x < edges[b.bins]) {
		return 0, false
	}
	if b.even {
		bin = int(min(max((float64(x)-b.lo)*b.scale, 0), float64(len(edges)-1)))
		if edges[bin] <= x && (bin+1 == len(edges) || x < edges[bin+1]) {
			return bin, bin < b.bins
		}
		bin = 0
	}
	end := len(edges) // the edges before bin are at most x, those from end on are greater
	for bin+1 < end {
		if mid := (bin + end) / 2; edges[mid] <= x {
			bin = mid
		} else {
			end = mid
		}
	}
	return bin, bin < b.bins
}

// maxBins is the largest number of bins.
const maxBins = math.MaxInt32

// histogramOf counts the elements of x in bins.
func histogramOf[T Number](x *expr[T], b *binning[T]) *vector.Vector[int] {
	if b.bins > maxBins {
		return failed[int](b.bins, fmt.Errorf("skel: %s: %d bins are more than the %d that are possible",
			b.label, b.bins, maxBins))
	}
	sources := []*meta{&x.meta}
	if b.edges != nil && x.where.Device() == nil && x.place == nil { // x is indices: count where the edges are
		sources = append(sources, &meta{n: x.n, where: arrayOf(b.edges).Distribution()})
	}
	if p := scattered(nil, sources...); p != nil {
		return b.over(x, p)
	}
	return b.counts(x)
}

// over counts the elements of x at p: each device counts its part, and the first device
// adds the counts.
func (b *binning[T]) over(x *expr[T], p *array.Place) *vector.Vector[int] {
	if oneComputes(p) {
		return b.counts(x.at(onFirstDevice(p, x.n)))
	}
	if x = x.at(p); x.err != nil {
		return failed[int](b.bins, x.err)
	}
	all := gatherFrom(p, func(k int) *vector.Vector[int] { return b.counts(x.parts[k]) })
	defer all.Free()
	m := meta{n: all.Len(), where: array.Single(p.Devs[0]), err: all.Err()}
	return output(&m, b.bins, func(out *vector.Vector[int], _ *devices.Buffer) error {
		return sumCounts(m.device(), out, all, len(p.Devs))
	})
}

// counts counts the elements of x on one device.
func (b *binning[T]) counts(x *expr[T]) *vector.Vector[int] {
	m := x.meta
	if b.edges != nil && m.where.Device() == nil {
		m.where = arrayOf(b.edges).Distribution()
	}
	if m.err == nil && m.where.Device() == nil {
		m.where = array.DefaultDevice()
		m.err = m.where.Err()
	}
	m.settleProduced()
	return output(&m, b.bins, func(out *vector.Vector[int], _ *devices.Buffer) error {
		edges, err := b.edgesOn(m.device())
		if err != nil {
			return err
		}
		if b.values != nil && array.Recording() == nil {
			defer edges.Free()
		}
		if m.device().Native() {
			return b.native(m.device(), x, edges, out)
		}
		return b.device(m.device(), x, edges, out)
	})
}

// edgesOn returns the edges on d; nil if there are none.
func (b *binning[T]) edgesOn(d *devices.Device) (*array.Array, error) {
	switch {
	case b.values != nil:
		var v *vector.Vector[T]
		var err error
		unrecorded(func() {
			v = uploaded(b.values, array.Single(d))
			_, err = arrayOf(v).Memory()
		})
		return arrayOf(v), err
	case b.edges != nil:
		edges, err := arrayOf(b.edges).At(array.PlaceOn(d, b.known))
		if err == nil {
			_, err = edges.Memory()
		}
		return edges, err
	}
	return nil, nil
}
