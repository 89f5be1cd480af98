package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
)

// The operators of the suite. Most are not commutative, and floating-point sums
// are not even associative, so that a result shows the order in which it was
// computed.

type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64
}

func plus[T number](x, y T) T { return x + y }

// square2 is a 2 by 2 matrix over the integers modulo 2^32.
type square2 struct{ A, B, C, D uint32 }

func product(x, y square2) square2 {
	return square2{
		x.A*y.A + x.B*y.C, x.A*y.B + x.B*y.D,
		x.C*y.A + x.D*y.C, x.C*y.B + x.D*y.D,
	}
}

// affine is the map z -> Z*z + One.
type affine[T uint32 | float32] struct{ Z, One T }

// then applies f first and g second.
func then[T uint32 | float32](f, g affine[T]) affine[T] {
	return affine[T]{g.Z * f.Z, T(g.Z*f.One) + g.One}
}

func lastNonZero(x, y int32) int32 {
	if y != 0 {
		return y
	}
	return x
}

// stretch summarizes an interval of numbers for the maximum segment sum.
type stretch struct{ Sum, Prefix, Suffix, Best int64 }

func longer(x, y stretch) stretch {
	return stretch{
		Sum:    x.Sum + y.Sum,
		Prefix: max(x.Prefix, x.Sum+y.Prefix),
		Suffix: max(y.Suffix, y.Sum+x.Suffix),
		Best:   max(x.Best, y.Best, x.Suffix+y.Prefix),
	}
}

// text represents a string by its hash, and the base of the hash raised to the
// length of the string.
type text struct{ Hash, Power uint64 }

func concat(x, y text) text {
	return text{x.Hash*y.Power + y.Hash, x.Power * y.Power}
}

func letter(i int) text { return text{uint64(i)*2654435761 + 1, 1_000_003} }

// span is an interval of positions. Joining two that are not neighbours spoils it,
// so it proves that no element is left out, used twice or swapped.
type span struct {
	From, To int32
	Spoilt   bool
}

var nowhere = span{-1, -1, false}

func adjoin(x, y span) span {
	if x.From < 0 && !x.Spoilt {
		return y
	}
	if y.From < 0 && !y.Spoilt {
		return x
	}
	return span{x.From, y.To, x.Spoilt || y.Spoilt || x.To != y.From}
}

// operator holds an operator, the skeletons that use it, and a function that returns
// elements for it.
type operator[T any] struct {
	name     string
	op       func(T, T) T
	identity T
	reduce   *skel.Reduce[T]
	scan     *skel.Scan[T]
	element  func(d *dice, i int) T
}

func (o operator[T]) String() string { return o.name }

// anyOperator is an operator of any type. The tests of reductions and scans are
// its methods.
type anyOperator interface {
	String() string
	testReduce(*testing.T, *devices.Device)
	testReduceParts(*testing.T, *devices.Device)
	testReduceByKey(*testing.T, *devices.Device)
	testScan(*testing.T, *devices.Device)
	testScanParts(*testing.T, *devices.Device)
}

var operators = []anyOperator{sums32, sums64, products, maps32, mapsFloat, lasts, stretches, texts, spans}

// testOperators runs a test for every operator. A device that compiles needs time for
// each. There, the tests of parts, the tests over several devices, which have the same
// kernels as one device, and all tests by default and with -short take a few operators
// of several sizes.
func testOperators(t *testing.T, d *devices.Device, parts bool, test func(anyOperator, *testing.T, *devices.Device)) {
	all := append(withExtra(t, d), operators...)
	if _, ok := eachSize.Load(d); ok { // elements of 1, 4, 8, 12, 16 and 32 bytes
		all = append(withExtra(t, d)[1:], sums32, maps32, spans, products, stretches)
	}
	if fewBuilds(d) || !d.Native() && (parts || several(d)) {
		all = append(withExtra(t, d)[1:], sums32, stretches)
		if fewest(d) && parts {
			all = all[:2]
		}
	}
	for _, o := range all {
		t.Run(o.String(), func(t *testing.T) { test(o, t, d) })
	}
}

var (
	sums32 = operator[float32]{"float32 sum", plus[float32], 0,
		skel.NewReduce(plus[float32], 0), skel.NewScan(plus[float32], 0),
		func(d *dice, _ int) float32 { return float32(d.wide()) }}
	sums64 = operator[float64]{"float64 sum", plus[float64], 0,
		skel.NewReduce(plus[float64], 0), skel.NewScan(plus[float64], 0),
		func(d *dice, _ int) float64 { return d.wide() }}
	products = operator[square2]{"2x2 product", product, square2{A: 1, D: 1},
		skel.NewReduce(product, square2{A: 1, D: 1}), skel.NewScan(product, square2{A: 1, D: 1}),
		func(d *dice, _ int) square2 { return square2{d.Uint32(), d.Uint32(), d.Uint32(), d.Uint32()} }}
	maps32 = operator[affine[uint32]]{"affine maps over uint32", then[uint32], affine[uint32]{Z: 1},
		skel.NewReduce(then[uint32], affine[uint32]{Z: 1}), skel.NewScan(then[uint32], affine[uint32]{Z: 1}),
		func(d *dice, _ int) affine[uint32] { return affine[uint32]{d.Uint32() | 1, d.Uint32()} }}
	mapsFloat = operator[affine[float32]]{"affine maps over float32", then[float32], affine[float32]{Z: 1},
		skel.NewReduce(then[float32], affine[float32]{Z: 1}), skel.NewScan(then[float32], affine[float32]{Z: 1}),
		func(d *dice, _ int) affine[float32] { return affine[float32]{0.5 + d.Float32(), d.Float32() - 0.5} }}
	lasts = operator[int32]{"last non-zero", lastNonZero, 0,
		skel.NewReduce(lastNonZero, 0), skel.NewScan(lastNonZero, 0),
		func(d *dice, i int) int32 { return int32(i+1) * int32(d.IntN(7)/6) }}
	stretches = operator[stretch]{"maximum segment sum", longer, stretch{},
		skel.NewReduce(longer, stretch{}), skel.NewScan(longer, stretch{}),
		func(d *dice, _ int) stretch {
			x := int64(d.IntN(201) - 100)
			return stretch{x, max(x, 0), max(x, 0), max(x, 0)}
		}}
	texts = operator[text]{"concatenation", concat, text{0, 1},
		skel.NewReduce(concat, text{0, 1}), skel.NewScan(concat, text{0, 1}),
		func(_ *dice, i int) text { return letter(i) }}
	spans = operator[span]{"adjoining spans", adjoin, nowhere,
		skel.NewReduce(adjoin, nowhere), skel.NewScan(adjoin, nowhere),
		func(_ *dice, i int) span { return span{int32(i), int32(i + 1), false} }}
)
