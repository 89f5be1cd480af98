package fuzz

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"go/types"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/devices/driver"
)

// stdFuncs holds the functions of the standard library that are translated. The
// test fails if a survey finds another one.
var stdFuncs = map[string]any{
	"cmp.Compare": cmp.Compare[float64], "cmp.Less": cmp.Less[float64],

	"math.Abs": math.Abs, "math.Acos": math.Acos, "math.Acosh": math.Acosh, "math.Asin": math.Asin,
	"math.Asinh": math.Asinh, "math.Atan": math.Atan, "math.Atan2": math.Atan2, "math.Atanh": math.Atanh,
	"math.Cbrt": math.Cbrt, "math.Ceil": math.Ceil, "math.Copysign": math.Copysign, "math.Cos": math.Cos,
	"math.Cosh": math.Cosh, "math.Dim": math.Dim, "math.Erf": math.Erf, "math.Erfc": math.Erfc,
	"math.Erfcinv": math.Erfcinv, "math.Erfinv": math.Erfinv, "math.Exp": math.Exp, "math.Exp2": math.Exp2,
	"math.Expm1": math.Expm1, "math.FMA": math.FMA, "math.Float32bits": math.Float32bits,
	"math.Float32frombits": math.Float32frombits, "math.Float64bits": math.Float64bits,
	"math.Float64frombits": math.Float64frombits, "math.Floor": math.Floor, "math.Frexp": math.Frexp,
	"math.Gamma": math.Gamma, "math.Hypot": math.Hypot, "math.Ilogb": math.Ilogb, "math.Inf": math.Inf,
	"math.IsInf": math.IsInf, "math.IsNaN": math.IsNaN, "math.J0": math.J0, "math.J1": math.J1, "math.Jn": math.Jn,
	"math.Ldexp": math.Ldexp, "math.Lgamma": math.Lgamma, "math.Log": math.Log, "math.Log10": math.Log10,
	"math.Log1p": math.Log1p, "math.Log2": math.Log2, "math.Logb": math.Logb, "math.Max": math.Max,
	"math.Min": math.Min, "math.Mod": math.Mod, "math.Modf": math.Modf, "math.NaN": math.NaN,
	"math.Nextafter": math.Nextafter, "math.Nextafter32": math.Nextafter32, "math.Pow": math.Pow,
	"math.Pow10": math.Pow10, "math.Remainder": math.Remainder, "math.Round": math.Round,
	"math.RoundToEven": math.RoundToEven, "math.Signbit": math.Signbit, "math.Sin": math.Sin,
	"math.Sincos": math.Sincos, "math.Sinh": math.Sinh, "math.Sqrt": math.Sqrt, "math.Tan": math.Tan,
	"math.Tanh": math.Tanh, "math.Trunc": math.Trunc, "math.Y0": math.Y0, "math.Y1": math.Y1, "math.Yn": math.Yn,

	"bits.Add": bits.Add, "bits.Add32": bits.Add32, "bits.Add64": bits.Add64, "bits.Div": bits.Div,
	"bits.Div32": bits.Div32, "bits.Div64": bits.Div64, "bits.LeadingZeros": bits.LeadingZeros,
	"bits.LeadingZeros16": bits.LeadingZeros16, "bits.LeadingZeros32": bits.LeadingZeros32,
	"bits.LeadingZeros64": bits.LeadingZeros64, "bits.LeadingZeros8": bits.LeadingZeros8, "bits.Len": bits.Len,
	"bits.Len16": bits.Len16, "bits.Len32": bits.Len32, "bits.Len64": bits.Len64, "bits.Len8": bits.Len8,
	"bits.Mul": bits.Mul, "bits.Mul32": bits.Mul32, "bits.Mul64": bits.Mul64, "bits.OnesCount": bits.OnesCount,
	"bits.OnesCount16": bits.OnesCount16, "bits.OnesCount32": bits.OnesCount32,
	"bits.OnesCount64": bits.OnesCount64, "bits.OnesCount8": bits.OnesCount8, "bits.Rem": bits.Rem,
	"bits.Rem32": bits.Rem32, "bits.Rem64": bits.Rem64, "bits.Reverse": bits.Reverse,
	"bits.Reverse16": bits.Reverse16, "bits.Reverse32": bits.Reverse32, "bits.Reverse64": bits.Reverse64,
	"bits.Reverse8": bits.Reverse8, "bits.ReverseBytes": bits.ReverseBytes,
	"bits.ReverseBytes16": bits.ReverseBytes16, "bits.ReverseBytes32": bits.ReverseBytes32,
	"bits.ReverseBytes64": bits.ReverseBytes64, "bits.RotateLeft": bits.RotateLeft,
	"bits.RotateLeft16": bits.RotateLeft16, "bits.RotateLeft32": bits.RotateLeft32,
	"bits.RotateLeft64": bits.RotateLeft64, "bits.RotateLeft8": bits.RotateLeft8, "bits.Sub": bits.Sub,
	"bits.Sub32": bits.Sub32, "bits.Sub64": bits.Sub64, "bits.TrailingZeros": bits.TrailingZeros,
	"bits.TrailingZeros16": bits.TrailingZeros16, "bits.TrailingZeros32": bits.TrailingZeros32,
	"bits.TrailingZeros64": bits.TrailingZeros64, "bits.TrailingZeros8": bits.TrailingZeros8,
}

// approximate holds the functions whose last bits depend on the device. The
// others are bit-identical to Go.
var approximate = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc
		Erfcinv Erfinv Exp Exp2 Expm1 Gamma Hypot J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh
		Tan Tanh Y0 Y1 Yn`) {
		approximate["math."+name] = true
	}
}

// stdCase is one function, its device form, and its inputs: the words of all
// calls, as 64 bits each.
type stdCase struct {
	name   string
	call   reflect.Value
	narrow bool // the float32 form of a float64 function
	form   *emit.Form
	inputs [][]uint64
	from   int // index of its first word in all inputs
	to     int // index of its first word in all results
}

// TestStandardLibrary compares all translated functions of the standard library
// with their device forms, those of float64 also as functions of float32. It
// compares bits, or values for approximate functions.
func TestStandardLibrary(t *testing.T) {
	dev := device(t)
	cases := stdCases(t)
	in, out := 0, 0
	for _, c := range cases {
		c.from, c.to = in, out
		in += len(c.inputs) * c.call.Type().NumIn()
		out += len(c.inputs) * c.call.Type().NumOut()
	}
	words := make([]uint64, max(in, 1))
	for _, c := range cases {
		at := c.from
		for _, args := range c.inputs {
			at += copy(words[at:], args)
		}
	}
	got := runStd(t, dev, stdProgram(cases), words, out, len(cases))
	calls := 0
	for _, c := range cases {
		wrong := 0
		for i, args := range c.inputs {
			want, ok := c.results(args)
			if !ok || c.undefined(args) { // the function panics
				continue
			}
			calls++
			for k, w := range want {
				g := got[c.to+i*len(want)+k]
				if c.agree(w, g, k) {
					continue
				}
				if wrong++; wrong <= 5 {
					t.Errorf("%s(%s), result %d: Go %s, device %s",
						c.title(), c.show(args), k, c.showResult(w, k), c.showResult(g, k))
				}
			}
		}
		if wrong > 5 {
			t.Errorf("%s: %d results differ", c.title(), wrong)
		}
	}
	t.Logf("%d functions, %d calls", len(cases), calls)
}

func (c *stdCase) title() string {
	if c.narrow {
		return c.name + " of float32"
	}
	return c.name
}

// stdCases lowers the functions.
func stdCases(t *testing.T) []*stdCase {
	pkgs, err := packages.Load(&packages.Config{Mode: lower.Mode}, lower.StdPackages...)
	if err != nil {
		t.Fatal(err)
	}
	std, err := lower.Survey(pkgs)
	if err != nil {
		t.Fatal(err)
	}
	l := lower.New(pkgs)
	missing := maps.Clone(stdFuncs)
	var cases []*stdCase
	var source strings.Builder
	source.WriteString("package app\n\nimport \"math\"\n\n")
	for _, f := range std {
		name := f.Pkg().Name() + "." + f.Name()
		fn, ok := stdFuncs[name]
		if f.Refused != nil {
			continue
		}
		delete(missing, name)
		if !ok && strings.HasPrefix(runtime.Version(), "go1.26") {
			t.Errorf("%s is translated but not tested: add it to stdFuncs", name)
		}
		if !ok { // in a later version of Go
			continue
		}
		c := &stdCase{name: name, call: reflect.ValueOf(fn)}
		c.form = lowerStd(t, l, lower.Request{Func: f.Func, TypeArgs: f.TypeArgs})
		cases = append(cases, c)
		if c.ofFloats() {
			var params, args []string
			for i := range c.call.Type().NumIn() {
				params = append(params, fmt.Sprintf("x%d float32", i))
				args = append(args, fmt.Sprintf("float64(x%d)", i))
			}
			fmt.Fprintf(&source, "func %s(%s) float32 { return float32(%s(%s)) }\n",
				f.Name(), strings.Join(params, ", "), name, strings.Join(args, ", "))
			cases = append(cases, &stdCase{name: name, call: c.call, narrow: true})
		}
	}
	for name := range missing {
		t.Errorf("%s is not translated any more", name)
	}
	narrow, err := testload.Load(&txtar.Archive{Files: []txtar.File{{Name: "narrow.go",
		Data: []byte(source.String())}}})
	if err != nil {
		t.Fatal(err)
	}
	l = lower.New(narrow)
	for i, c := range cases {
		if c.narrow {
			fn := narrow[0].Types.Scope().Lookup(strings.TrimPrefix(c.name, "math.")).(*types.Func)
			c.form = lowerStd(t, l, lower.Request{Func: fn})
		}
		c.inputs = c.arguments(rand.New(rand.NewPCG(1, uint64(i))))
	}
	return cases
}

func lowerStd(t *testing.T, l *lower.Lowerer, r lower.Request) *emit.Form {
	prog, err := l.Lower(r)
	if err != nil {
		t.Fatal(err)
	}
	return emit.C(prog)
}

// ofFloats reports whether a function takes and returns only float64.
func (c *stdCase) ofFloats() bool {
	typ := c.call.Type()
	if typ.NumIn() == 0 || typ.NumOut() != 1 || typ.Out(0).Kind() != reflect.Float64 {
		return false
	}
	for i := range typ.NumIn() {
		if typ.In(i).Kind() != reflect.Float64 {
			return false
		}
	}
	return true
}

// results calls the Go function; ok is false if it panics.
func (c *stdCase) results(args []uint64) (words []uint64, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	typ := c.call.Type()
	var in []reflect.Value
	for i, w := range args {
		v := reflect.New(typ.In(i)).Elem()
		switch k := v.Kind(); {
		case c.narrow:
			v.SetFloat(float64(math.Float32frombits(uint32(w))))
		case k == reflect.Float32: // SetFloat would change the bits of a NaN
			v.Set(reflect.ValueOf(math.Float32frombits(uint32(w))))
		case k == reflect.Float64:
			v.SetFloat(math.Float64frombits(w))
		case v.CanInt():
			v.SetInt(int64(w) << (64 - typ.In(i).Bits()) >> (64 - typ.In(i).Bits()))
		default:
			v.SetUint(w)
		}
		in = append(in, v)
	}
	for _, v := range c.call.Call(in) {
		switch k := v.Kind(); {
		case k == reflect.Bool:
			w := uint64(0)
			if v.Bool() {
				w = 1
			}
			words = append(words, w)
		case k == reflect.Float64 || k == reflect.Float32:
			words = append(words, c.bits(v.Float(), k))
		case v.CanInt():
			words = append(words, cut(uint64(v.Int()), k))
		default:
			words = append(words, v.Uint())
		}
	}
	return words, true
}

// value returns a result as a float64, and the distance to its neighbour.
func (c *stdCase) value(w uint64, k int) (x, ulp float64) {
	if c.narrow || c.call.Type().Out(k).Kind() == reflect.Float32 {
		f := math.Float32frombits(uint32(w))
		return float64(f), float64(math.Nextafter32(f, math.MaxFloat32)) - float64(f)
	}
	x = math.Float64frombits(w)
	return x, math.Nextafter(x, math.MaxFloat64) - x
}

// agree compares result k. NaNs are equal.
func (c *stdCase) agree(want, got uint64, k int) bool {
	kind := c.call.Type().Out(k).Kind()
	if want == got {
		return true
	}
	if kind != reflect.Float64 && kind != reflect.Float32 || c.name == "math.Float32frombits" ||
		c.name == "math.Float64frombits" {
		return false
	}
	w, ulp := c.value(want, k)
	g, _ := c.value(got, k)
	if w != w || g != g {
		return w != w && g != g
	}
	if !approximate[c.name] || math.IsInf(w, 0) || math.IsInf(g, 0) || w == 0 && g == 0 {
		return false
	}
	absolute := 1e-14
	if c.narrow {
		absolute = 1e-6
	}
	relative := 64 * ulp
	if c.name == "math.Pow" { // Go's result loses bits as the exponent grows
		relative = max(relative, 1e-9*math.Abs(w))
	}
	return math.Abs(w-g) <= max(relative, absolute)
}

func (c *stdCase) show(args []uint64) string {
	var list []string
	for i, w := range args {
		switch k := c.call.Type().In(i).Kind(); {
		case c.narrow || k == reflect.Float32:
			list = append(list, fmt.Sprint(math.Float32frombits(uint32(w))))
		case k == reflect.Float64:
			list = append(list, fmt.Sprint(math.Float64frombits(w)))
		default:
			list = append(list, fmt.Sprintf("%#x", w))
		}
	}
	return strings.Join(list, ", ")
}

func (c *stdCase) showResult(w uint64, k int) string {
	if kind := c.call.Type().Out(k).Kind(); kind == reflect.Float64 || kind == reflect.Float32 {
		x, _ := c.value(w, k)
		return fmt.Sprintf("%v (%#x)", x, w)
	}
	return fmt.Sprintf("%#x", w)
}

// stdProgram returns one kernel for all cases: each group runs one of them.
func stdProgram(cases []*stdCase) string {
	var s, body strings.Builder
	have := map[string]bool{}
	for i, c := range cases {
		for _, d := range c.form.Decls {
			if !have[d.Ident] {
				have[d.Ident] = true
				s.WriteString(d.C + "\n")
			}
		}
		var args []string
		for k, p := range c.form.Params {
			word := fmt.Sprintf("in[s * %d + %d]", len(c.form.Params), k)
			if p == "f32" || p == "f64" {
				word = fmt.Sprintf("skel_%s_frombits((u%s)%s)", p, p[1:], word)
			}
			args = append(args, "("+p+")"+word)
		}
		fmt.Fprintf(&s,
			"FUNC void run_%d(CTX_P GLOBAL const u64 *in, GLOBAL u64 *out) {\n\tfor (i64 s = 0; s < %d; s++) {\n", i,
			len(c.inputs))
		fmt.Fprintf(&s, "\t\t%s r = %s(CTX_A%s %s);\n",
			c.form.Result, c.form.Ident, map[bool]string{true: "0"}[len(args) == 0], strings.Join(args, ", "))
		results := []string{c.form.Result}
		if rest, ok := strings.CutPrefix(c.form.Result, "tuple_"); ok {
			results = strings.Split(rest, "_")
		}
		for k, r := range results {
			member := "r"
			if len(results) > 1 {
				member = fmt.Sprintf("r.r%d", k)
			}
			word := map[byte]string{'f': "skel_" + r + "_bits(" + member + ")", 'i': "(u" + r[1:] + ")" + member}[r[0]]
			fmt.Fprintf(&s, "\t\tout[s * %d + %d] = %s;\n", len(results), k, cmp.Or(word, member))
		}
		s.WriteString("\t}\n}\n")
		fmt.Fprintf(&body, "\tcase %d: run_%d(CTX_A in + %d, out + %d); break;\n", i, i, c.from, c.to)
	}
	fmt.Fprintf(&s, "KERNEL %s(CTX_K GLOBAL const u64 *in, GLOBAL u64 *out) {\n\tswitch (group_id()) {\n%s\t}\n}\n",
		kernelName, body.String())
	return s.String()
}

func runStd(t *testing.T, dev driver.Device, program string, words []uint64, results, groups int) []uint64 {
	b, err := dev.Build(driver.Program{Name: kernelName, C: program})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	bytes := make([]byte, 8*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint64(bytes[8*i:], w)
	}
	in, err := upload(dev, bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Free()
	out, err := upload(dev, make([]byte, 8*results))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Free()
	if _, err := b.Launch(driver.Grid{Groups: int64(groups), Lanes: 1}, driver.Memory(in),
		driver.Memory(out)); err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 8*results)
	done, err := out.Read(0, raw)
	if err := cmp.Or(err, done.Wait()); err != nil {
		t.Fatal(err)
	}
	got := make([]uint64, results)
	for i := range got {
		got[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return got
}
