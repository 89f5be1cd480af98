package columnar

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/skelgo/skelgo/devices/driver"
)

// Number is the set of types that columns can be read as.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// number is the type of the numbers in a column.
type number uint8

const (
	notANumber number = iota
	int8s
	int16s
	int32s
	int64s
	uint8s
	uint16s
	uint32s
	uint64s
	float16s
	float32s
	float64s
)

var numbers = [...]struct {
	name   string
	size   int
	digits int // the bits of integers without the sign, or of the mantissa
	signed bool
	float  bool
}{
	notANumber: {"", 0, 0, false, false},
	int8s:      {"int8", 1, 7, true, false},
	int16s:     {"int16", 2, 15, true, false},
	int32s:     {"int32", 4, 31, true, false},
	int64s:     {"int64", 8, 63, true, false},
	uint8s:     {"uint8", 1, 8, false, false},
	uint16s:    {"uint16", 2, 16, false, false},
	uint32s:    {"uint32", 4, 32, false, false},
	uint64s:    {"uint64", 8, 64, false, false},
	float16s:   {"float16", 2, 11, true, true},
	float32s:   {"float32", 4, 24, true, true},
	float64s:   {"float64", 8, 53, true, true},
}

func (n number) String() string { return numbers[n].name }
func (n number) size() int      { return numbers[n].size }

// numberOf returns the type of the elements of a container of T.
func numberOf[T Number]() number {
	t := reflect.TypeFor[T]()
	switch {
	case t.Kind() == reflect.Float32:
		return float32s
	case t.Kind() == reflect.Float64:
		return float64s
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return map[uintptr]number{1: uint8s, 2: uint16s, 4: uint32s, 8: uint64s}[t.Size()]
	default:
		return map[uintptr]number{1: int8s, 2: int16s, 4: int32s, 8: int64s}[t.Size()]
	}
}

// exactIn reports whether a t holds every value of n.
func (n number) exactIn(t number) bool {
	from, to := numbers[n], numbers[t]
	switch {
	case from.float:
		return to.float && to.digits >= from.digits
	case to.float:
		return to.digits >= from.digits
	case from.signed:
		return to.signed && to.digits >= from.digits
	default:
		return to.digits >= from.digits
	}
}

// convert sets dst to the numbers in src, which are of type n.
func convert[T Number](dst []T, src []byte, n number) {
	switch n {
	case int8s:
		convertSlice(dst, driver.Slice[int8](src))
	case int16s:
		convertSlice(dst, driver.Slice[int16](src))
	case int32s:
		convertSlice(dst, driver.Slice[int32](src))
	case int64s:
		convertSlice(dst, driver.Slice[int64](src))
	case uint8s:
		convertSlice(dst, src)
	case uint16s:
		convertSlice(dst, driver.Slice[uint16](src))
	case uint32s:
		convertSlice(dst, driver.Slice[uint32](src))
	case uint64s:
		convertSlice(dst, driver.Slice[uint64](src))
	case float16s:
		for i := range dst {
			dst[i] = T(halfToFloat(binary.NativeEndian.Uint16(src[2*i:])))
		}
	case float32s:
		convertSlice(dst, driver.Slice[float32](src))
	case float64s:
		convertSlice(dst, driver.Slice[float64](src))
	case notANumber:
	}
}

func convertSlice[T, S Number](dst []T, src []S) {
	for i, x := range src[:len(dst)] {
		dst[i] = T(x)
	}
}

// halfToFloat converts a float16.
func halfToFloat(h uint16) float32 {
	sign, exponent, mantissa := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0: // zero, or a subnormal number
		return math.Float32frombits(math.Float32bits(float32(mantissa)/(1<<24)) | sign)
	case 31: // infinite, or NaN
		return math.Float32frombits(sign | 0xff<<23 | mantissa<<13)
	default:
		return math.Float32frombits(sign | (exponent-15+127)<<23 | mantissa<<13)
	}
}
