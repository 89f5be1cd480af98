package elementwise

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// Every element type goes through every skeleton.

func double[T kit.Number](x T) T { return x + x }

func not(x bool) bool        { return !x }
func implies(x, y bool) bool { return !x || y }
func differs(x, y bool) bool { return x != y }

func padMap(x kit.Padded) kit.Padded { return kit.Padded{x.A + 1, x.B * 2, ^x.C, !x.D} }
func padZip(x, y kit.Padded) kit.Padded {
	return kit.Padded{x.A ^ y.A, x.B - y.B, x.C - y.C, x.D && y.D}
}
func padOp(x, y kit.Padded) kit.Padded { return kit.Padded{x.A + y.A, x.B + y.B, y.C, x.D != y.D} }

func nestMap(x kit.Nested) kit.Nested {
	for i := range x.M {
		for j := range x.M[i] {
			x.M[i][j] += int16(10*i + j)
		}
	}
	x.P[0], x.P[1] = x.P[1], x.P[0]
	x.Z[2]++
	return x
}

func nestZip(x, y kit.Nested) kit.Nested {
	x.M[1] = y.M[0]
	x.P[1].X -= y.P[0].X
	return x
}

func nestOp(x, y kit.Nested) kit.Nested {
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

func wideMap(x kit.Wide) kit.Wide { x.F[4], x.N = x.F[0], -x.N; return x }

func wideZip(x, y kit.Wide) kit.Wide { x.I, x.N = y.I, x.N+y.N; return x }

func wideOp(x, y kit.Wide) kit.Wide {
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

func warm(x kit.Celsius) kit.Celsius       { return x.Fahrenheit() }
func warmer(x, y kit.Celsius) kit.Celsius  { return max(x, y) }
func warmest(x, y kit.Celsius) kit.Celsius { return max(x, y) }

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
	draw     func(*kit.Dice) T
}

func (e element[T]) String() string {
	var z T
	return fmt.Sprintf("%T", z)
}

// run builds three kernels, because the zip is fused with the map.
func (e element[T]) run(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 2, 17, 257, 1000} {
		a := kit.Generate(n, func(d *kit.Dice, _ int) T { return e.draw(d) })
		b := kit.Generate(n, func(d *kit.Dice, _ int) T { d.Uint64(); return e.draw(d) })
		va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
		kit.Expect(t, e.zip.Apply(e.mapper.Apply(va), vb), kit.Apply2(e.g, kit.Apply(e.f, a), b))
		kit.ExpectValue(t, e.reduce.Apply(va), kit.Reduce(a, e.op, e.identity))
		kit.Expect(t, e.scan.Exclusive(va), kit.ScanExclusive(a, e.op, e.identity))
	}
}

type runner interface {
	fmt.Stringer
	run(*testing.T, *devices.Device)
}

func integer[T kit.Number](d *kit.Dice) T { return T(d.Int64()) }

// elements begins with the types that the default run includes, of several kinds and
// sizes. otherElements lists types that the race detector does not need.
var elements = []runner{
	element[int32]{double[int32], skel.NewMap(double[int32]), kit.Mix[int32], skel.NewZip(kit.Mix[int32]),
		kit.Plus[int32], skel.NewReduce(kit.Plus[int32], 0), skel.NewScan(kit.Plus[int32], 0), 0, integer[int32]},
	element[uint64]{double[uint64], skel.NewMap(double[uint64]), kit.Mix[uint64], skel.NewZip(kit.Mix[uint64]),
		kit.Plus[uint64], skel.NewReduce(kit.Plus[uint64], 0), skel.NewScan(kit.Plus[uint64], 0), 0, integer[uint64]},
	element[kit.Padded]{padMap, skel.NewMap(padMap), padZip, skel.NewZip(padZip),
		padOp, skel.NewReduce(padOp, kit.Padded{}), skel.NewScan(padOp, kit.Padded{}), kit.Padded{},
		func(d *kit.Dice) kit.Padded {
			return kit.Padded{uint8(d.Uint32()), d.Wide(), uint16(d.Uint32()), d.IntN(2) == 0}
		}},
	element[uint8]{double[uint8], skel.NewMap(double[uint8]), kit.Mix[uint8], skel.NewZip(kit.Mix[uint8]),
		kit.Plus[uint8], skel.NewReduce(kit.Plus[uint8], 0), skel.NewScan(kit.Plus[uint8], 0), 0, integer[uint8]},
	element[bool]{not, skel.NewMap(not), implies, skel.NewZip(implies),
		differs, skel.NewReduce(differs, false), skel.NewScan(differs, false), false,
		func(d *kit.Dice) bool { return d.IntN(2) == 0 }},
}

func testElementTypes(t *testing.T, d *devices.Device) {
	for i, e := range slices.Concat(elements, otherElements) {
		t.Run(e.String(), func(t *testing.T) {
			if i >= len(elements) || kit.Fewest(d) && i >= 3 {
				kit.SkipBuilds(t, d)
			}
			e.run(t, d)
		})
	}
}
