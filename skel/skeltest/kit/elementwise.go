package kit

import (
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Scale(x, by float32) float32 { return x * by }

// Flip takes a view as its extra argument.
func Flip(i int, v vector.View[float32]) float32 { return v.At(v.Len() - 1 - i) }

// Transpose takes a view of a matrix.
func Transpose(at matrix.Index, m matrix.View[float32]) float32 { return m.At(at.Col, at.Row) }

func Blend(x, y, t float32) float32 { return float32(x*(1-t)) + float32(y*t) }

var Scales = skel.NewMapWith(Scale)

var Flips = skel.NewMapWith(Flip)

var Transposes = skel.NewMapWith(Transpose)

var Blends = skel.NewZipWith(Blend)

func Times(x, y float32) float32 { return x * y }

func AddOne(x float32) float32 { return x + 1 }

func LowBits(x int32) int32 { return x & 7 }

var (
	TimesAll = skel.NewZip(Times)
	SumPairs = skel.NewZip(Plus[float32])
	AddOnes  = skel.NewMap(AddOne)
	Buckets  = skel.NewMap(LowBits)
)

// Launches returns the number of kernels that f launches.
func Launches(d *devices.Device, f func()) int64 {
	before := d.Stats().Launches
	f()
	return d.Stats().Launches - before
}

// WantLaunches checks how many kernels f launches.
func WantLaunches(t *testing.T, d *devices.Device, want int64, f func()) {
	t.Helper()
	if got := Launches(d, f); got != want && !Several(d) { // on several devices the counts differ
		t.Errorf("%d launches, want %d", got, want)
	}
}

// Gathered is Gather in plain Go.
func Gathered[T any](from []T, at []int) []T {
	return Apply(func(k int) T { return from[k] }, at)
}

// Scattered is Scatter in plain Go.
func Scattered[T any](to []T, at []int, values []T) []T {
	to = slices.Clone(to)
	for i, k := range at {
		to[k] = values[i]
	}
	return to
}

func Cube(i int) int64 { return int64(i) * int64(i) * int64(i) }

func Place(at matrix.Index) int { return 100_000*at.Row + at.Col }

func PlusIndex(i int, x float32) float32 { return x + float32(i) }

var Cubes = skel.NewMap(Cube)

var Places = skel.NewMap(Place)

var Shifted = skel.NewZip(PlusIndex)

var SumsInt = skel.NewReduce(Plus[int], 0)

var SumsInt64 = skel.NewReduce(Plus[int64], 0)

// VectorLengths lists lengths around the width of every vector of elements, the
// elements of a GPU's work-item and of a group, and the longest chunk of a CPU's
// work-item.
var VectorLengths = []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
	1023, 1024, 1025, 4096, 16383, 16384, 16385}

func Square(x float32) float32 { return x * x }

var Squares = skel.NewMap(Square)

// Specials returns floats that are special cases.
func Specials() []float32 {
	return []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-40, 16777217}
}

func Scatter(to int32, x float32, out vector.OutView[float32]) { out.Set(int(to), x) }

type Planes struct {
	Even, Odd matrix.OutView[float32]
	Count     vector.OutView[int32]
}

// Split distributes the columns of a matrix to two others.
func Split(at matrix.Index, x float32, p Planes) {
	if at.Col%2 == 0 {
		p.Even.Set(at.Row, at.Col/2, x)
	} else {
		p.Odd.Set(at.Row, at.Col/2, x)
	}
	if at.Col == 0 {
		p.Count.Set(at.Row, int32(p.Even.Cols()+p.Odd.Cols()))
	}
}

// Fractions returns the integer part of x, and writes the rest.
func Fractions(i int, x float32, rest vector.OutView[float32]) int32 {
	whole := int32(x)
	rest.Set(i, x-float32(whole))
	return whole
}

func Mirror(at matrix.Index, out matrix.OutView[int]) {
	out.Set(at.Row, out.Cols()-1-at.Col, Place(at))
}

var ScatterAll = skel.NewZipVoidWith(Scatter)

var SplitAll = skel.NewZipVoidWith(Split)

var FractionsOf = skel.NewZipWith(Fractions)

var Mirrors = skel.NewMapVoidWith(Mirror)

// Permutation returns a permutation of 0, 1, ..., n-1.
func Permutation(n int) []int32 {
	s := Generate(n, func(_ *Dice, i int) int32 { return int32(i) })
	Roll(9).Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

func SomePadded(d *Dice, _ int) Padded {
	return Padded{uint8(d.Uint32()), d.Wide(), uint16(d.Uint32()), d.IntN(2) == 0}
}

// Transposed is Transpose in plain Go.
func Transposed[T any](s []T, rows, cols int) []T {
	t := make([]T, len(s))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = s[i*cols+j]
		}
	}
	return t
}

func Mix[T Number](x, y T) T { return T(x*3) - y }

// Padded has padding between its fields and after the last one.
type Padded struct {
	A uint8
	B float64
	C uint16
	D bool
}

// Nested has arrays of arrays and of structs, with padding inside.
type Nested struct {
	M [2][3]int16
	P [2]struct {
		X float32
		N uint8
	}
	Z [3]int64
}

// Wide has 64 bytes, a cache line.
type Wide struct {
	F [5]float64
	I [4]uint32
	N int
}

// Celsius is a named number with a method.
type Celsius float32

func (c Celsius) Fahrenheit() Celsius { return Celsius(c*9/5) + 32 }

func Small(d *Dice) float32 { return float32(d.Wide()) }

func Minus(x, y float32) float32 { return x - y }

var Differences = skel.NewZip(Minus)

// Apply2 is Zip in plain Go.
func Apply2[A, B, Out any](f func(A, B) Out, a []A, b []B) []Out {
	out := make([]Out, len(a))
	for i, x := range a {
		out[i] = f(x, b[i])
	}
	return out
}

// Reversed returns a copy in reverse order.
func Reversed[T any](s []T) []T {
	out := make([]T, len(s))
	for i, x := range s {
		out[len(s)-1-i] = x
	}
	return out
}
