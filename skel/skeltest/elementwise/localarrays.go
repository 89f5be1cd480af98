package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Functions with a local array that is written at a computed index, without a loop
// around the write. Once a compiler has inlined such a function into the loop over
// elements, all iterations share the memory of the array.

// bucket counts the values of the three low pairs of bits of x.
func bucket(x uint32) [4]uint8 {
	var h [4]uint8
	h[x&3]++
	h[x>>2&3]++
	h[x>>4&3]++
	return h
}

func bucketBoth(x, y uint32) [4]uint8 {
	h := bucket(x)
	h[y&3] += 10
	return h
}

// bySign stores x at an index that depends on its sign.
func bySign(x float32) float32 {
	var v [2]float32
	i := 0
	if x < 0 {
		i = 1
	}
	v[i] = x
	return v[0]*2 - v[1]
}

// lesser reads at a computed index from an array that is also written at one.
func lesser(x, y float32) float32 {
	v := [2]float32{x, y}
	i := 0
	if y < x {
		i = 1
	}
	v[1-i]++
	return v[i]
}

// votes is a struct of arrays with padding.
type votes struct {
	For [3]uint8
	Sum [2]float32
	Box [2]struct {
		N uint8
		W uint16
	}
}

func vote(x float32, i int) votes {
	var v votes
	v.For[i%3]++
	v.Sum[i&1] = x
	v.Box[i>>1&1].N = uint8(i)
	v.Box[i>>2&1].W += uint16(i)
	return v
}

// spreadAround sorts the elements of a window by comparisons, and weighs them.
func spreadAround(w vector.Window[float32]) float32 {
	var v [4]float32
	a, b := w.At(-1), w.At(1)
	i, j := 0, 2
	if a < 0 {
		i = 1
	}
	if b < a {
		j = 3
	}
	v[i] += a
	v[j] += b
	v[(i+j)&3] += w.At(0)
	return v[0] - 2*v[1] + 3*v[2] - 4*v[3]
}

// placeBoth folds a product, with a sign that depends on its factors.
func placeBoth(acc, a, b float32) float32 {
	var v [2]float32
	i := 0
	if a < b {
		i = 1
	}
	v[i] = a * b
	return acc - v[0] + 2*v[1]
}

// slots holds a view whose elements are indices into a local array.
type slots struct{ To vector.View[int32] }

func slotOf(x int32, s slots) [3]int32 {
	v := [3]int32{x, x, x}
	v[s.To.At(int(x&7))]++
	v[s.To.At(int(x>>3&7))] -= 5
	return v
}

var (
	bucketAll     = skel.NewMap(bucket)
	bucketPairs   = skel.NewZip(bucketBoth)
	bySigns       = skel.NewMap(bySign)
	lessers       = skel.NewZip(lesser)
	voteAll       = skel.NewZip(vote)
	slotsOf       = skel.NewMapWith(slotOf)
	placesBoth    = skel.NewAllPairsFold(placeBoth, 3)
	spreadsAround = skel.NewMapOverlap(spreadAround, 1)
)

// longest is a number of elements for which the chunks of a CPU's work-items have
// their maximum length.
const longest = 300_001

// testLocalArrays tests functions with local arrays at every length.
func testLocalArrays(t *testing.T, d *devices.Device) {
	all := append(kit.VectorLengths[:len(kit.VectorLengths):len(kit.VectorLengths)], longest)
	words := kit.Generate(longest, func(d *kit.Dice, _ int) uint32 { return d.Uint32() })
	numbers := kit.Floats(longest)
	other := kit.Reversed(numbers)
	each := func(name string, lengths []int, run func(t *testing.T, n int)) {
		t.Run(name, func(t *testing.T) {
			for _, n := range lengths {
				run(t, n)
			}
		})
	}
	each("map", all, func(t *testing.T, n int) {
		kit.Expect(t, bucketAll.Apply(kit.Put(t, d, words[:n])), kit.Apply(bucket, words[:n]))
	})
	each("zip", all, func(t *testing.T, n int) {
		kit.Expect(t, lessers.Apply(kit.Put(t, d, numbers[:n]), kit.Put(t, d, other[:n])),
			kit.Apply2(lesser, numbers[:n], other[:n]))
	})
	each("in place", all, func(t *testing.T, n int) {
		v := kit.Put(t, d, numbers[:n])
		kit.OK(t, bySigns.ApplyTo(v, v))
		kit.Expect(t, v, kit.Apply(bySign, numbers[:n]))
	})
	each("a struct of arrays, of indices", kit.VectorLengths, func(t *testing.T, n int) {
		kit.Expect(t, voteAll.Apply(kit.Put(t, d, numbers[:n]), vector.Indices(n)),
			kit.Apply2(vote, numbers[:n], kit.UpTo(n)))
	})
	each("before, in and after a stencil", all, func(t *testing.T, n int) {
		x := &kit.Field[float32]{1, n, kit.Apply(bySign, numbers[:n]), vector.Nearest, 0}
		want := kit.Overlap(x, func(at func(dr, dc int) float32) float32 {
			return spreadAround(vector.Window[float32](array.WindowOf([]float32{at(0, -1), at(0, 0), at(0, 1)}, 1, 1)))
		})
		kit.Expect(t, bySigns.Apply(spreadsAround.Apply(bySigns.Apply(kit.Put(t, d, numbers[:n])))),
			kit.Apply(bySign, want))
	})
	t.Run("more kernels", func(t *testing.T) {
		kit.SkipBuilds(t, d)
		each("zip of words", kit.VectorLengths, func(t *testing.T, n int) {
			u := words[longest-n:]
			kit.Expect(t, bucketPairs.Apply(kit.Put(t, d, words[:n]), kit.Put(t, d, u)),
				kit.Apply2(bucketBoth, words[:n], u))
		})
		each("reduced", kit.VectorLengths, func(t *testing.T, n int) {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(bySigns.Apply(kit.Put(t, d, numbers[:n]))),
				kit.Reduce(kit.Apply(bySign, numbers[:n]), kit.Plus[float32], 0))
		})
		each("all pairs", []int{1, 7, 8, 9, 31, 32, 33, 129}, func(t *testing.T, n int) {
			const rows, depth = 3, 5
			a, b := numbers[:rows*depth], other[:n*depth]
			kit.ExpectMatrix(t, placesBoth.Apply(kit.PutMatrix(t, d, rows, depth, a), kit.PutMatrix(t, d, n, depth, b)),
				rows, n, kit.FoldPairs(a, b, rows, n, depth, placeBoth, 3))
		})
		each("view", kit.VectorLengths, func(t *testing.T, n int) {
			s := kit.Integers(n)
			to := []int32{2, 0, 1, 1, 2, 0, 0, 1}
			kit.Expect(t, slotsOf.With(slots{kit.Put(t, d, to).View()}).Apply(kit.Put(t, d, s)),
				kit.Apply(func(x int32) [3]int32 {
					v := [3]int32{x, x, x}
					v[to[x&7]]++
					v[to[x>>3&7]] -= 5
					return v
				}, s))
		})
	})
}
