package skel

import (
	"math/bits"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// digit is some bits of keys.
type digit struct{ shift, width int }

// digitBins is the number of values of the widest digits. A core waits for memory once for
// each line that it writes, and not for each value of a digit: more than 8 bits save passes,
// and the lines still fit the second-level cache.
const digitBins = 1 << 11

// digitsOf returns the digits that cover the bits in which n keys differ.
func digitsOf(differ uint64, n int64) (list []digit) {
	widest := bits.Len(digitBins - 1)
	if n < 16*digitBins {
		widest = 8 // the tables would be large compared with the keys
	}
	for differ != 0 {
		shift := bits.TrailingZeros64(differ)
		rest := bits.Len64(differ) - shift
		passes := (rest + widest - 1) / widest
		d := digit{shift, (rest + passes - 1) / passes}
		list = append(list, d)
		differ = differ >> (shift + d.width) << (shift + d.width)
	}
	return list
}

// radixPairs sorts keys, and moves values with them. It returns both; the values are in values or in other.
// differ has the bits in which keys differ.
func radixPairs[B uint32 | uint64, V any](r *nativeRadix, keys []B, differ B, values, other []V) ([]B, []V, error) {
	keys2, err := radixTemporary[B](r)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range digitsOf(uint64(differ), int64(r.n)/r.groups) {
		err := radixPass(r, keys, d, func(lo, hi int, start []int) {
			shift, mask := d.shift&63, B(1)<<d.width-1
			to, toV, fromV := keys2, other, values[lo:hi] // not shared variables
			for i, k := range keys[lo:hi] {
				v := k >> shift & mask
				at := start[v]
				start[v] = at + 1
				to[at], toV[at] = k, fromV[i]
			}
		})
		if err != nil {
			return nil, nil, err
		}
		keys, keys2, values, other = keys2, keys, other, values
	}
	return keys, values, nil
}

// radixKeys sorts keys without values. The result is in keys or in other.
func radixKeys[B uint32 | uint64](r *nativeRadix, keys []B, differ B, other []B) ([]B, error) {
	for _, d := range digitsOf(uint64(differ), int64(r.n)/r.groups) {
		err := radixPass(r, keys, d, func(lo, hi int, start []int) {
			shift, mask, to := d.shift&63, B(1)<<d.width-1, other
			for _, k := range keys[lo:hi] {
				v := k >> shift & mask
				at := start[v]
				start[v] = at + 1
				to[at] = k
			}
		})
		if err != nil {
			return nil, err
		}
		keys, other = other, keys
	}
	return keys, nil
}

// radixPass sorts by one digit: it counts the values of the digit in every group's part,
// computes where each group begins to write each value, and calls move for every part.
func radixPass[B uint32 | uint64](r *nativeRadix, keys []B, d digit, move func(lo, hi int, start []int)) error {
	bins := 1 << d.width
	counts := make([]int, bins*int(r.groups))
	err := r.each(func(group, lo, hi int) { countDigits(keys[lo:hi], d, counts[group*bins:][:bins]) })
	if err != nil {
		return err
	}
	before := 0
	for v := range bins {
		for at := v; at < len(counts); at += bins {
			before, counts[at] = before+counts[at], before
		}
	}
	return r.each(func(group, lo, hi int) { move(lo, hi, counts[group*bins:][:bins]) })
}

// countDigits counts the values of a digit. It uses two tables, because an increment
// waits for the one before if both change the same count.
func countDigits[B uint32 | uint64](keys []B, d digit, count []int) {
	shift, mask := d.shift&63, B(1)<<d.width-1
	for len(keys) > 0 {
		var table [2][digitBins]uint32
		part := keys[:min(len(keys), 1<<30)]
		for ; len(part) >= 4; part = part[4:] {
			table[0][part[0]>>shift&mask&(digitBins-1)]++
			table[1][part[1]>>shift&mask&(digitBins-1)]++
			table[0][part[2]>>shift&mask&(digitBins-1)]++
			table[1][part[3]>>shift&mask&(digitBins-1)]++
		}
		for _, k := range part {
			table[0][k>>shift&mask&(digitBins-1)]++
		}
		for v := range count {
			count[v] += int(table[0][v]) + int(table[1][v])
		}
		keys = keys[min(len(keys), 1<<30):]
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
