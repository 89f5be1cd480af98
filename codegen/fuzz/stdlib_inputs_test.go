package fuzz

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
)

// arguments returns combinations of the special values of all parameters, and
// random values.
func (c *stdCase) arguments(r *rand.Rand) [][]uint64 {
	n := c.call.Type().NumIn()
	if n == 0 {
		return [][]uint64{nil}
	}
	lists, all := make([][]uint64, n), 1
	for i := range n {
		lists[i] = c.special(c.call.Type().In(i).Kind())
		all *= len(lists[i])
	}
	const most, random = 2500, 300
	var calls [][]uint64
	for at := range min(all, most) {
		args := make([]uint64, n)
		if all > most {
			at = r.IntN(all)
		}
		for i, list := range lists {
			args[i] = list[at%len(list)]
			at /= len(list)
		}
		calls = append(calls, args)
	}
	for range random {
		args := make([]uint64, n)
		for i := range args {
			args[i] = c.random(r, c.call.Type().In(i).Kind())
		}
		calls = append(calls, args)
	}
	if c.name == "math.Jn" || c.name == "math.Yn" { // the number of steps is the order
		calls = slices.DeleteFunc(calls, func(args []uint64) bool { return args[0]+400 > 800 })
	}
	return calls
}

func (c *stdCase) special(k reflect.Kind) []uint64 {
	var list []uint64
	switch k {
	case reflect.Float64, reflect.Float32:
		for _, x := range []float64{0, 5e-324, 1e-310, 0x1p-1022, 1e-300, 1e-45, 1e-40, 0x1p-126, 1e-20, 1e-9, 0.1,
			0.25, 0.3, 0.5, 0.99, 0.9999999, 1, 1.0000001, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6.5, 9, 10, 26, 33.3, 88.7,
			89, 103.5, 150, 170.5,
			172, 709.7, 710, 745.2, 746, 1023.5, 1024, 1075,
			0x1p23 + 0.5, 0x1p23 + 1, 0x1p24, 0x1p31, 1e15, 0x1p52 + 0.5, 0x1p52 + 1, 0x1p53, 0x1p63,
			1e30, math.MaxFloat32, 1e200, math.MaxFloat64,
			math.Pi, math.Pi / 2, math.Pi / 4, math.E, math.Inf(1)} {
			for _, x := range []float64{x, -x} {
				if c.narrow || k == reflect.Float32 {
					x = float64(float32(x))
				}
				list = append(list, c.bits(x, k))
			}
		}
		list = append(list, c.bits(math.NaN(), k))
	default:
		for _, x := range []int64{0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 308, 309, 323,
			324, 400, 1022, 1023, 1024, 1074, 1075, 2000, 2100,
			math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32, math.MaxInt64} {
			list = append(list, cut(uint64(x), k), cut(uint64(-x), k))
		}
		list = append(list, cut(1<<63, k))
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return list
}

func (c *stdCase) random(r *rand.Rand, k reflect.Kind) uint64 {
	if k != reflect.Float64 && k != reflect.Float32 {
		return cut(r.Uint64()>>r.IntN(64), k)
	}
	x := r.NormFloat64() * math.Pow(10, float64(r.IntN(5)-2))
	if r.IntN(4) == 0 { // any exponent
		x = math.Float64frombits(r.Uint64())
	}
	if c.narrow || k == reflect.Float32 {
		x = float64(float32(x))
	}
	return c.bits(x, k)
}

// bits returns the bits of x for a parameter of kind k; a narrow case has
// float32 parameters.
func (c *stdCase) bits(x float64, k reflect.Kind) uint64 {
	if c.narrow || k == reflect.Float32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// cut truncates an integer to kind k, in the low bits of a word.
func cut(x uint64, k reflect.Kind) uint64 {
	switch k {
	case reflect.Uint8, reflect.Int8:
		return uint64(uint8(x))
	case reflect.Uint16, reflect.Int16:
		return uint64(uint16(x))
	case reflect.Uint32, reflect.Int32:
		return uint64(uint32(x))
	case reflect.Bool:
		return x & 1
	default:
		return x
	}
}

// undefined reports whether Go does not specify a result, or its own result is
// wrong: on amd64, Exp in assembly is infinite from 2^1023 and Log treats
// denormal numbers as 2^-1023; Atan2 begins with y / x, which may underflow;
// and Ldexp adds to an exponent that may overflow.
func (c *stdCase) undefined(args []uint64) bool {
	float := func(i int) float64 {
		if c.narrow {
			return float64(math.Float32frombits(uint32(args[i])))
		}
		return math.Float64frombits(args[i])
	}
	switch c.name {
	case "bits.Add", "bits.Add32", "bits.Add64", "bits.Sub", "bits.Sub32", "bits.Sub64":
		return args[2] > 1
	case "math.Exp", "math.Sinh", "math.Cosh":
		return math.Abs(float(0)) > 709 && math.Abs(float(0)) < 711
	case "math.Yn":
		return float(1) != 0 && math.Abs(float(1)) < 0x1p-1022
	case "math.Log", "math.Log10", "math.Lgamma", "math.Y0", "math.Y1":
		return float(0) != 0 && math.Abs(float(0)) < 0x1p-1022
	case "math.Atan2":
		return float(0) != 0 && math.Abs(float(0)/float(1)) < 0x1p-1022
	case "math.Ldexp":
		return int64(args[1]) != int64(int32(args[1]))
	case "math.Pow": // it uses Log
		return float(0) != 0 && math.Abs(float(0)) < 0x1p-1022
	}
	return false
}
