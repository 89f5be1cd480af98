package skel

import (
	"math"
	"math/bits"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// A reduction by more than blockKeys keys sorts the elements by key, and reduces the
// elements of a key like a segment. Its canonical order is therefore that of Reduce over
// the elements of each key, in order of position; see docs/adr/0028. Blocks of positions
// would each add as many operations, and take memory for as many elements, as there are
// keys.
//
// Sorted keys need no sorting. The kernels find that out on the device, so a loop can be
// recorded: those that sort do nothing if the keys are sorted.

// blockKeys is the largest number of keys that are reduced in blocks.
const blockKeys = 2048

// sortedKeys is a reduction by key that sorts.
type sortedKeys[T any] struct {
	operator *operator[T]
	x        *expr[T]
	of       *expr[int32] // in memory
	keys     int
	out      *vector.Vector[T]
}

// byManyKeys is byKey for many keys.
func (o *operator[T]) byManyKeys(x *expr[T], keys vector.Source[int32], n int) *vector.Vector[T] {
	if v, ok := keys.(*vector.Vector[int32]); ok {
		_, _ = arrayOf(v).Memory() // v keeps an error
	}
	of := open(keys)
	sameLength(o.fun, x.n, of.n)
	o.fun.ready()
	if p := scattered(o.extra, &x.meta, &of.meta); p != nil {
		return o.byManyKeysOver(x, of, n, p)
	}
	return o.byManyKeysOf(x, of, n)
}

// byManyKeysOver is byManyKeys at p. The order of a key's elements is that of Reduce, so the first device
// needs all of them; but if any order gives the same bits, each device reduces its part.
func (o *operator[T]) byManyKeysOver(x *expr[T], of *expr[int32], n int, p *array.Place) *vector.Vector[T] {
	if _, exact := o.word(); exact == 0 || oneComputes(p) || x.n == 0 {
		h := onFirstDevice(p, x.n)
		return o.on(h, 0).byManyKeysOf(x.at(h), of.at(h), n)
	}
	x, of = x.at(p), of.at(p)
	if err := firstError(x.err, of.err); err != nil {
		return failed[T](n, err)
	}
	all := gatherFrom(p, func(k int) *vector.Vector[T] {
		return o.on(p, k).byManyKeysOf(x.parts[k], of.parts[k], n)
	})
	defer all.Free()
	return o.on(onFirstDevice(p, all.Len()), 0).columns(openVector(all), len(p.Devs), n)
}

// byManyKeysOf is byManyKeys on one device.
func (o *operator[T]) byManyKeysOf(x *expr[T], of *expr[int32], n int) *vector.Vector[T] {
	x = x.placeIndicesAt(of.where, nil)
	m := o.source(x)
	m.merge(o.fun, of.where, of.err)
	if m.err == nil && x.n > 0 && o.inAnyOrder(m.device(), x, of, 1, n) != nil {
		return o.byKeyOf(x, 1, of, nil, n)
	}
	return output(&m, n, func(out *vector.Vector[T], _ *devices.Buffer) error {
		k := &sortedKeys[T]{operator: o, x: x, of: of, keys: n, out: out}
		offsets := uninitialized[int](n+1, m.where)
		if array.Recording() == nil { // each run of a loop needs them
			defer offsets.Free()
		}
		if _, err := arrayOf(offsets).Output(); err != nil {
			return err
		}
		c := &segmentation{segments: n, length: x.n, offsets: arrayOf(offsets), offsetVector: offsets}
		if m.device().Native() {
			return c.deferred(nil, func() error {
				return m.device().Natively(k.operator.fun.label, nil, func() error { return k.native(&m, c) })
			}, k, offsets)
		}
		return k.device(&m, c)
	})
}

// native reduces on the CPU. It counts the elements of each key, and unless the keys are
// sorted moves each element to its place.
func (k *sortedKeys[T]) native(m *meta, c *segmentation) error {
	d, n := m.device(), k.x.n
	of, offsets := k.of.mem, array.Elements[int](c.offsets)
	groups := max(1, min(int(nativeGroups(d, n, 1)), d.Info().Units, n/k.keys))
	next := make([]int, groups*k.keys) // in each group, by key: the count, then the place of the next element
	mixed := make([]bool, groups)
	count := &program{kernel: "keycount", label: k.operator.fun.label, groups: int64(groups)}
	count.native = func(g driver.Group) {
		lo, hi := g.Range(int64(n))
		counts, last := next[int(g.ID)*k.keys:][:k.keys], -1
		if lo > 0 {
			last = k.rank(of[lo-1])
		}
		for _, key := range of[lo:hi] {
			rank := k.rank(key)
			mixed[g.ID] = mixed[g.ID] || rank < last
			if last = rank; rank < k.keys {
				counts[rank]++
			}
		}
	}
	if err := count.launch(d, k.of, c.offsets); err != nil {
		return err
	}
	at, sorted := 0, true
	for key := range k.keys {
		offsets[key] = at
		for g := range groups {
			at, next[g*k.keys+key] = at+next[g*k.keys+key], at
		}
	}
	offsets[k.keys] = at
	for _, is := range mixed {
		sorted = sorted && !is
	}
	if sorted {
		return k.operator.segmentsNative(m, memoryOf(k.out), k.x, c, k.out)
	}
	values := make([]T, at)
	move := &program{kernel: "keymove", label: k.operator.fun.label, groups: int64(groups)}
	move.native = func(g driver.Group) {
		lo, hi := g.Range(int64(n))
		places := next[int(g.ID)*k.keys:][:k.keys]
		withScratch(func(s *scratch) {
			inChunks(s, computed, int(hi-lo), func(from, to int) {
				for i, x := range k.x.chunk(s, int(lo)+from, int(lo)+to) {
					if rank := k.rank(of[int(lo)+from+i]); rank < k.keys {
						values[places[rank]] = x
						places[rank]++
					}
				}
			})
		})
	}
	if err := move.launch(d, k.x, k.of); err != nil {
		return err
	}
	x := &expr[T]{meta: meta{n: at, where: m.where}, mem: values}
	return k.operator.segmentsNative(m, memoryOf(k.out), x, c, k.out)
}

// rank returns the position of a key in sorted order. Keys out of range come last.
func (k *sortedKeys[T]) rank(key int32) int {
	if key < 0 {
		return k.keys
	}
	return min(int(key), k.keys)
}

// digits returns the number of passes that sort the keys, and the bits of the digits that a
// pass sorts by, at most the given number.
func (k *sortedKeys[T]) digits(most int) (passes, width int) {
	all := bits.Len32(k.most())
	passes = (all + most - 1) / most
	return passes, (all + passes - 1) / passes
}

// most is the rank of keys out of range on a device.
func (k *sortedKeys[T]) most() uint32 { return uint32(min(k.keys, math.MaxInt32+1)) }
