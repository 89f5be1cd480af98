package skeltest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
)

// Every element type goes through every skeleton.

func double[T number](x T) T { return x + x }

func mix[T number](x, y T) T { return T(x*3) - y }

func not(x bool) bool        { return !x }
func implies(x, y bool) bool { return !x || y }
func differs(x, y bool) bool { return x != y }

// padded has padding between its fields and after the last one.
type padded struct {
	A uint8
	B float64
	C uint16
	D bool
}

func padMap(x padded) padded    { return padded{x.A + 1, x.B * 2, ^x.C, !x.D} }
func padZip(x, y padded) padded { return padded{x.A ^ y.A, x.B - y.B, x.C - y.C, x.D && y.D} }
func padOp(x, y padded) padded  { return padded{x.A + y.A, x.B + y.B, y.C, x.D != y.D} }

// nested has arrays of arrays and of structs, with padding inside.
type nested struct {
	M [2][3]int16
	P [2]struct {
		X float32
		N uint8
	}
	Z [3]int64
}

func nestMap(x nested) nested {
	for i := range x.M {
		for j := range x.M[i] {
			x.M[i][j] += int16(10*i + j)
		}
	}
	x.P[0], x.P[1] = x.P[1], x.P[0]
	x.Z[2]++
	return x
}

func nestZip(x, y nested) nested {
	x.M[1] = y.M[0]
	x.P[1].X -= y.P[0].X
	return x
}

func nestOp(x, y nested) nested {
	for i := range 2 {
		for j := range 3 {
			x.M[i][j] += y.M[i][j]
		}
		x.P[i].X += y.P[i].X
		x.P[i].N = y.P[i].N
	}
	for i := range x.Z {
		x.Z[i] += y.Z[i]
	}
	return x
}

// wide has 64 bytes, a cache line.
type wide struct {
	F [5]float64
	I [4]uint32
	N int
}

func wideMap(x wide) wide { x.F[4], x.N = x.F[0], -x.N; return x }

func wideZip(x, y wide) wide { x.I, x.N = y.I, x.N+y.N; return x }

func wideOp(x, y wide) wide {
	for i := range x.F {
		x.F[i] += y.F[i]
	}
	x.I[0], x.I[1], x.I[2], x.I[3] = y.I[0], y.I[1], x.I[2]+y.I[2], x.I[3]^y.I[3]
	x.N += y.N
	return x
}

// triple has 12 bytes; OpenCL's float3 has 16.
type triple [3]float32

func (x triple) add(y triple) triple { return triple{x[0] + y[0], x[1] + y[1], x[2] + y[2]} }

func turn(x triple) triple      { return triple{x[1], x[2], x[0]} }
func pick(x, y triple) triple   { return triple{x[0], y[1], x[2]} }
func addAll(x, y triple) triple { return x.add(y) }

// celsius is a named number with a method.
type celsius float32

func (c celsius) fahrenheit() celsius { return celsius(c*9/5) + 32 }

func warm(x celsius) celsius       { return x.fahrenheit() }
func warmer(x, y celsius) celsius  { return max(x, y) }
func warmest(x, y celsius) celsius { return max(x, y) }

// element holds functions of an element type for each skeleton.
type element[T any] struct {
	f        func(T) T
	mapper   *skel.Map[T, T]
	g        func(T, T) T
	zip      *skel.Zip[T, T, T]
	op       func(T, T) T
	reduce   *skel.Reduce[T]
	scan     *skel.Scan[T]
	identity T
	draw     func(*dice) T
}

func (e element[T]) String() string {
	var z T
	return fmt.Sprintf("%T", z)
}

// run builds three kernels, because the zip is fused with the map.
func (e element[T]) run(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 2, 17, 257, 1000} {
		a := generate(n, func(d *dice, _ int) T { return e.draw(d) })
		b := generate(n, func(d *dice, _ int) T { d.Uint64(); return e.draw(d) })
		va, vb := put(t, d, a), put(t, d, b)
		expect(t, e.zip.Apply(e.mapper.Apply(va), vb), apply2(e.g, apply(e.f, a), b))
		expectValue(t, e.reduce.Apply(va), Reduce(a, e.op, e.identity))
		expect(t, e.scan.Exclusive(va), ScanExclusive(a, e.op, e.identity))
	}
}

type runner interface {
	fmt.Stringer
	run(*testing.T, *devices.Device)
}

func integer[T number](d *dice) T { return T(d.Int64()) }

func small(d *dice) float32 { return float32(d.wide()) }

// elements begins with the types that the default run includes, of several kinds and
// sizes. otherElements lists types that the race detector does not need.
var elements = []runner{
	element[int32]{double[int32], skel.NewMap(double[int32]), mix[int32], skel.NewZip(mix[int32]),
		plus[int32], skel.NewReduce(plus[int32], 0), skel.NewScan(plus[int32], 0), 0, integer[int32]},
	element[uint64]{double[uint64], skel.NewMap(double[uint64]), mix[uint64], skel.NewZip(mix[uint64]),
		plus[uint64], skel.NewReduce(plus[uint64], 0), skel.NewScan(plus[uint64], 0), 0, integer[uint64]},
	element[padded]{padMap, skel.NewMap(padMap), padZip, skel.NewZip(padZip),
		padOp, skel.NewReduce(padOp, padded{}), skel.NewScan(padOp, padded{}), padded{},
		func(d *dice) padded {
			return padded{uint8(d.Uint32()), d.wide(), uint16(d.Uint32()), d.IntN(2) == 0}
		}},
	element[uint8]{double[uint8], skel.NewMap(double[uint8]), mix[uint8], skel.NewZip(mix[uint8]),
		plus[uint8], skel.NewReduce(plus[uint8], 0), skel.NewScan(plus[uint8], 0), 0, integer[uint8]},
	element[bool]{not, skel.NewMap(not), implies, skel.NewZip(implies),
		differs, skel.NewReduce(differs, false), skel.NewScan(differs, false), false,
		func(d *dice) bool { return d.IntN(2) == 0 }},
}

func testElementTypes(t *testing.T, d *devices.Device) {
	for i, e := range slices.Concat(elements, otherElements) {
		t.Run(e.String(), func(t *testing.T) {
			if i >= len(elements) || fewest(d) && i >= 3 {
				skipBuilds(t, d)
			}
			e.run(t, d)
		})
	}
}
