package behave

import (
	"math"
	"math/bits"
)

// in: 7 2
// in: -7 2
// in: 7 -2
// in: -9223372036854775808 -1
func div64(a, b int) int { return a/b*1000 + a%b }

// in: -2147483648 -1
// in: -7 3
func div32(a, b int32) int32 { return a/b - a%b*7 }

// in: -128 -1
// in: 100 3
func div8(a, b int8) int8 { return a / b * b }

// in: -7
// in: 2147483647
func divConst(a int32) int32 { return a/3 + a%5 + a/-1 + a/-7 }

// in: 2147483647 2147483647
// in: -2147483648 1
func wrap32(a, b int32) int32 { return a*b + a - b*3 - -a }

// in: 9223372036854775807 2
func wrap64(a, b int64) int64 { return a*b + a + 1 - -b }

// in: 127 127
// in: -128 -128
func wrap8(a, b int8) int8 { return a*b + a + b - -a }

// in: 65535 65535
func wrapU16(a, b uint16) uint16 { return a * b * a * b }

// in: 255 255
func wrapU8(a, b uint8) uint8 {
	x := a*b*a*b + 200
	x += 100
	x *= 3
	x -= b
	x++
	return ^x
}

// in: 250 10
func smallCompare(a, b uint8) bool { return a+b < b }

// in: 3 5
func unsignedNeg(a, b uint32) bool { return a-b > 100 && -a > b }

// in: -5 1
// in: -5 31
// in: -5 32
// in: -5 64
// in: 5 31
// in: 5 200
func shift32(a int32, n uint) int32 { return a<<n + a>>n*3 }

// in: -100 3
// in: -100 8
// in: 100 9
func shift8(a int8, n int) int8 { return a<<n ^ a>>n }

// in: 200 3
// in: 200 8
func shiftU8(a, n uint8) uint8 { return a<<n + a>>n }

// in: -1
// in: 77
func shiftConst(a int64) int64 {
	return a<<5 + a>>70 + a<<64 + int64(int32(a)<<31)>>3 + int64(uint8(a)>>1)
}

// in: 3
// in: 63
// in: 64
func shiftOne(n uint) int { return 1<<n | 1<<(n&7) }

// in: 255 -1
func bitwise(a uint8, b int8) int16 { return int16(a&^15|3) ^ int16(^b) ^ int16(^a) }

// in: 1 2 3
// in: -1 -2 -3
func parens(a, b, c int) int { return a - (b - c) - (a + b) + (a|b)&c<<1 ^ a&b | c>>1&a + b*(c-a)%7 }

// in: -1
// in: 300
// in: 70000
func convInt(a int) int {
	return int(int8(a)) + int(uint8(a))<<8 + int(int16(a))<<20 + int(uint32(a)) + int(uint16(a+a))
}

// in: -1
// in: 40000
func convWrap(a int32) int64 {
	return int64(a*a) + int64(uint32(a*a)) + int64(int16(a+a)) + int64(uint64(a)>>1)
}

// in: 1.5
// in: -1.5
// in: 300.7
// in: 3e9
// in: -3e9
// in: 1e19
// in: 3e19
// in: NaN
// in: Inf
// in: -Inf
func fromFloat(x float64) uint64 {
	return uint64(int8(x)) + uint64(int16(x))*3 + uint64(int32(x))*5 + uint64(int64(x))*7 +
		uint64(uint8(x))*11 + uint64(uint16(x))*13 + uint64(uint32(x))*17 + uint64(x)*19
}

// in: 1.5
// in: -70000.25
// in: 3e9
// in: 1e19
// in: NaN
func fromFloat32(x float32) uint64 {
	return uint64(int8(x)) + uint64(int16(x))*3 + uint64(int32(x))*5 + uint64(int64(x))*7 +
		uint64(uint8(x))*11 + uint64(uint16(x))*13 + uint64(uint32(x))*17 + uint64(x)*19
}

// in: 16777217
// in: 9007199254740993
// in: -9223372036854775808
func toFloat(a int64) float64 {
	return float64(a) + float64(float32(a)) + float64(uint64(a)) + float64(float32(uint64(a)))
}

// in: 0.1 0.2 3
// in: 1e30 1e30 -1e30
func float32Ops(a, b, c float32) float32 { return a*b + c - a/c*(b-0.1) + 1.0/3 }

// in: 0.1 0.2
// in: -0 0
func float64Ops(a, b float64) float64 { return a*b + math.Pi - a/3e-310*1e-310 - -b + 1e300*a }

// in: NaN 1
// in: 1 NaN
// in: -0 0
// in: 0 -0
// in: Inf -Inf
// in: 2 1
func minMax(a, b float32) uint32 {
	return math.Float32bits(min(a, b))&^0x3fffff*3 + math.Float32bits(max(a, b))&^0x3fffff*5 + math.Float32bits(min(a, b, 1.5))&^0x3fffff
}

// in: NaN Inf
// in: -Inf NaN
// in: 0 -0
// in: -0 0
// in: 3 2
func mathMinMax(a, b float64) float64 {
	return math.Copysign(3, math.Min(a, b)) + math.Max(a, b)*2 + math.Min(a, b)
}

// in: 3 -4 7
func minInts(a, b, c int) int { return min(a, b, c)*100 + max(a, b, 2) }

// in: -2.5
// in: 2.5
// in: 0.49999999999999994
// in: -0
// in: 1e17
func rounding(x float64) float64 {
	return math.Round(x) + 10*math.Floor(x) + 100*math.Ceil(x) + 1000*math.Trunc(x) + 1e4*math.RoundToEven(x) + math.Abs(x)
}

// in: 2
// in: -1
// in: 0.1
func sqrts(x float32) float32 {
	return float32(math.Sqrt(float64(x))) + float32(math.Abs(float64(x*3)))
}

// in: 7.5 2
// in: -7.5 2
// in: 1e300 3
func mods(x, y float64) float64 {
	return math.Mod(x, y) + math.Remainder(x, y)*3 + math.Dim(x, y) + math.FMA(x, y, 1)
}

// in: 3.75
// in: -3.75
// in: 0
// in: -0
// in: -1e-310
// in: Inf
func parts(x float64) float64 {
	i, f := math.Modf(x)
	m, e := math.Frexp(x)
	return i + 3*f + m*10 + float64(e) + math.Ldexp(m, e) + float64(math.Ilogb(x)) + math.Logb(x)
}

// in: NaN 0
// in: Inf 1
// in: -Inf 1
// in: -Inf 0
func classes(x float64, s int) bool {
	return math.IsNaN(x) != math.IsInf(x, s) != math.Signbit(x) && x != math.Inf(s)
}

// in: 0
// in: 1
// in: 0xf0f0
// in: 0x8000000000000000
func bitOps(x uint64) int {
	n := bits.LeadingZeros64(x) + 3*bits.TrailingZeros64(x) + 5*bits.OnesCount64(x) + 7*bits.Len64(x)
	n += bits.LeadingZeros8(uint8(x)) + 3*bits.TrailingZeros16(uint16(x)) + 5*bits.OnesCount32(uint32(x)) + 7*bits.Len(uint(x))
	n += int(bits.Reverse8(uint8(x))) + int(bits.Reverse64(x)) + int(bits.RotateLeft32(uint32(x), -5)) + int(bits.RotateLeft64(x, 67))
	return n + int(bits.ReverseBytes32(uint32(x)))
}

// in: 0xffffffffffffffff 0xfffffffffffffffe
func wide(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	s, c := bits.Add64(a, b, 1)
	q, r := bits.Div64(3, a, b)
	return hi ^ lo<<1 ^ s<<2 ^ c<<3 ^ q<<4 ^ r<<5
}

// in: 1
func constants(x float64) float64 {
	const big = 1 << 100
	return x*big + 0x1p-1074*x + 5e-324 + math.MaxFloat64 + float64(float32(0.1)) + float64(math.MaxUint32) + math.SmallestNonzeroFloat32
}

// in: 5
func intLimits(x int64) int64 {
	var m uint64 = math.MaxUint64
	return math.MinInt64 + x + int64(m>>1) + math.MaxInt32 + math.MinInt32*x + int64('x')
}

type weekday int

const (
	sunday weekday = iota
	monday
	tuesday
)

func (d weekday) next() weekday { return (d + 1) % (tuesday + 1) }

// in: 2
// in: 0
func iotas(d int) int { return int(weekday(d).next().next()) + int(monday) }

// in: 100 7 3
// in: 9223372036854775813 4294967297 10
func precedence(a, b, c uint64) uint64 {
	return a*(b/c) ^ a*(b%c) + a*(b*c) - (a-(b-c))*(a+(b+c)) + a/(b*c) + a%(b/c+1) + (a+b)/c - -(a - b)
}

// in: 100 7 3
// in: -100 7 -3
func precedenceSigned(a, b, c int32) int32 {
	return a*(b/c) - a*(b%c) + a*(b*c) - (a - (b - c)) + a/(b*c) - (b/c)*a + (a+b)/c - -(a - b) + a<<1*b>>2
}

// in: 100 7 3
func precedenceFloat(a, b, c float32) float32 {
	return a*(b/c) - a*(b*c) + a/(b*c) - (a - (b - c)) - (a + (b + c)) + a/b/c - -(-a)
}

// in: 300 true
// in: -7 false
func precedenceBool(a int, b bool) bool {
	c := (a > 3 || b) && !(a < 5 && b)
	d := a&1 == 0 == b != c
	return (c == d) != (a > 7 == b) && (a^3|4)&^1 > a>>1<<1
}

// in: -300
// in: 70000
func convChain(a int) int {
	return int(int8(int16(a))) + int(uint16(int8(a))) + int(uint8(int64(int32(a)))) + int(int32(uint8(a))) + int(int64(uint32(a)))
}

// in: 3.75
// in: -3.75
func spread(x float64) float64 { return math.Max(math.Modf(x)) }

// in: 0 -0
// in: -0 0
// in: 0 1
// in: -0 -1
// in: 1 NaN
// in: 1 -Inf
// in: -1 -2
// in: -1 2
func next(x, y float64) float64 { return math.Nextafter(x, y) }

// in: 0 -0
// in: -0 0
// in: 0 -1
// in: 2 3
// in: -2 3
func next32(x, y float32) float32 { return math.Nextafter32(x, y) }

// in: 2
// in: -2
func twoPointers(x int32) int32 {
	a, b := [2]int32{x, 1}, [2]int32{2, x}
	p, q := &a, &b[1]
	p[1] += *q
	*q = 7
	return a[1]*100 + b[1]
}
