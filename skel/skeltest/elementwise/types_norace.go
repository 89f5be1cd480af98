//go:build !race

package elementwise

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// Each element type takes seconds to compile, most of all for the race detector.

var otherElements = []runner{
	element[int8]{double[int8], skel.NewMap(double[int8]), kit.Mix[int8], skel.NewZip(kit.Mix[int8]),
		kit.Plus[int8], skel.NewReduce(kit.Plus[int8], 0), skel.NewScan(kit.Plus[int8], 0), 0, integer[int8]},
	element[int16]{double[int16], skel.NewMap(double[int16]), kit.Mix[int16], skel.NewZip(kit.Mix[int16]),
		kit.Plus[int16], skel.NewReduce(kit.Plus[int16], 0), skel.NewScan(kit.Plus[int16], 0), 0, integer[int16]},
	element[int64]{double[int64], skel.NewMap(double[int64]), kit.Mix[int64], skel.NewZip(kit.Mix[int64]),
		kit.Plus[int64], skel.NewReduce(kit.Plus[int64], 0), skel.NewScan(kit.Plus[int64], 0), 0, integer[int64]},
	element[int]{double[int], skel.NewMap(double[int]), kit.Mix[int], skel.NewZip(kit.Mix[int]),
		kit.Plus[int], skel.NewReduce(kit.Plus[int], 0), skel.NewScan(kit.Plus[int], 0), 0, integer[int]},
	element[uint16]{double[uint16], skel.NewMap(double[uint16]), kit.Mix[uint16], skel.NewZip(kit.Mix[uint16]),
		kit.Plus[uint16], skel.NewReduce(kit.Plus[uint16], 0), skel.NewScan(kit.Plus[uint16], 0), 0, integer[uint16]},
	element[uint32]{double[uint32], skel.NewMap(double[uint32]), kit.Mix[uint32], skel.NewZip(kit.Mix[uint32]),
		kit.Plus[uint32], skel.NewReduce(kit.Plus[uint32], 0), skel.NewScan(kit.Plus[uint32], 0), 0, integer[uint32]},
	element[float32]{double[float32], skel.NewMap(double[float32]), kit.Mix[float32], skel.NewZip(kit.Mix[float32]),
		kit.Plus[float32], kit.Sums32.Reduce, kit.Sums32.Scan, 0, kit.Small},
	element[float64]{double[float64], skel.NewMap(double[float64]), kit.Mix[float64], skel.NewZip(kit.Mix[float64]),
		kit.Plus[float64], kit.Sums64.Reduce, kit.Sums64.Scan, 0, (*kit.Dice).Wide},
	element[kit.Celsius]{warm, skel.NewMap(warm), warmer, skel.NewZip(warmer),
		warmest, skel.NewReduce(warmest, -273), skel.NewScan(warmest, -273), -273,
		func(d *kit.Dice) kit.Celsius { return kit.Celsius(d.Float32() * 50) }},
	element[triple]{turn, skel.NewMap(turn), pick, skel.NewZip(pick),
		addAll, skel.NewReduce(addAll, triple{}), skel.NewScan(addAll, triple{}), triple{},
		func(d *kit.Dice) triple { return triple{kit.Small(d), kit.Small(d), kit.Small(d)} }},
	element[kit.Nested]{nestMap, skel.NewMap(nestMap), nestZip, skel.NewZip(nestZip),
		nestOp, skel.NewReduce(nestOp, kit.Nested{}), skel.NewScan(nestOp, kit.Nested{}), kit.Nested{},
		func(d *kit.Dice) (x kit.Nested) {
			for i := range 2 {
				for j := range 3 {
					x.M[i][j] = int16(d.Uint32())
				}
				x.P[i].X, x.P[i].N = kit.Small(d), uint8(d.Uint32())
				x.Z[i] = d.Int64()
			}
			return x
		}},
	element[kit.Wide]{wideMap, skel.NewMap(wideMap), wideZip, skel.NewZip(wideZip),
		wideOp, skel.NewReduce(wideOp, kit.Wide{}), skel.NewScan(wideOp, kit.Wide{}), kit.Wide{},
		func(d *kit.Dice) (x kit.Wide) {
			for i := range x.F {
				x.F[i] = d.Wide()
			}
			x.I = [4]uint32{d.Uint32(), d.Uint32(), d.Uint32(), d.Uint32()}
			x.N = d.Int()
			return x
		}},
}
