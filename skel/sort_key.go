package skel

import (
	"fmt"
	"math"
	"reflect"

	"github.com/skelgo/skelgo/devices/driver"
)

// sortKey describes how number keys are mapped to unsigned integers, the bits of the key,
// whose order is that of the sort:
//
//	unsigned integers  their bits
//	signed integers    the sign bit is flipped
//	floats             the sign bit of positive numbers is flipped, all bits of negative ones;
//	                   -0 is mapped like +0, and every NaN to the greatest integer
//	descending order   the complement, except for NaN
//
// Keys that are mapped to the same integer are equal.
type sortKey struct {
	kind       reflect.Kind
	width      int // bits of a key: 8, 16, 32 or 64
	float      bool
	signed     bool
	descending bool
}

// sortKeyOf returns the mapping of keys of type K in ascending order.
func sortKeyOf[K Number]() sortKey {
	k := sortKey{kind: reflect.TypeFor[K]().Kind(), width: 8 * driver.SizeOf[K]()}
	switch k.kind {
	case reflect.Float32, reflect.Float64:
		k.float = true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		k.signed = true
	default: // unsigned
	}
	return k
}

// ctype returns the C type of a key.
func (k *sortKey) ctype() string {
	switch {
	case k.float:
		return fmt.Sprintf("f%d", k.width)
	case k.signed:
		return fmt.Sprintf("i%d", k.width)
	}
	return fmt.Sprintf("u%d", k.width)
}

// bitsType returns the C type of the bits of a key.
func (k *sortKey) bitsType() string { return fmt.Sprintf("u%d", k.width) }

// text returns the definitions that kernels/sortkey.cl needs.
func (k *sortKey) text() string {
	s := fmt.Sprintf("#define KEY_T %s\n#define KEY_U %s\n#define KEY_WIDTH %d\n", k.ctype(), k.bitsType(), k.width)
	if k.float {
		s += fmt.Sprintf("#define KEY_FLOAT skel_f%d_bits\n", k.width)
	}
	if k.signed {
		s += "#define KEY_SIGNED\n"
	}
	if k.descending {
		s += "#define KEY_DESCENDING\n"
	}
	return s
}

// bitsOf returns the bits of a key.
func bitsOf[K Number](k *sortKey, x K) uint64 {
	if k.width <= 32 {
		return uint64(bitsOf32(k, x))
	}
	return bitsOf64(k, x)
}

// bitsOf32 is bitsOf for keys of up to 32 bits.
func bitsOf32[K Number](k *sortKey, x K) uint32 {
	mask := uint32(1)<<(k.width-1)<<1 - 1
	sign := uint32(1) << (k.width - 1)
	var u uint32
	switch {
	case k.float:
		if x != x {
			return mask
		}
		u = math.Float32bits(float32(x) + 0) // -0 + 0 is +0
		u ^= uint32(int32(u)>>31) | sign
	case k.signed:
		u = uint32(x)&mask ^ sign
	default:
		u = uint32(x)
	}
	if k.descending {
		u ^= mask
	}
	return u
}

// bitsOf64 is bitsOf for keys of 64 bits.
func bitsOf64[K Number](k *sortKey, x K) uint64 {
	const sign = 1 << 63
	var u uint64
	switch {
	case k.float:
		if x != x {
			return math.MaxUint64
		}
		u = math.Float64bits(float64(x) + 0)
		u ^= uint64(int64(u)>>63) | sign
	case k.signed:
		u = uint64(x) ^ sign
	default:
		u = uint64(x)
	}
	if k.descending {
		u = ^u
	}
	return u
}

// fillBits32 sets dst to the bits of keys of up to 32 bits.
func fillBits32[K Number](k *sortKey, dst []uint32, src []K) {
	src = src[:len(dst)]
	descending := uint32(0)
	if k.descending {
		descending = uint32(1)<<(k.width-1)<<1 - 1
	}
	switch {
	case k.float:
		for i, x := range src {
			u := math.Float32bits(float32(x) + 0)
			u ^= uint32(int32(u)>>31) | 1<<31
			u ^= descending
			if x != x {
				u = math.MaxUint32
			}
			dst[i] = u
		}
	case k.signed:
		flip := uint32(1)<<(k.width-1) ^ descending
		mask := uint32(1)<<(k.width-1)<<1 - 1
		for i, x := range src {
			dst[i] = uint32(x)&mask ^ flip
		}
	default:
		for i, x := range src {
			dst[i] = uint32(x) ^ descending
		}
	}
}

// fillBits64 sets dst to the bits of keys of 64 bits.
func fillBits64[K Number](k *sortKey, dst []uint64, src []K) {
	src = src[:len(dst)]
	descending := uint64(0)
	if k.descending {
		descending = math.MaxUint64
	}
	switch {
	case k.float:
		for i, x := range src {
			u := math.Float64bits(float64(x) + 0)
			u ^= uint64(int64(u)>>63) | 1<<63
			u ^= descending
			if x != x {
				u = math.MaxUint64
			}
			dst[i] = u
		}
	case k.signed:
		for i, x := range src {
			dst[i] = uint64(x) ^ 1<<63 ^ descending
		}
	default:
		for i, x := range src {
			dst[i] = uint64(x) ^ descending
		}
	}
}
