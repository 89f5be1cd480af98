package reduce

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Reductions by key with operators whose result does not depend on the order, which GPUs
// use, and with operators that look similar.

// counts is a type of its own, for an operator of the user.
type counts uint16

func lesserOf(a, b int16) int16 {
	if b < a {
		return b
	}
	return a
}

// tally is a struct whose fields could be added in any order.
type tally struct{ N, Sum int32 }

func addTallies(a, b tally) tally { return tally{a.N + b.N, a.Sum + b.Sum} }

// exactOperator is a reduction of integers.
type exactOperator interface {
	String() string
	testAnyOrder(*testing.T, *devices.Device)
	testAnyOrderRows(*testing.T, *devices.Device)
}

// integersBy returns the operator whose elements are random bits.
func integersBy[T skel.Integer](name string, op func(T, T) T, identity T, reduce *skel.Reduce[T]) exactOperator {
	return operator[T]{Name: name, Op: op, Identity: identity, Reduce: reduce,
		Element: func(d *kit.Dice, _ int) T { return T(d.Uint64() >> (8 * d.IntN(8))) }}
}

// The first few of them have the kernels that differ most.
var exactOperators = []exactOperator{
	integersBy("uint8 sum", kit.Plus[uint8], 0, skel.NewReduce(skel.Sum[uint8]())),
	integersBy("int sum", kit.Plus[int], 0, skel.NewReduce(skel.Sum[int]())),
	integersBy("int32 max", func(a, b int32) int32 { return max(a, b) }, math.MinInt32,
		skel.NewReduce(skel.Max[int32]())),
	integersBy("uint64 and", func(a, b uint64) uint64 { return a & b }, math.MaxUint64,
		skel.NewReduce(skel.BitAnd[uint64]())),
	integersBy("own sum", kit.Plus[int32], 0, skel.NewReduce(func(a, b int32) int32 { return b + a }, 0)),
	integersBy("own min", lesserOf, math.MaxInt16, skel.NewReduce(lesserOf, math.MaxInt16)),
	integersBy("sum from 3", kit.Plus[int32], 3, skel.NewReduce(kit.Plus[int32], 3)),
	// keeps the order: the identity counts
	integersBy("max from 0", func(a, b int8) int8 { return max(a, b) }, 0,
		skel.NewReduce(func(a, b int8) int8 { return max(a, b) }, 0)),
	integersBy("int64 min", func(a, b int64) int64 { return min(a, b) }, math.MaxInt64,
		skel.NewReduce(skel.Min[int64]())),
	integersBy("product", func(a, b int32) int32 { return a * b }, 1, skel.NewReduce(skel.Prod[int32]())),
	operator[tally]{Name: "tallies", Op: addTallies, Reduce: skel.NewReduce(addTallies, tally{}),
		Element: func(d *kit.Dice, _ int) tally { return tally{1, int32(d.Uint32())} }},
	operator[bool]{Name: "or", Op: func(a, b bool) bool { return a || b }, Reduce: skel.NewReduce(skel.Or[bool]()),
		Element: func(d *kit.Dice, _ int) bool { return d.IntN(50) == 0 }},
	operator[bool]{Name: "and", Op: func(a, b bool) bool { return a && b }, Identity: true,
		Reduce: skel.NewReduce(skel.And[bool]()), Element: func(d *kit.Dice, _ int) bool { return d.IntN(50) > 0 }},

	integersBy("int8 sum", kit.Plus[int8], 0, skel.NewReduce(skel.Sum[int8]())),
	integersBy("int16 sum", kit.Plus[int16], 0, skel.NewReduce(skel.Sum[int16]())),
	integersBy("uint16 sum", kit.Plus[counts], 0, skel.NewReduce(func(a, b counts) counts { return a + b }, 0)),
	integersBy("uint32 sum", kit.Plus[uint32], 0, skel.NewReduce(skel.Sum[uint32]())),
	integersBy("int64 sum", kit.Plus[int64], 0, skel.NewReduce(skel.Sum[int64]())),
	integersBy("uint64 sum", kit.Plus[uint64], 0, skel.NewReduce(skel.Sum[uint64]())),
	integersBy("int8 min", func(a, b int8) int8 { return min(a, b) }, math.MaxInt8, skel.NewReduce(skel.Min[int8]())),
	integersBy("uint8 max", func(a, b uint8) uint8 { return max(a, b) }, 0, skel.NewReduce(skel.Max[uint8]())),
	integersBy("uint32 min", func(a, b uint32) uint32 { return min(a, b) }, math.MaxUint32,
		skel.NewReduce(skel.Min[uint32]())),
	integersBy("int8 and", func(a, b int8) int8 { return a & b }, -1, skel.NewReduce(skel.BitAnd[int8]())),
	integersBy("uint32 or", func(a, b uint32) uint32 { return a | b }, 0, skel.NewReduce(skel.BitOr[uint32]())),
	integersBy("int or", func(a, b int) int { return a | b }, 0, skel.NewReduce(skel.BitOr[int]())),
	integersBy("int16 xor", func(a, b int16) int16 { return a ^ b }, 0, skel.NewReduce(skel.BitXor[int16]())),
	integersBy("uint64 xor", func(a, b uint64) uint64 { return a ^ b }, 0, skel.NewReduce(skel.BitXor[uint64]())),
}

// fewExact is the number of operators that devices that compile take, except at night.
const fewExact = 8

func testAnyOrder(t *testing.T, d *devices.Device) {
	few := exactOperators
	switch {
	case kit.FewBuilds(d) || kit.Emulated(d) || kit.Quick():
		few = few[:4]
	case kit.Thrifty(d):
		few = few[:fewExact]
	}
	for _, o := range few {
		t.Run(o.String(), func(t *testing.T) { o.testAnyOrder(t, d) })
		t.Run(o.String()+" of rows", func(t *testing.T) { o.testAnyOrderRows(t, d) })
	}
	t.Run("inputs from maps", func(t *testing.T) {
		s := kit.Generate(70_001, kit.Lasts.Element)
		v := kit.Put(t, d, s)
		want := kit.ByKey(kit.Apply(int32Half, s), kit.Apply(kit.LowBits, s), 8, kit.Plus[int32], 0)
		kit.Expect(t, int32Sums.ByKey(halves32.Apply(v), kit.Buckets.Apply(v), 8), want)
	})
	t.Run("indices", func(t *testing.T) {
		const n, k = 30_000, 300
		keys := kit.KeysFor(n, k)
		want := kit.ByKey(kit.Generate(n, func(_ *kit.Dice, i int) int { return i }), keys, k, kit.Plus[int], 0)
		kit.Expect(t, intSums.ByKey(vector.Indices(n), kit.Put(t, d, keys), k), want)
	})
	t.Run("loop", func(t *testing.T) {
		if kit.Several(d) {
			t.Skip("loops over several devices are tested elsewhere")
		}
		sizes := []int{40, 70_000, 300_000} // for one group, two, and more
		if kit.Emulated(d) {
			sizes = sizes[:2]
		}
		for _, k := range sizes {
			const n = 5000
			s := kit.Generate(n, kit.Lasts.Element)
			v, keys := kit.Put(t, d, s), kit.Put(t, d, make([]int32, n))
			var out *vector.Vector[int32]
			loop := kit.Record(t, func() error {
				out = int32Sums.ByKey(v, keys, k)
				return out.Err()
			})
			for range 3 {
				now := kit.KeysFor(n, k)
				kit.OK(t, keys.Write(0, now))
				kit.OK(t, loop.Run(2))
				kit.Expect(t, out, kit.ByKey(s, now, k, kit.Plus[int32], 0))
			}
		}
	})
}

func int32Half(x int32) int32 { return x / 2 }

var (
	halves32  = skel.NewMap(int32Half)
	int32Sums = skel.NewReduce(skel.Sum[int32]())
	intSums   = skel.NewReduce(skel.Sum[int]())
)

func (o operator[T]) testAnyOrder(t *testing.T, d *devices.Device) {
	sizes := []int{0, 1, 15, 257, 4097, 70_001}
	if kit.Several(d) || kit.FewBuilds(d) || kit.Quick() {
		sizes = []int{1, 4097, 40_001}
	}
	if kit.Emulated(d) {
		sizes = []int{1, 4097}
	}
	for _, n := range sizes {
		s := kit.Generate(n, o.Element)
		v := kit.Put(t, d, s)
		// In local memory with and without replicas, in several parts of it, and in global
		// memory or sorted.
		for _, k := range []int{1, 7, 256, 2500, 60_000, 300_000} {
			if k > 4*n && n > 1 || k > 60_000 && kit.Emulated(d) {
				continue
			}
			kinds := manyKeys(n, k)
			for _, name := range []string{"random", "sorted", "one key", "no key"} {
				t.Run(fmt.Sprintf("%d elements, %d keys, %s", n, k, name), func(t *testing.T) {
					keys := kinds[name]
					kit.Expect(t, o.Reduce.ByKey(v, kit.Put(t, d, keys), k), kit.ByKey(s, keys, k, o.Op, o.Identity))
				})
			}
		}
	}
}

func (o operator[T]) testAnyOrderRows(t *testing.T, d *devices.Device) {
	// One group and several; totals that fit in local memory and, in the last two, totals
	// that do not.
	for _, c := range []struct{ rows, cols, keys int }{
		{0, 3, 4}, {1, 36, 5}, {300, 2, 7}, {9_001, 3, 5}, {700, 36, 64}, {900, 36, 2000}, {50, 3, 100_000},
	} {
		s := kit.Generate(c.rows*c.cols, o.Element)
		m := matrix.Of(kit.Put(t, d, s), c.rows, c.cols)
		kinds := manyKeys(c.rows, c.keys)
		kinds["few have a key"] = kit.Generate(c.rows, func(r *kit.Dice, _ int) int32 {
			return int32(r.IntN(50*c.keys)) - int32(25*c.keys)
		})
		for _, name := range []string{"random", "one key", "no key", "few have a key"} {
			t.Run(fmt.Sprintf("%d x %d, %d keys, %s", c.rows, c.cols, c.keys, name), func(t *testing.T) {
				keys := kinds[name]
				kit.ExpectMatrix(t, o.Reduce.RowsByKey(m, kit.Put(t, d, keys), c.keys), c.keys, c.cols,
					kit.RowsByKey(s, c.rows, c.cols, keys, c.keys, o.Op, o.Identity))
			})
		}
	}
}
