//go:build !race

package skeltest

import "github.com/skelgo/skelgo/skel"

// Each element type takes seconds to compile, most of all for the race detector.

var otherElements = []runner{
	element[int8]{double[int8], skel.NewMap(double[int8]), mix[int8], skel.NewZip(mix[int8]),
		plus[int8], skel.NewReduce(plus[int8], 0), skel.NewScan(plus[int8], 0), 0, integer[int8]},
	element[int16]{double[int16], skel.NewMap(double[int16]), mix[int16], skel.NewZip(mix[int16]),
		plus[int16], skel.NewReduce(plus[int16], 0), skel.NewScan(plus[int16], 0), 0, integer[int16]},
	element[int64]{double[int64], skel.NewMap(double[int64]), mix[int64], skel.NewZip(mix[int64]),
		plus[int64], skel.NewReduce(plus[int64], 0), skel.NewScan(plus[int64], 0), 0, integer[int64]},
	element[int]{double[int], skel.NewMap(double[int]), mix[int], skel.NewZip(mix[int]),
		plus[int], skel.NewReduce(plus[int], 0), skel.NewScan(plus[int], 0), 0, integer[int]},
	element[uint16]{double[uint16], skel.NewMap(double[uint16]), mix[uint16], skel.NewZip(mix[uint16]),
		plus[uint16], skel.NewReduce(plus[uint16], 0), skel.NewScan(plus[uint16], 0), 0, integer[uint16]},
	element[uint32]{double[uint32], skel.NewMap(double[uint32]), mix[uint32], skel.NewZip(mix[uint32]),
		plus[uint32], skel.NewReduce(plus[uint32], 0), skel.NewScan(plus[uint32], 0), 0, integer[uint32]},
	element[float32]{double[float32], skel.NewMap(double[float32]), mix[float32], skel.NewZip(mix[float32]),
		plus[float32], sums32.reduce, sums32.scan, 0, small},
	element[float64]{double[float64], skel.NewMap(double[float64]), mix[float64], skel.NewZip(mix[float64]),
		plus[float64], sums64.reduce, sums64.scan, 0, (*dice).wide},
	element[celsius]{warm, skel.NewMap(warm), warmer, skel.NewZip(warmer),
		warmest, skel.NewReduce(warmest, -273), skel.NewScan(warmest, -273), -273,
		func(d *dice) celsius { return celsius(d.Float32() * 50) }},
	element[triple]{turn, skel.NewMap(turn), pick, skel.NewZip(pick),
		addAll, skel.NewReduce(addAll, triple{}), skel.NewScan(addAll, triple{}), triple{},
		func(d *dice) triple { return triple{small(d), small(d), small(d)} }},
	element[nested]{nestMap, skel.NewMap(nestMap), nestZip, skel.NewZip(nestZip),
		nestOp, skel.NewReduce(nestOp, nested{}), skel.NewScan(nestOp, nested{}), nested{},
		func(d *dice) (x nested) {
			for i := range 2 {
				for j := range 3 {
					x.M[i][j] = int16(d.Uint32())
				}
				x.P[i].X, x.P[i].N = small(d), uint8(d.Uint32())
				x.Z[i] = d.Int64()
			}
			return x
		}},
	element[wide]{wideMap, skel.NewMap(wideMap), wideZip, skel.NewZip(wideZip),
		wideOp, skel.NewReduce(wideOp, wide{}), skel.NewScan(wideOp, wide{}), wide{},
		func(d *dice) (x wide) {
			for i := range x.F {
				x.F[i] = d.wide()
			}
			x.I = [4]uint32{d.Uint32(), d.Uint32(), d.Uint32(), d.Uint32()}
			x.N = d.Int()
			return x
		}},
}

var otherSizes = []sized{
	operator[uint16]{"2 bytes", lastNonZero16, 0, skel.NewReduce(lastNonZero16, 0), skel.NewScan(lastNonZero16, 0),
		func(d *dice, i int) uint16 { return uint16(d.IntN(3)) * uint16(i) }},
	sums32,
	operator[float3]{"12 bytes", ends3, float3{}, skel.NewReduce(ends3, float3{}), skel.NewScan(ends3, float3{}),
		func(d *dice, i int) (x float3) { fill(x[:], d, i); return x }},
	operator[float4]{"16 bytes", ends4, float4{}, skel.NewReduce(ends4, float4{}), skel.NewScan(ends4, float4{}),
		func(d *dice, i int) (x float4) { fill(x[:], d, i); return x }},
	operator[float6]{"24 bytes", ends6, float6{}, skel.NewReduce(ends6, float6{}), skel.NewScan(ends6, float6{}),
		func(d *dice, i int) (x float6) { fill(x[:], d, i); return x }},
	operator[float8]{"32 bytes", ends8, float8{}, skel.NewReduce(ends8, float8{}), skel.NewScan(ends8, float8{}),
		func(d *dice, i int) (x float8) { fill(x[:], d, i); return x }},
	operator[float18]{"72 bytes", ends18, float18{}, skel.NewReduce(ends18, float18{}), skel.NewScan(ends18, float18{}),
		func(d *dice, i int) (x float18) { fill(x[:], d, i); return x }},
	operator[float64s]{"256 bytes", ends64, float64s{}, skel.NewReduce(ends64, float64s{}), skel.NewScan(ends64,
		float64s{}),
		func(d *dice, i int) (x float64s) { fill(x[:], d, i); return x }},
}

var otherSegments = []segmented{
	operator[float3]{"12 bytes", ends3, float3{}, skel.NewReduce(ends3, float3{}), skel.NewScan(ends3, float3{}),
		func(d *dice, i int) (x float3) { fill(x[:], d, i); return x }},
	operator[float25]{"100 bytes", ends25, float25{}, skel.NewReduce(ends25, float25{}), skel.NewScan(ends25,
		float25{}),
		func(d *dice, i int) (x float25) { fill(x[:], d, i); return x }},
}
