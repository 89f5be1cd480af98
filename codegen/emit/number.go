package emit

import (
	"math"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// number prints a constant with its exact value in C.
func number(c *ir.Const) (string, int) {
	switch {
	case c.T.Kind == ir.F32:
		return float(float64(math.Float32frombits(uint32(c.Bits))), 32)
	case c.T.Kind == ir.F64:
		return float(math.Float64frombits(c.Bits), 64)
	case c.T.Kind == ir.Bool || !c.T.Signed():
		s := strconv.FormatUint(c.Bits, 10)
		switch {
		case c.Bits <= math.MaxInt32:
		case c.Bits <= math.MaxUint32 && c.T.Kind == ir.U32:
			s += "u"
		default:
			s += "UL"
		}
		return s, primary
	}
	v := int64(c.Bits)
	switch {
	case v == math.MinInt64:
		return "(-9223372036854775807L - 1)", primary
	case v == math.MinInt32:
		return "(-2147483647 - 1)", primary
	}
	s := strconv.FormatInt(v, 10)
	if v != int64(int32(v)) {
		s += "L"
	}
	if v < 0 {
		return s, unary
	}
	return s, primary
}

// float prints a float: in decimal if that is exact whether the compiler reads
// it as a float or as a double, and in hexadecimal otherwise.
func float(v float64, bits int) (string, int) {
	suffix, name := "", "f64"
	if bits == 32 {
		suffix, name = "f", "f32"
	}
	prec := primary
	if math.Signbit(v) {
		prec = unary
	}
	switch {
	case math.IsNaN(v):
		return "SKEL_NAN_" + name, primary
	case math.IsInf(v, 1):
		return "SKEL_INF_" + name, primary
	case math.IsInf(v, -1):
		return "-SKEL_INF_" + name, unary
	}
	s := strconv.FormatFloat(v, 'g', -1, bits)
	if x, err := strconv.ParseFloat(s, 64); err != nil || bits == 32 && float64(float32(x)) != v || len(s) > 18 {
		s = strconv.FormatFloat(v, 'x', -1, bits)
	} else if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s + suffix, prec
}
