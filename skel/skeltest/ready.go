package skeltest

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
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

func ofNumbers[T number](elements []T) []readyOperator[T] {
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
const readyLength = tileSize + 17

var (
	readyFloats = ofNumbers(append(generate(readyLength,
		func(d *dice, _ int) float32 { return float32(d.Float64()*2 - 1) }),
		0, float32(math.Copysign(0, -1))))
	readyShorts = ofNumbers(generate(readyLength, func(d *dice, _ int) int16 { return int16(d.Uint32()) }))
	readyBits   = ofBits(generate(readyLength, func(d *dice, _ int) uint32 { return d.Uint32() }))
	readyBools  = ofBools(generate(readyLength, func(d *dice, _ int) bool { return d.IntN(100) > 0 }))
)

func testReady(t *testing.T, d *devices.Device) {
	ready(t, d, readyFloats)
	ready(t, d, readyBools)
	if !fewBuilds(d) {
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
				v := put(t, d, s)
				expectValue(t, o.reduce.Apply(v), Reduce(s, o.op, o.identity))
				expect(t, o.scan.Inclusive(v), Scan(s, o.op))
			}
		})
	}
}
