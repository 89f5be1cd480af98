package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// fourOf returns four numbers of a block, which neighbouring elements share.
func fourOf(seed, block uint64) (a, b, c, d uint32) {
	x := (block + seed) * 0x9e3779b97f4a7c15
	y := (x ^ x>>32) * 0xd6e8feb86659fd93
	return uint32(x), uint32(x >> 32), uint32(y), uint32(y >> 32)
}

// shared returns number i, one of the four of its block.
func shared(i int, seed uint64) uint32 {
	a, b, c, d := fourOf(seed, uint64(i)>>2)
	if i&2 != 0 {
		a, b = c, d
	}
	if i&1 != 0 {
		return b
	}
	return a
}

func sharedWide(i int, seed uint64) int64 { return int64(shared(i, seed)) }
func sharedByte(i int, seed uint64) uint8 { return uint8(shared(i, seed)) }
func sharedOdd(i int, seed uint64) three  { return three{shared(i, seed), 1, 2} }
func sharedAdded(i int, x uint32) uint32  { return shared(i, 5) + x }
func exclusiveOr(x, y uint32) uint32      { return x ^ y }

// three is an element of 12 bytes.
type three struct{ X, Y, Z uint32 }

var (
	shareds      = skel.NewMapWith(shared)
	sharedWides  = skel.NewMapWith(sharedWide)
	sharedBytes  = skel.NewMapWith(sharedByte)
	sharedOdds   = skel.NewMapWith(sharedOdd)
	sharedsAdded = skel.NewZip(sharedAdded)
	sharedSum    = skel.NewReduce(kit.Plus[int64], 0)
	sharedBits   = skel.NewReduce(exclusiveOr, 0)
)

// testShare tests functions of an index that share a call with their neighbours: a work-item
// of a GPU computes several elements, and makes the call once. On several devices the
// indices also begin in the middle of a block.
func testShare(t *testing.T, d *devices.Device) {
	const seed = 7
	others := []vector.Distribution{kit.Home(d)}
	all, err := devices.List()
	kit.OK(t, err)
	for _, second := range all {
		if second != d && len(others) == 1 {
			others = append(others, vector.Block(d, second), vector.Block(d, second).Weighted(1, 1.7))
		}
	}
	for _, on := range others {
		for _, n := range append([]int{3, 4, 5, 1021, 1024, 4097}, kit.Sizes...) {
			indices := kit.UpTo(n)
			want := make([]uint32, n)
			for i := range want {
				want[i] = shared(i, seed)
			}
			kit.Expect(t, shareds.With(seed).Apply(vector.Indices(n, on)), want)
			kit.Expect(t, sharedBytes.With(seed).Apply(vector.Indices(n, on)),
				kit.Apply(func(i int) uint8 { return sharedByte(i, seed) }, indices))
			kit.Expect(t, sharedOdds.With(seed).Apply(vector.Indices(n, on)),
				kit.Apply(func(i int) three { return sharedOdd(i, seed) }, indices))
			kit.ExpectValue(t, sharedBits.Apply(shareds.With(seed).Apply(vector.Indices(n, on))),
				kit.Reduce(want, exclusiveOr, 0))
			wide := kit.Apply(func(i int) int64 { return sharedWide(i, seed) }, indices)
			kit.Expect(t, sharedWides.With(seed).Apply(vector.Indices(n, on)), wide)
			kit.ExpectValue(t, sharedSum.Apply(sharedWides.With(seed).Apply(vector.Indices(n, on))),
				kit.Reduce(wide, kit.Plus[int64], 0))
			x := vector.From(want, on)
			kit.Expect(t, sharedsAdded.Apply(vector.Indices(n, on), x), kit.Apply2(sharedAdded, indices, want))
			x.Free()
		}
	}
}
