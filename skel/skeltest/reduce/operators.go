package reduce

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// The operators of the suite. Most are not commutative, and floating-point sums
// are not even associative, so that a result shows the order in which it was
// computed.

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

// operator is an operator and the tests of reductions and scans with it.
type operator[T any] kit.Summary[T]

func (o operator[T]) String() string { return o.Name }

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

var operators = []anyOperator{
	operator[float32](kit.Sums32), operator[float64](kit.Sums64), products, maps32, mapsFloat,
	operator[int32](kit.Lasts), stretches,
	operator[kit.Text](kit.Texts), operator[kit.Span](kit.Spans),
}

// testOperators runs a test for every operator. A device that compiles needs time for
// each. There, the tests of parts, the tests over several devices, which have the same
// kernels as one device, and all tests by default and with -short take a few operators
// of several sizes.
func testOperators(t *testing.T, d *devices.Device, parts bool, test func(anyOperator, *testing.T, *devices.Device)) {
	all := append(withExtra(t, d), operators...)
	if kit.EachSize(d) { // elements of 1, 4, 8, 12, 16 and 32 bytes
		all = append(withExtra(t, d)[1:], operator[float32](kit.Sums32), maps32, operator[kit.Span](kit.Spans),
			products, stretches)
	}
	if kit.FewBuilds(d) || !d.Native() && (parts || kit.Several(d)) {
		all = append(withExtra(t, d)[1:], operator[float32](kit.Sums32), stretches)
		if kit.Fewest(d) && parts {
			all = all[:2]
		}
	}
	for _, o := range all {
		t.Run(o.String(), func(t *testing.T) { test(o, t, d) })
	}
}

var (
	products = operator[square2]{"2x2 product", product, square2{A: 1, D: 1},
		skel.NewReduce(product, square2{A: 1, D: 1}), skel.NewScan(product, square2{A: 1, D: 1}),
		func(d *kit.Dice, _ int) square2 { return square2{d.Uint32(), d.Uint32(), d.Uint32(), d.Uint32()} }}
	maps32 = operator[affine[uint32]]{"affine maps over uint32", then[uint32], affine[uint32]{Z: 1},
		skel.NewReduce(then[uint32], affine[uint32]{Z: 1}), skel.NewScan(then[uint32], affine[uint32]{Z: 1}),
		func(d *kit.Dice, _ int) affine[uint32] { return affine[uint32]{d.Uint32() | 1, d.Uint32()} }}
	mapsFloat = operator[affine[float32]]{"affine maps over float32", then[float32], affine[float32]{Z: 1},
		skel.NewReduce(then[float32], affine[float32]{Z: 1}), skel.NewScan(then[float32], affine[float32]{Z: 1}),
		func(d *kit.Dice, _ int) affine[float32] { return affine[float32]{0.5 + d.Float32(), d.Float32() - 0.5} }}
	stretches = operator[stretch]{"maximum segment sum", longer, stretch{},
		skel.NewReduce(longer, stretch{}), skel.NewScan(longer, stretch{}),
		func(d *kit.Dice, _ int) stretch {
			x := int64(d.IntN(201) - 100)
			return stretch{x, max(x, 0), max(x, 0), max(x, 0)}
		}}
)
