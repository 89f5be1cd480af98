package skel

import (
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// radixPairs sorts bits, and moves values with them. It returns both; the values are in values or in other.
// differ has the bits in which keys differ.
func radixPairs[B uint32 | uint64, V any](r *nativeRadix, bits []B, differ B, values, other []V) ([]B, []V, error) {
	bits2, err := radixTemporary[B](r)
	if err != nil {
		return nil, nil, err
	}
	err = radixPasses(r, differ, func(shift int) func(lo, hi int, count *[sortBins]int) {
		src := bits
		return func(lo, hi int, count *[sortBins]int) { countDigits(src[lo:hi], shift, count) }
	}, func(shift int) func(lo, hi int, start *[sortBins]int) {
		from, to, fromV, toV := bits, bits2, values, other
		bits, bits2, values, other = to, from, toV, fromV
		return func(lo, hi int, start *[sortBins]int) {
			fromV := fromV[lo:hi]
			for i, k := range from[lo:hi] {
				d := uint8(k >> (shift & 63))
				at := start[d]
				start[d] = at + 1
				to[at], toV[at] = k, fromV[i]
			}
		}
	})
	return bits, values, err
}

// radixKeys sorts bits without values. The result is in bits or in other.
func radixKeys[B uint32 | uint64](r *nativeRadix, bits []B, differ B, other []B) ([]B, error) {
	err := radixPasses(r, differ, func(shift int) func(lo, hi int, count *[sortBins]int) {
		src := bits
		return func(lo, hi int, count *[sortBins]int) { countDigits(src[lo:hi], shift, count) }
	}, func(shift int) func(lo, hi int, start *[sortBins]int) {
		from, to := bits, other
		bits, other = to, from
		return func(lo, hi int, start *[sortBins]int) {
			for _, k := range from[lo:hi] {
				d := uint8(k >> (shift & 63))
				at := start[d]
				start[d] = at + 1
				to[at] = k
			}
		}
	})
	return bits, err
}

// radixPasses makes a pass for every digit in which keys differ: it counts the values of the
// digit in every group's part, computes where each group begins to write each value, and
// moves the elements. count and move return the functions of a pass.
func radixPasses[B uint32 | uint64](
	r *nativeRadix, differ B, count, move func(shift int) func(lo, hi int, counts *[sortBins]int),
) error {
	counts := make([][sortBins]int, r.groups)
	for shift := 0; shift < 8*driver.SizeOf[B](); shift += 8 {
		if uint8(differ>>shift) == 0 {
			continue
		}
		f := count(shift)
		err := r.each(func(group, lo, hi int) {
			counts[group] = [sortBins]int{}
			f(lo, hi, &counts[group])
		})
		if err != nil {
			return err
		}
		before := 0
		for d := range sortBins {
			for g := range counts {
				before, counts[g][d] = before+counts[g][d], before
			}
		}
		f = move(shift)
		if err := r.each(func(group, lo, hi int) { f(lo, hi, &counts[group]) }); err != nil {
			return err
		}
	}
	return nil
}

// countDigits counts the values of a digit. It uses several tables, because an increment
// waits for the one before if both change the same count.
func countDigits[B uint32 | uint64](bits []B, shift int, count *[sortBins]int) {
	shift &= 63
	var more [3][sortBins]int32
	for len(bits) >= 4 {
		part := bits[:min(len(bits), 1<<30)&^3]
		for i := 0; i < len(part); i += 4 {
			p := part[i : i+4 : i+4]
			count[uint8(p[0]>>shift)]++
			more[0][uint8(p[1]>>shift)]++
			more[1][uint8(p[2]>>shift)]++
			more[2][uint8(p[3]>>shift)]++
		}
		for d := range count {
			count[d] += int(more[0][d]) + int(more[1][d]) + int(more[2][d])
		}
		more = [3][sortBins]int32{}
		bits = bits[len(part):]
	}
	for _, k := range bits {
		count[uint8(k>>shift)]++
	}
}

// radixNumbers sorts numbers by their bits, which it turns back into numbers in dst. If that
// is impossible, because the bits of NaN and -0 do not determine them, done is false and dst
// is unchanged.
func radixNumbers[T any, B uint32 | uint64](
	r *nativeRadix, o *ordering[T], dst []T, x *expr[T], fill bitsLoop[T, B],
) (done bool, err error) {
	var special atomic.Bool
	check := func(src []T, bits []B) {
		if hasSpecial(driver.Slice[B](driver.Bytes(src)), bits) {
			special.Store(true)
		}
	}
	if !o.key.float {
		check = nil
	}
	bits, differ, err := radixBits(r, o, x, nil, fill, check)
	if err != nil || special.Load() {
		return false, err
	}
	var other []B
	if driver.SizeOf[T]() == driver.SizeOf[B]() {
		other = driver.Slice[B](driver.Bytes(dst))
	} else if other, err = radixTemporary[B](r); err != nil {
		return false, err
	}
	if bits, err = radixKeys(r, bits, differ, other); err != nil {
		return false, err
	}
	return true, r.each(func(_, lo, hi int) { numbersOf(o.key, dst[lo:hi], bits[lo:hi]) })
}

// hasSpecial reports whether there is a -0 or a NaN among floats, given as they are in memory
// and as the bits of keys.
func hasSpecial[B uint32 | uint64](raw, bits []B) bool {
	minusZero := ^(^B(0) >> 1)
	found := false
	bits = bits[:len(raw)]
	for i, u := range raw {
		found = found || u == minusZero || bits[i] == ^B(0)
	}
	return found
}

// numbersOf sets dst to the numbers with the given bits, which may share its memory.
func numbersOf[T any, B uint32 | uint64](k *sortKey, dst []T, bits []B) {
	var flip B
	if k.descending {
		flip = ^flip
	}
	sign := B(1) << (k.width - 1)
	if k.signed {
		flip ^= sign
	}
	switch raw := driver.Bytes(dst); {
	case k.float:
		dst := driver.Slice[B](raw)
		for i, b := range bits {
			b ^= flip
			dst[i] = b ^ (b>>(k.width-1) - 1 | sign)
		}
	case k.width == 8:
		for i, b := range bits {
			raw[i] = uint8(b ^ flip)
		}
	case k.width == 16:
		dst := driver.Slice[uint16](raw)
		for i, b := range bits {
			dst[i] = uint16(b ^ flip)
		}
	default:
		dst := driver.Slice[B](raw)
		for i, b := range bits {
			dst[i] = b ^ flip
		}
	}
}
