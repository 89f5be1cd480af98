package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// mathFuncs are the functions of package math that take and give float64
// only, and how many they take. Each has a device function for both widths:
// skel_<lower-case name>_f32 and _f64.
var mathFuncs = func() map[string]int {
	m := map[string]int{"FMA": 3}
	for name := range strings.FieldsSeq(`Abs Acos Acosh Asin Asinh Atan Atanh Cbrt Ceil Cos Cosh Erf Erfc Exp Exp2 Expm1
		Floor Gamma Log Log10 Log1p Log2 Logb Round RoundToEven Sin Sinh Sqrt Tan Tanh Trunc`) {
		m[name] = 1
	}
	for name := range strings.FieldsSeq(`Atan2 Copysign Dim Hypot Max Min Mod Nextafter Pow Remainder`) {
		m[name] = 2
	}
	return m
}()

const math32Path = "github.com/skelgo/skelgo/math32"

var f64, f32, i64, b8 = ir.Basic(ir.F64), ir.Basic(ir.F32), ir.Basic(ir.I64), ir.Basic(ir.Bool)

// intrinsic lowers a call into math, math32 or math/bits that has a device
// function, or gives nil: then the Go source is lowered like any other.
func (f *function) intrinsic(e *ast.CallExpr, fn *types.Func) ir.Expr {
	name := fn.Name()
	switch fn.Pkg().Path() {
	case "math/bits":
		return f.bits(e, name)
	case math32Path:
		if name == "FMA" {
			t := f.typ(f.info.TypeOf(e), e.Pos())
			return &ir.Intrinsic{Name: "skel_fma_" + t.Ident, T: t, Args: f.all(e.Args, t)}
		}
		return nil
	}
	if mathFuncs[name] > 0 {
		return &ir.Intrinsic{Name: "skel_" + strings.ToLower(name) + "_f64", T: f64, Args: f.all(e.Args, f64)}
	}
	switch name {
	case "NaN":
		return &ir.Const{T: f64, Bits: 0x7ff8000000000001}
	case "Inf":
		if v := f.info.Types[e.Args[0]].Value; v != nil {
			return &ir.Const{T: f64, Bits: math.Float64bits(math.Inf(constant.Sign(v)))}
		}
		return &ir.Intrinsic{Name: "skel_inf_f64", T: f64, Args: f.all(e.Args, i64)}
	case "IsNaN", "Signbit", "IsInf":
		args := []ir.Expr{narrow(f.expr(e.Args[0]))}
		if name == "IsInf" {
			args = append(args, f.expr(e.Args[1]))
		}
		return &ir.Intrinsic{Name: "skel_" + strings.ToLower(name) + "_" + args[0].Type().Ident, T: b8, Args: args}
	case "Ilogb":
		return &ir.Intrinsic{Name: "skel_ilogb_f64", T: i64, Args: f.all(e.Args, f64)}
	case "Ldexp":
		return &ir.Intrinsic{Name: "skel_ldexp_f64", T: f64, Args: []ir.Expr{f.expr(e.Args[0]), f.expr(e.Args[1])}}
	case "Float32bits":
		return &ir.Intrinsic{Name: "skel_f32_bits", T: ir.Basic(ir.U32), Args: f.all(e.Args, f32)}
	case "Float32frombits":
		return &ir.Intrinsic{Name: "skel_f32_frombits", T: f32, Args: f.all(e.Args, ir.Basic(ir.U32))}
	case "Float64bits":
		return &ir.Intrinsic{Name: "skel_f64_bits", T: ir.Basic(ir.U64), Args: f.all(e.Args, f64)}
	case "Float64frombits":
		return &ir.Intrinsic{Name: "skel_f64_frombits", T: f64, Args: f.all(e.Args, ir.Basic(ir.U64))}
	case "Nextafter32":
		return &ir.Intrinsic{Name: "skel_nextafter_f32", T: f32, Args: f.all(e.Args, f32)}
	case "Modf":
		return f.several(e, "modfint", f64, "modffrac", f64)
	case "Frexp":
		return f.several(e, "frexp", f64, "frexpexp", i64)
	case "Lgamma":
		return f.several(e, "lgamma", f64, "lgammasign", i64)
	case "Sincos":
		return f.several(e, "sin", f64, "cos", f64)
	}
	return nil
}

// several lowers a function of math with two results.
func (f *function) several(e *ast.CallExpr, name1 string, t1 *ir.Type, name2 string, t2 *ir.Type) ir.Expr {
	x := f.stable(f.expr(e.Args[0]), e.Pos())
	return &ir.Composite{T: f.intern(ir.TupleOf(t1, t2)), Elems: []ir.Expr{
		&ir.Intrinsic{Name: "skel_" + name1 + "_f64", T: t1, Args: []ir.Expr{x}},
		&ir.Intrinsic{Name: "skel_" + name2 + "_f64", T: t2, Args: []ir.Expr{x}},
	}}
}

func (f *function) all(list []ast.Expr, t *ir.Type) []ir.Expr {
	args := make([]ir.Expr, len(list))
	f.tryAll(len(list), func(i int) { args[i] = f.exprAs(list[i], t) })
	return args
}

// narrow is a float64 as the float32 that it was made from, where it was.
func narrow(x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Convert); ok && c.T.Kind == ir.F64 && c.X.Type().Kind == ir.F32 {
		return c.X
	}
	if c, ok := x.(*ir.Const); ok && c.T.Kind == ir.F64 {
		v := math.Float64frombits(c.Bits)
		if n := float32(v); float64(n) == v {
			return &ir.Const{T: f32, Bits: uint64(math.Float32bits(n))}
		}
	}
	return x
}

// toFloat32 lowers float32(x). When x is a function of math whose arguments
// are all float32 values, the float32 device function is what is meant; but
// the next float64 is no float32, and math32.FMA is not math.FMA rounded again.
func toFloat32(x ir.Expr) ir.Expr {
	if n := narrow(x); n.Type() == f32 {
		return n
	}
	switch x := x.(type) {
	case *ir.Const:
		v := math.Float64frombits(x.Bits)
		return &ir.Const{T: f32, Bits: uint64(math.Float32bits(float32(v)))}
	case *ir.Intrinsic:
		name, ok := strings.CutSuffix(x.Name, "_f64")
		if !ok || name == "skel_nextafter" || name == "skel_fma" {
			break
		}
		args := make([]ir.Expr, len(x.Args))
		for i, a := range x.Args {
			if args[i] = narrow(a); args[i].Type() == f64 {
				return &ir.Convert{T: f32, X: x}
			}
		}
		if name != "skel_f64_frombits" && len(args) > 0 && args[0].Type() == f32 || name == "skel_inf" {
			return &ir.Intrinsic{Name: name + "_f32", T: f32, Args: args}
		}
	}
	return &ir.Convert{T: f32, X: x}
}

// bits lowers the functions of math/bits that depend on tables or are one
// instruction; the others are lowered from their source.
func (f *function) bits(e *ast.CallExpr, name string) ir.Expr {
	base := strings.TrimRight(name, "0123456789")
	kind := map[string]ir.Kind{"": ir.U64, "8": ir.U8, "16": ir.U16, "32": ir.U32, "64": ir.U64}[name[len(base):]]
	t := ir.Basic(kind)
	device := "skel_" + strings.ToLower(base) + "_" + t.Ident
	switch base {
	case "LeadingZeros", "TrailingZeros", "OnesCount", "Len":
		return &ir.Intrinsic{Name: device, T: i64, Args: f.all(e.Args, t)}
	case "Reverse":
		return &ir.Intrinsic{Name: device, T: t, Args: f.all(e.Args, t)}
	case "RotateLeft":
		return &ir.Intrinsic{Name: device, T: t, Args: []ir.Expr{f.expr(e.Args[0]), f.expr(e.Args[1])}}
	case "Mul":
		if t.Kind == ir.U64 {
			x, y := f.stable(f.expr(e.Args[0]), e.Pos()), f.stable(f.expr(e.Args[1]), e.Pos())
			hi := &ir.Intrinsic{Name: "skel_mulhi_u64", T: t, Args: []ir.Expr{x, y}}
			return &ir.Composite{T: f.intern(ir.TupleOf(t, t)), Elems: []ir.Expr{hi, &ir.Binary{Op: ir.Mul, X: x, Y: y}}}
		}
	}
	return nil
}
