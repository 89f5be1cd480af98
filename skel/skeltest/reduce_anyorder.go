package skeltest

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
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
	return operator[T]{name: name, op: op, identity: identity, reduce: reduce,
		element: func(d *dice, _ int) T { return T(d.Uint64() >> (8 * d.IntN(8))) }}
}

// The first few of them have the kernels that differ most.
var exactOperators = []exactOperator{
	integersBy("uint8 sum", plus[uint8], 0, skel.NewReduce(skel.Sum[uint8]())),
	integersBy("int sum", plus[int], 0, skel.NewReduce(skel.Sum[int]())),
	integersBy("int32 max", func(a, b int32) int32 { return max(a, b) }, math.MinInt32,
		skel.NewReduce(skel.Max[int32]())),
	integersBy("uint64 and", func(a, b uint64) uint64 { return a & b }, math.MaxUint64,
		skel.NewReduce(skel.BitAnd[uint64]())),
	integersBy("own sum", plus[int32], 0, skel.NewReduce(func(a, b int32) int32 { return b + a }, 0)),
	integersBy("own min", lesserOf, math.MaxInt16, skel.NewReduce(lesserOf, math.MaxInt16)),
	integersBy("sum from 3", plus[int32], 3, skel.NewReduce(plus[int32], 3)), // keeps the order: the identity counts
	integersBy("max from 0", func(a, b int8) int8 { return max(a, b) }, 0,
		skel.NewReduce(func(a, b int8) int8 { return max(a, b) }, 0)),
	integersBy("int64 min", func(a, b int64) int64 { return min(a, b) }, math.MaxInt64,
		skel.NewReduce(skel.Min[int64]())),
	integersBy("product", func(a, b int32) int32 { return a * b }, 1, skel.NewReduce(skel.Prod[int32]())),
	operator[tally]{name: "tallies", op: addTallies, reduce: skel.NewReduce(addTallies, tally{}),
		element: func(d *dice, _ int) tally { return tally{1, int32(d.Uint32())} }},
	operator[bool]{name: "or", op: func(a, b bool) bool { return a || b }, reduce: skel.NewReduce(skel.Or[bool]()),
		element: func(d *dice, _ int) bool { return d.IntN(50) == 0 }},
	operator[bool]{name: "and", op: func(a, b bool) bool { return a && b }, identity: true,
		reduce: skel.NewReduce(skel.And[bool]()), element: func(d *dice, _ int) bool { return d.IntN(50) > 0 }},

	integersBy("int8 sum", plus[int8], 0, skel.NewReduce(skel.Sum[int8]())),
	integersBy("int16 sum", plus[int16], 0, skel.NewReduce(skel.Sum[int16]())),
	integersBy("uint16 sum", plus[counts], 0, skel.NewReduce(func(a, b counts) counts { return a + b }, 0)),
	integersBy("uint32 sum", plus[uint32], 0, skel.NewReduce(skel.Sum[uint32]())),
	integersBy("int64 sum", plus[int64], 0, skel.NewReduce(skel.Sum[int64]())),
	integersBy("uint64 sum", plus[uint64], 0, skel.NewReduce(skel.Sum[uint64]())),
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
	case fewBuilds(d) || emulated(d) || quick():
		few = few[:4]
	case thrifty(d):
		few = few[:fewExact]
	}
	for _, o := range few {
		t.Run(o.String(), func(t *testing.T) { o.testAnyOrder(t, d) })
		t.Run(o.String()+" of rows", func(t *testing.T) { o.testAnyOrderRows(t, d) })
	}
	t.Run("inputs from maps", func(t *testing.T) {
		s := generate(70_001, lasts.element)
		v := put(t, d, s)
		want := ByKey(apply(int32Half, s), apply(lowBits, s), 8, plus[int32], 0)
		expect(t, int32Sums.ByKey(halves32.Apply(v), buckets.Apply(v), 8), want)
	})
	t.Run("indices", func(t *testing.T) {
		const n, k = 30_000, 300
		keys := keysFor(n, k)
		want := ByKey(generate(n, func(_ *dice, i int) int { return i }), keys, k, plus[int], 0)
		expect(t, intSums.ByKey(vector.Indices(n), put(t, d, keys), k), want)
	})
	t.Run("loop", func(t *testing.T) {
		if several(d) {
			t.Skip("loops over several devices are tested elsewhere")
		}
		sizes := []int{40, 70_000, 300_000} // for one group, two, and more
		if emulated(d) {
			sizes = sizes[:2]
		}
		for _, k := range sizes {
			const n = 5000
			s := generate(n, lasts.element)
			v, keys := put(t, d, s), put(t, d, make([]int32, n))
			var out *vector.Vector[int32]
			loop := record(t, func() error {
				out = int32Sums.ByKey(v, keys, k)
				return out.Err()
			})
			for range 3 {
				now := keysFor(n, k)
				ok(t, keys.Write(0, now))
				ok(t, loop.Run(2))
				expect(t, out, ByKey(s, now, k, plus[int32], 0))
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
	if several(d) || fewBuilds(d) || quick() {
		sizes = []int{1, 4097, 40_001}
	}
	if emulated(d) {
		sizes = []int{1, 4097}
	}
	for _, n := range sizes {
		s := generate(n, o.element)
		v := put(t, d, s)
		// In local memory with and without replicas, in several parts of it, and in global
		// memory or sorted.
		for _, k := range []int{1, 7, 256, 2500, 60_000, 300_000} {
			if k > 4*n && n > 1 || k > 60_000 && emulated(d) {
				continue
			}
			kinds := manyKeys(n, k)
			for _, name := range []string{"random", "sorted", "one key", "no key"} {
				t.Run(fmt.Sprintf("%d elements, %d keys, %s", n, k, name), func(t *testing.T) {
					keys := kinds[name]
					expect(t, o.reduce.ByKey(v, put(t, d, keys), k), ByKey(s, keys, k, o.op, o.identity))
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
		s := generate(c.rows*c.cols, o.element)
		m := matrix.Of(put(t, d, s), c.rows, c.cols)
		kinds := manyKeys(c.rows, c.keys)
		kinds["few have a key"] = generate(c.rows, func(r *dice, _ int) int32 {
			return int32(r.IntN(50*c.keys)) - int32(25*c.keys)
		})
		for _, name := range []string{"random", "one key", "no key", "few have a key"} {
			t.Run(fmt.Sprintf("%d x %d, %d keys, %s", c.rows, c.cols, c.keys, name), func(t *testing.T) {
				keys := kinds[name]
				expectMatrix(t, o.reduce.RowsByKey(m, put(t, d, keys), c.keys), c.keys, c.cols,
					RowsByKey(s, c.rows, c.cols, keys, c.keys, o.op, o.identity))
			})
		}
	}
}
