//go:build !race

package reduce

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

var otherSizes = []sized{
	operator[uint16]{"2 bytes", lastNonZero16, 0, skel.NewReduce(lastNonZero16, 0), skel.NewScan(lastNonZero16, 0),
		func(d *kit.Dice, i int) uint16 { return uint16(d.IntN(3)) * uint16(i) }},
	operator[float32](kit.Sums32),
	operator[float3]{"12 bytes", ends3, float3{}, skel.NewReduce(ends3, float3{}), skel.NewScan(ends3, float3{}),
		func(d *kit.Dice, i int) (x float3) { fill(x[:], d, i); return x }},
	operator[float4]{"16 bytes", ends4, float4{}, skel.NewReduce(ends4, float4{}), skel.NewScan(ends4, float4{}),
		func(d *kit.Dice, i int) (x float4) { fill(x[:], d, i); return x }},
	operator[float6]{"24 bytes", ends6, float6{}, skel.NewReduce(ends6, float6{}), skel.NewScan(ends6, float6{}),
		func(d *kit.Dice, i int) (x float6) { fill(x[:], d, i); return x }},
	operator[float8]{"32 bytes", ends8, float8{}, skel.NewReduce(ends8, float8{}), skel.NewScan(ends8, float8{}),
		func(d *kit.Dice, i int) (x float8) { fill(x[:], d, i); return x }},
	operator[float18]{"72 bytes", ends18, float18{}, skel.NewReduce(ends18, float18{}), skel.NewScan(ends18, float18{}),
		func(d *kit.Dice, i int) (x float18) { fill(x[:], d, i); return x }},
	operator[float64s]{"256 bytes", ends64, float64s{}, skel.NewReduce(ends64, float64s{}), skel.NewScan(ends64,
		float64s{}),
		func(d *kit.Dice, i int) (x float64s) { fill(x[:], d, i); return x }},
}

var otherSegments = []segmented{
	operator[float3]{"12 bytes", ends3, float3{}, skel.NewReduce(ends3, float3{}), skel.NewScan(ends3, float3{}),
		func(d *kit.Dice, i int) (x float3) { fill(x[:], d, i); return x }},
	operator[float25]{"100 bytes", ends25, float25{}, skel.NewReduce(ends25, float25{}), skel.NewScan(ends25,
		float25{}),
		func(d *kit.Dice, i int) (x float25) { fill(x[:], d, i); return x }},
}
