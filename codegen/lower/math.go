package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// mathFuncs holds the functions of package math that take and return only
// float64, with their numbers of parameters. Each has a device function for
// both widths: skel_<lower-case name>_f32 and _f64.
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

// device builds the call of a device function for its arguments.
type device func(args []ir.Expr, pos token.Pos) ir.Expr

// intrinsic returns the device function for a function of math, math32 or
// math/bits, or nil if its Go source is lowered like that of others.
func (f *function) intrinsic(fn *types.Func) device {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	name := fn.Name()
	switch fn.Pkg().Path() {
	case "math/bits":
		return f.bits(name)
	case math32Path:
		if name == "FMA" {
			return func(args []ir.Expr, _ token.Pos) ir.Expr {
				t := args[0].Type()
				return &ir.Intrinsic{Name: "skel_fma_" + t.Ident, T: t, Args: args}
			}
		}
		return nil
	case "math":
	default:
		return nil
	}
	of := func(name string, t *ir.Type) device {
		return func(args []ir.Expr, _ token.Pos) ir.Expr { return &ir.Intrinsic{Name: name, T: t, Args: args} }
	}
	if mathFuncs[name] > 0 {
		return of("skel_"+strings.ToLower(name)+"_f64", f64)
	}
	switch name {
	case "NaN":
		return func([]ir.Expr, token.Pos) ir.Expr { return &ir.Const{T: f64, Bits: 0x7ff8000000000001} }
	case "Inf":
		return func(args []ir.Expr, _ token.Pos) ir.Expr {
			if sign, ok := args[0].(*ir.Const); ok {
				return &ir.Const{T: f64, Bits: math.Float64bits(math.Inf(int(sign.Bits)))}
			}
			return &ir.Intrinsic{Name: "skel_inf_f64", T: f64, Args: args}
		}
	case "IsNaN", "Signbit", "IsInf":
		return func(args []ir.Expr, _ token.Pos) ir.Expr {
			args[0] = narrow(args[0])
			return &ir.Intrinsic{Name: "skel_" + strings.ToLower(name) + "_" + args[0].Type().Ident, T: b8, Args: args}
		}
	case "Ilogb":
		return of("skel_ilogb_f64", i64)
	case "Ldexp":
		return of("skel_ldexp_f64", f64)
	case "Float32bits":
		return of("skel_f32_bits", ir.Basic(ir.U32))
	case "Float32frombits":
		return of("skel_f32_frombits", f32)
	case "Float64bits":
		return of("skel_f64_bits", ir.Basic(ir.U64))
	case "Float64frombits":
		return of("skel_f64_frombits", f64)
	case "Nextafter32":
		return of("skel_nextafter_f32", f32)
	case "Modf":
		return f.several("modfint", f64, "modffrac", f64)
	case "Frexp":
		return f.several("frexp", f64, "frexpexp", i64)
	case "Lgamma":
		return f.several("lgamma", f64, "lgammasign", i64)
	case "Sincos":
		return f.several("sin", f64, "cos", f64)
	}
	return nil
}

// isDevice reports whether there is a device function for fn.
func isDevice(fn *types.Func) bool { return (*function)(nil).intrinsic(fn) != nil }

// several returns the device function for a function of math with two results.
func (f *function) several(name1 string, t1 *ir.Type, name2 string, t2 *ir.Type) device {
	return func(args []ir.Expr, pos token.Pos) ir.Expr {
		args[0] = f.stable(args[0], pos)
		return &ir.Composite{T: f.intern(ir.TupleOf(t1, t2)), Elems: []ir.Expr{
			&ir.Intrinsic{Name: "skel_" + name1 + "_f64", T: t1, Args: args},
			&ir.Intrinsic{Name: "skel_" + name2 + "_f64", T: t2, Args: args},
		}}
	}
}

// deviceCall lowers a call of a device function.
func (f *function) deviceCall(e *ast.CallExpr, c callee, call device) ir.Expr {
	env := bind(c.fn.Origin().Signature().TypeParams(), c.targs)
	var params []*ir.Type
	for v := range c.fn.Origin().Signature().Params().Variables() {
		params = append(params, f.typeOf(env.subst(v.Type()), e.Pos()))
	}
	return call(f.argumentsAs(e, params), e.Pos())
}

// device returns the device function that an instance represents, or nil.
func (in *instance) device(f *function) device {
	decl, ok := in.node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	fn, ok := in.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return nil
	}
	call := f.intrinsic(fn)
	in.isDevice = call != nil
	return call
}

// deviceBody calls a device function that was passed directly to a skeleton.
func (f *function) deviceBody(call device) {
	args := make([]ir.Expr, len(f.fn.Params))
	for i, v := range f.fn.Params {
		args[i] = &ir.Local{Var: v}
	}
	f.add(&ir.Return{X: call(args, f.in.node.Pos()), Pos: f.fn.Pos})
}

func (f *function) all(list []ast.Expr, t *ir.Type) []ir.Expr {
	args := make([]ir.Expr, len(list))
	f.tryAll(len(list), func(i int) { args[i] = f.exprAs(list[i], t) })
	return args
}

// narrow returns the float32 from which a float64 was converted, if it was.
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

// toFloat32 lowers float32(x). If x is a function of math with float32
// arguments, it becomes the float32 device function; but the next float64 is
// not a float32, and math32.FMA differs from a rounded math.FMA.
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

// bits returns the device functions for those functions of math/bits that
// depend on tables or are a single instruction; the others are lowered from
// their source.
func (f *function) bits(name string) device {
	base := strings.TrimRight(name, "0123456789")
	kind := map[string]ir.Kind{"": ir.U64, "8": ir.U8, "16": ir.U16, "32": ir.U32, "64": ir.U64}[name[len(base):]]
	t := ir.Basic(kind)
	result := t
	switch base {
	case "LeadingZeros", "TrailingZeros", "OnesCount", "Len":
		result = i64
	case "Reverse", "RotateLeft":
	case "Mul":
		return func(args []ir.Expr, pos token.Pos) ir.Expr {
			x, y := f.stable(args[0], pos), f.stable(args[1], pos)
			hi := &ir.Intrinsic{Name: "skel_mulhi_" + t.Ident, T: t, Args: []ir.Expr{x, y}}
			return &ir.Composite{T: f.intern(ir.TupleOf(t, t)),
				Elems: []ir.Expr{hi, &ir.Binary{Op: ir.Mul, X: x, Y: y}}}
		}
	default:
		return nil
	}
	return func(args []ir.Expr, _ token.Pos) ir.Expr {
		return &ir.Intrinsic{Name: "skel_" + strings.ToLower(base) + "_" + t.Ident, T: result, Args: args}
	}
}
