package grid

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/grid/expression"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// template has the type of all formulas, and calls what their device forms call.
//
//skel:func
func template(i int, b block) float64 {
	rest, index := divide(i, b.Lines[0].Count, b.Lines[0].Inverse)
	return linear(b.Lines[0].Begin, b.Lines[0].Step, beside(index, b.Delta, rest)) + b.Table.At(index)
}

// translated returns a function of one argument. Passing it to a skeleton makes skelgen translate it.
func translated(f func(float64) float64) any {
	skel.NewMap(f)
	return f
}

// translated2 is translated for functions of two arguments.
func translated2(f func(x, y float64) float64) any {
	skel.NewZip(f)
	return f
}

// inC holds the functions of formulas that C has under a name of its own.
var inC = map[string]string{
	"abs": "skel_abs_f64", "sqrt": "skel_sqrt_f64", "floor": "skel_floor_f64", "ceil": "skel_ceil_f64",
	"min": "skel_bmin_f64", "max": "skel_bmax_f64",
}

// inGo holds the Go functions with device forms that the C text of formulas calls.
var inGo = map[string]any{
	"divide": divide, "beside": beside, "linear": linear, "stridedFirst": stridedFirst,

	"cbrt": translated(math64.Cbrt), "exp": translated(math64.Exp), "exp2": translated(math64.Exp2),
	"expm1": translated(math64.Expm1), "log": translated(math64.Log), "log1p": translated(math64.Log1p),
	"log2": translated(math64.Log2), "log10": translated(math64.Log10), "sin": translated(math64.Sin),
	"cos": translated(math64.Cos), "tan": translated(math64.Tan), "atan": translated(math64.Atan),
	"tanh": translated(math64.Tanh), "erf": translated(math64.Erf), "erfc": translated(math64.Erfc),
	"lgamma": translated(math64.LogGamma),
	"pow":    translated2(math64.Pow), "atan2": translated2(math64.Atan2), "hypot": translated2(math64.Hypot),
}

// form returns the device form of a formula.
func (l *formulaLoops) form() (*registry.Func, error) {
	like, err := registry.Of(template)
	if err != nil {
		return nil, err
	}
	w := &formulaWriter{formulaLoops: l, idents: map[string]string{}}
	w.body()
	if w.err != nil {
		return nil, w.err
	}
	form := w.form("formula "+l.name, like)
	form.Loops = registry.Loops{Map: l.nodes, Index: l.run}
	return form, nil
}

// form returns the form of the function that was written, with the parameters and the result of a template.
func (w *formulaWriter) form(name string, like *registry.Func) *registry.Func {
	head := fmt.Sprintf("(CTX_P i64 i, %s b) {\n", like.Params[1])
	sum := fnv.New64a()
	fmt.Fprint(sum, head, w.text.String())
	ident := fmt.Sprintf("grid_formula_%016x", sum.Sum64())
	return like.WithBody(name, ident, "FUNC "+like.Result+" "+ident+head+w.text.String()+"}\n", w.calls...)
}

// formulaWriter writes the C text of a formula: first the indices of the node, then a variable for
// the result of each operation.
type formulaWriter struct {
	*formulaLoops
	text   strings.Builder
	calls  []*registry.Func
	idents map[string]string // names in C
	err    error
}

// ident returns the name in C of a function of inGo or inC.
func (w *formulaWriter) ident(name string) string {
	if c := inC[name]; c != "" {
		return c + "("
	}
	if w.idents[name] == "" {
		f, err := registry.Of(inGo[name])
		if err != nil {
			w.err = err
			return name
		}
		w.idents[name] = f.Ident
		w.calls = append(w.calls, f)
	}
	return w.idents[name] + "(CTX_A "
}

func (w *formulaWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.text, "\t"+format+"\n", args...)
}

// body writes the body of a function that evaluates node i.
func (w *formulaWriter) body() {
	w.line("i64 q = i;")
	w.indices()
	for k := range w.dim {
		w.line("if (b.Along == %d) { i%d = %si%d, b.Delta, b.Lines.a[%d].Count); }", k, k, w.ident("beside"), k, k)
	}
	for _, i := range w.Order() {
		w.line("f64 v%d = %s;", i, w.step(i))
	}
	w.line("return v%d;", w.Result)
}

// indices writes the indices of node q of a block.
func (w *formulaWriter) indices() {
	for k := w.dim - 1; k >= 0; k-- {
		if k > 0 {
			w.line("tuple_i64_i64 t%d = %s(i64)((u64)q + (u64)b.Lines.a[%d].First), "+
				"b.Lines.a[%d].Count, b.Lines.a[%d].Inverse);", k, w.ident("divide"), k, k, k)
			w.line("i64 i%d = t%d.r1; q = t%d.r0;", k, k, k)
		} else {
			w.line("i64 i0 = q + b.Lines.a[0].First;")
		}
	}
}

// step returns the C expression of an operation.
func (w *formulaWriter) step(i int) string {
	s := &w.Steps[i]
	if w.inTable(i) {
		k, row := axisOf(w.Variables[i]), w.row[i]
		return fmt.Sprintf("b.Table.p[b.Lines.a[%d].Table + %d * b.Lines.a[%d].Count + i%d]", k, row, k, k)
	}
	infix := map[expression.Op]string{
		expression.Add: "+", expression.Subtract: "-", expression.Multiply: "*", expression.Divide: "/",
	}
	switch s.Op {
	case expression.Constant:
		return literal(s.Value)
	case expression.Variable:
		k := s.A
		return fmt.Sprintf("b.Lines.a[%d].Table >= 0 ? b.Table.p[b.Lines.a[%d].Table + i%d] : "+
			"%sb.Lines.a[%d].Begin, b.Lines.a[%d].Step, i%d)", k, k, k, w.ident("linear"), k, k, k)
	case expression.Negate:
		return fmt.Sprintf("-v%d", s.A)
	case expression.Call:
		return fmt.Sprintf("%sv%d)", w.ident(s.Name), s.A)
	case expression.Call2:
		return fmt.Sprintf("%sv%d, v%d)", w.ident(s.Name), s.A, s.B)
	case expression.Add, expression.Subtract, expression.Multiply, expression.Divide:
	}
	return fmt.Sprintf("v%d %s v%d", s.A, infix[s.Op], s.B)
}

// literal returns a finite number in C.
func literal(v float64) string {
	text := strconv.FormatFloat(math.Abs(v), 'e', -1, 64) // with an exponent, it is no integer
	if math.Signbit(v) {
		return "-" + text
	}
	return text
}
