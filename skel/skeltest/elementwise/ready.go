package elementwise

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// readyOperator is one of package skel's, with its reduction and its scan.
type readyOperator[T any] struct {
	name     string
	op       func(x, y T) T
	identity T
	reduce   *skel.Reduce[T]
	scan     *skel.Scan[T]
	elements []T
}

func ofNumbers[T kit.Number](elements []T) []readyOperator[T] {
	sum, zero := skel.Sum[T]()
	prod, one := skel.Prod[T]()
	least, most := skel.Min[T]()
	greatest, fewest := skel.Max[T]()
	return []readyOperator[T]{
		{"Sum", sum, zero, skel.NewReduce(skel.Sum[T]()), skel.NewScan(skel.Sum[T]()), elements},
		{"Prod", prod, one, skel.NewReduce(skel.Prod[T]()), skel.NewScan(skel.Prod[T]()), elements},
		{"Min", least, most, skel.NewReduce(skel.Min[T]()), skel.NewScan(skel.Min[T]()), elements},
		{"Max", greatest, fewest, skel.NewReduce(skel.Max[T]()), skel.NewScan(skel.Max[T]()), elements},
	}
}

func ofBits[T skel.Integer](elements []T) []readyOperator[T] {
	and, ones := skel.BitAnd[T]()
	or, zero := skel.BitOr[T]()
	xor, none := skel.BitXor[T]()
	return []readyOperator[T]{
		{"BitAnd", and, ones, skel.NewReduce(skel.BitAnd[T]()), skel.NewScan(skel.BitAnd[T]()), elements},
		{"BitOr", or, zero, skel.NewReduce(skel.BitOr[T]()), skel.NewScan(skel.BitOr[T]()), elements},
		{"BitXor", xor, none, skel.NewReduce(skel.BitXor[T]()), skel.NewScan(skel.BitXor[T]()), elements},
	}
}

func ofBools(elements []bool) []readyOperator[bool] {
	and, yes := skel.And[bool]()
	or, no := skel.Or[bool]()
	return []readyOperator[bool]{
		{"And", and, yes, skel.NewReduce(skel.And[bool]()), skel.NewScan(skel.And[bool]()), elements},
		{"Or", or, no, skel.NewReduce(skel.Or[bool]()), skel.NewScan(skel.Or[bool]()), elements},
	}
}

// readyLength is more than a tile.
const readyLength = kit.TileSize + 17

var (
	readyFloats = ofNumbers(append(kit.Generate(readyLength,
		func(d *kit.Dice, _ int) float32 { return float32(d.Float64()*2 - 1) }),
		0, float32(math.Copysign(0, -1))))
	readyShorts = ofNumbers(kit.Generate(readyLength, func(d *kit.Dice, _ int) int16 { return int16(d.Uint32()) }))
	readyBits   = ofBits(kit.Generate(readyLength, func(d *kit.Dice, _ int) uint32 { return d.Uint32() }))
	readyBools  = ofBools(kit.Generate(readyLength, func(d *kit.Dice, _ int) bool { return d.IntN(100) > 0 }))
)

func testReady(t *testing.T, d *devices.Device) {
	ready(t, d, readyFloats)
	ready(t, d, readyBools)
	if !kit.FewBuilds(d) {
		ready(t, d, readyShorts)
		ready(t, d, readyBits)
	}
}

// ready checks operators against plain Go: all elements, and none.
func ready[T any](t *testing.T, d *devices.Device, list []readyOperator[T]) {
	for _, o := range list {
		t.Run(fmt.Sprintf("%s[%T]", o.name, o.identity), func(t *testing.T) {
			for _, n := range []int{0, 1, len(o.elements)} {
				s := o.elements[len(o.elements)-n:]
				v := kit.Put(t, d, s)
				kit.ExpectValue(t, o.reduce.Apply(v), kit.Reduce(s, o.op, o.identity))
				kit.Expect(t, o.scan.Inclusive(v), kit.Scan(s, o.op))
			}
		})
	}
}
