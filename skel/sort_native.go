package skel

import (
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// A radix sort on the CPU computes the bits of all keys, and then moves them, together with
// values or indices, into the order of one digit after another, starting with the
// least. Every core counts and moves its own part of the elements. A digit begins with a bit in
// which keys differ.

// nativeRadix is a radix sort on the CPU.
type nativeRadix struct {
	d      *devices.Device
	where  array.Distribution
	label  string
	n      int
	groups int64
	owned  []interface{ Free() }
}

// radixNative sorts x into out.
func (o *ordering[T]) radixNative(m *meta, out *array.Array, x *expr[T]) error {
	r, dst := nativeRadixOf(m, o.fun.label, x.n), array.Elements[T](out)
	return r.deferred(func() error {
		if o.key.width == 64 {
			return radixElements(r, o, dst, x, o.bits64)
		}
		return radixElements(r, o, dst, x, o.bits32)
	}, x, out, o.extra)
}

// radixOrderNative stores the indices of the elements of x in out, in the order of their keys.
func (o *ordering[T]) radixOrderNative(m *meta, out *array.Array, x *expr[T]) error {
	r, dst := nativeRadixOf(m, o.fun.label, x.n), array.Elements[int](out)
	return r.deferred(func() error {
		if o.key.width == 64 {
			return radixIndices(r, o, dst, x, o.bits64)
		}
		return radixIndices(r, o, dst, x, o.bits32)
	}, x, out, o.extra)
}

// nativeRadixOf returns a sort of n elements.
func nativeRadixOf(m *meta, label string, n int) *nativeRadix {
	d := m.device()
	groups := min(int64(d.Info().Units), nativeGroups(d, n, 1))
	return &nativeRadix{d: d, where: m.where, label: label, n: n, groups: groups}
}

// deferred calls run, which decides on the host how to proceed. While a loop is recorded, it
// adds the call to the loop.
func (r *nativeRadix) deferred(run func() error, keep ...any) error {
	whole := func() error {
		defer func() {
			for _, v := range r.owned {
				v.Free()
			}
			r.owned = r.owned[:0]
		}()
		return r.d.Natively(r.label, nil, run)
	}
	rec := array.Recording()
	if rec == nil {
		return whole()
	}
	rec.Keep(keep...)
	return rec.Call(whole)
}

// radixTemporary returns memory for n elements that is freed at the end of the sort.
func radixTemporary[T any](r *nativeRadix) ([]T, error) {
	v := uninitialized[T](r.n, r.where)
	r.owned = append(r.owned, v)
	if _, err := arrayOf(v).Output(); err != nil {
		return nil, err
	}
	return memoryOf(v), nil
}

// each calls f for every group, with its part [lo, hi) of the elements.
func (r *nativeRadix) each(f func(group, lo, hi int)) error {
	p := &program{kernel: "sort", label: r.label, groups: r.groups}
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(r.n))
		f(int(g.ID), int(lo), int(hi))
	}
	return p.launch(r.d)
}

// bitsLoop computes the bits of keys.
type bitsLoop[T any, B uint32 | uint64] = func(k *sortKey, s *scratch, dst []B, src []T)

// radixElements sorts x into dst, which may be the memory of x.
func radixElements[T any, B uint32 | uint64](
	r *nativeRadix, o *ordering[T], dst []T, x *expr[T], fill bitsLoop[T, B],
) error {
	if o.byValue {
		done, err := radixNumbers(r, o, dst, x, fill)
		if done || err != nil {
			return err
		}
	}
	elements, err := radixTemporary[T](r) // the elements of x, or the other place for them
	if err != nil {
		return err
	}
	bits, differ, err := radixBits(r, o, x, elements, fill, nil)
	if err != nil {
		return err
	}
	if driver.SizeOf[T]() > carriedBytes {
		return withIndices(r, bits, differ,
			func(order []uint32) error { return gathered(r, dst, elements, order) },
			func(order []int) error { return gathered(r, dst, elements, order) })
	}
	_, sorted, err := radixPairs(r, bits, differ, elements, dst)
	if err != nil {
		return err
	}
	if len(sorted) > 0 && &sorted[0] != &dst[0] {
		return r.each(func(_, lo, hi int) { copy(dst[lo:hi], sorted[lo:hi]) })
	}
	return nil
}

// radixIndices stores the indices of the elements of x in dst, in the order of their keys.
func radixIndices[T any, B uint32 | uint64](
	r *nativeRadix, o *ordering[T], dst []int, x *expr[T], fill bitsLoop[T, B],
) error {
	bits, differ, err := radixBits(r, o, x, nil, fill, nil)
	if err != nil {
		return err
	}
	return withIndices(r, bits, differ,
		func(order []uint32) error {
			return r.each(func(_, lo, hi int) {
				for i, k := range order[lo:hi] {
					dst[lo+i] = int(k)
				}
			})
		},
		func(order []int) error {
			return r.each(func(_, lo, hi int) { copy(dst[lo:hi], order[lo:hi]) })
		})
}

// withIndices passes the indices of keys, in the order of their bits, to one of two
// functions: indices take 32 bits if that is enough.
func withIndices[B uint32 | uint64](
	r *nativeRadix, bits []B, differ B, narrow func([]uint32) error, wide func([]int) error,
) error {
	if r.n <= sortShortIndices {
		order, err := radixIndexed[B, uint32](r, bits, differ)
		if err != nil {
			return err
		}
		return narrow(order)
	}
	order, err := radixIndexed[B, int](r, bits, differ)
	if err != nil {
		return err
	}
	return wide(order)
}

// radixIndexed returns the indices of keys, in the order of their bits.
func radixIndexed[B uint32 | uint64, I uint32 | int](r *nativeRadix, bits []B, differ B) ([]I, error) {
	order, err := radixTemporary[I](r)
	if err != nil {
		return nil, err
	}
	other, err := radixTemporary[I](r)
	if err != nil {
		return nil, err
	}
	err = r.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			order[i] = I(i)
		}
	})
	if err != nil {
		return nil, err
	}
	_, order, err = radixPairs(r, bits, differ, order, other)
	return order, err
}

// gathered sets dst to elements in the order of indices.
func gathered[T any, I uint32 | int](r *nativeRadix, dst, elements []T, order []I) error {
	return r.each(func(_, lo, hi int) {
		for i, k := range order[lo:hi] {
			dst[lo+i] = elements[k]
		}
	})
}

// radixBits computes the bits of the keys of x, and which of them differ. It stores the
// elements in keep, if that is not nil, and calls check, if that is not nil, for parts of the
// elements and their bits.
func radixBits[T any, B uint32 | uint64](
	r *nativeRadix, o *ordering[T], x *expr[T], keep []T, fill bitsLoop[T, B],
	check func(src []T, bits []B),
) (bits []B, differ B, err error) {
	if bits, err = radixTemporary[B](r); err != nil {
		return nil, 0, err
	}
	var allOnes, allZeros atomic.Uint64
	err = r.each(func(_, lo, hi int) {
		withScratch(func(s *scratch) {
			var ones, zeros B
			inChunks(s, computed, hi-lo, func(from, to int) {
				from, to = lo+from, lo+to
				src := x.chunk(s, from, to)
				if keep != nil {
					copy(keep[from:to], src)
					src = keep[from:to]
				}
				fill(o.key, s, bits[from:to], src)
				if check != nil {
					check(src, bits[from:to])
				}
				for _, b := range bits[from:to] {
					ones, zeros = ones|b, zeros|^b
				}
			})
			allOnes.Or(uint64(ones))
			allZeros.Or(uint64(zeros))
		})
	})
	return bits, B(allOnes.Load() & allZeros.Load()), err
}

// radixValues sorts keys into sorted, and values in the same arrangement into moved.
func radixValues[K, V any, B uint32 | uint64](
	r *nativeRadix, o *ordering[K], keys []K, values []V, sorted []K, moved []V, fill bitsLoop[K, B],
) error {
	x := &expr[K]{meta: meta{n: len(keys), kind: memory}, mem: keys}
	var special atomic.Bool
	check := func(src []K, bits []B) {
		if hasSpecial(driver.Slice[B](driver.Bytes(src)), bits) {
			special.Store(true)
		}
	}
	if !o.key.float {
		check = nil
	}
	bits, differ, err := radixBits(r, o, x, nil, fill, check)
	if err != nil {
		return err
	}
	if special.Load() {
		return withIndices(r, bits, differ,
			func(order []uint32) error {
				return firstError(gathered(r, sorted, keys, order), gathered(r, moved, values, order))
			},
			func(order []int) error {
				return firstError(gathered(r, sorted, keys, order), gathered(r, moved, values, order))
			})
	}
	other, err := radixTemporary[V](r)
	if err != nil {
		return err
	}
	if err := r.each(func(_, lo, hi int) { copy(other[lo:hi], values[lo:hi]) }); err != nil {
		return err
	}
	bits, other, err = radixPairs(r, bits, differ, other, moved)
	if err != nil {
		return err
	}
	return r.each(func(_, lo, hi int) {
		numbersOf(o.key, sorted[lo:hi], bits[lo:hi])
		if lo < hi && &other[lo] != &moved[lo] {
			copy(moved[lo:hi], other[lo:hi])
		}
	})
}
