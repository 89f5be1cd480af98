package ir

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// String returns the program as text in the manner of Go, to be read by people. A constant
// has its type if that is not i64, f64 or b8; a conversion is a call of a type. These marks
// are not Go: an operator followed by ! cannot overflow, and an index followed by ! is in
// range. "run r [4]f32 = v[i]" reads 4 adjacent elements, beginning with v[i], and r[k] is
// one of them. "leave L" and "next L" are a break from, and a continue of, the statement
// with the label L.
func (p *Program) String() string {
	w := &printer{}
	for _, t := range p.Types {
		w.typ(t)
	}
	for _, f := range p.Funcs {
		w.function(f)
	}
	if p.Exact != "" {
		w.line("// %s may fold elements in any order: %s", p.Root.Ident, p.Exact)
	}
	if p.Share > 0 {
		w.line("// %d neighbouring elements share a call", p.Share)
	}
	if len(p.Own) > 0 {
		var own []string
		for _, path := range slices.Sorted(maps.Keys(p.Own)) {
			if p.Own[path] {
				own = append(own, p.Root.Params[len(p.Root.Params)-1].Name+path)
			}
		}
		w.line("// accessed only at the element's own place: %s", strings.Join(own, ", "))
	}
	if p.Twice != nil {
		w.line("\n// For two elements at once:")
		w.function(p.Twice)
	}
	return w.text.String()
}

// printer writes a program.
type printer struct {
	text   strings.Builder
	indent int
	labels map[Stmt]string // of the statements that a Break or a Continue names
}

func (w *printer) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.indent) + fmt.Sprintf(format, args...) + "\n")
}

func (w *printer) typ(t *Type) {
	switch {
	case t.Kind == Struct:
		w.line("type %s struct {", t.Ident)
		for _, f := range t.Fields {
			w.line("\t%s %s", f.Name, f.Type)
		}
		w.line("}")
	case t.Kind == Array:
		w.line("type %s [%d]%s", t.Ident, t.Len, t.Elem)
	default:
		w.line("type %s %s of %s", t.Ident, strings.TrimSuffix(viewNames[t.Kind], "_"), t.Elem)
	}
}

func (w *printer) function(f *Func) {
	w.labels = map[Stmt]string{}
	w.name(f.Body)
	params := make([]string, len(f.Params))
	for i, v := range f.Params {
		params[i] = v.Name + " " + v.Type.Ident
	}
	result := ""
	if f.Result != nil {
		result = " " + f.Result.Ident
	}
	w.line("\n// %s, %s", f.Name, f.Pos)
	w.line("func %s(%s)%s {", f.Ident, strings.Join(params, ", "), result)
	w.body(f.Body)
	w.line("}")
}

// name gives labels to the statements that others leave or continue.
func (w *printer) name(list []Stmt) {
	for _, s := range list {
		var of Stmt
		switch s := s.(type) {
		case *Break:
			of = s.Of
		case *Continue:
			of = s.Of
		}
		if of != nil && w.labels[of] == "" {
			w.labels[of] = fmt.Sprint("L", len(w.labels)+1)
		}
		for _, inner := range Bodies(s) {
			w.name(inner)
		}
	}
}

func (w *printer) body(list []Stmt) {
	w.indent++
	for _, s := range list {
		w.stmt(s)
	}
	w.indent--
}

func (w *printer) stmt(s Stmt) {
	label := w.labels[s]
	if label != "" {
		label += ": "
	}
	switch s := s.(type) {
	case *Declare:
		w.run(s.Run)
		w.line("%s", declaration(s))
	case *Assign:
		w.line("%s", assignment(s))
	case *Do:
		w.line("%s", text(s.X))
	case *Block:
		w.line("%s{", label)
		w.body(s.Body)
		w.line("}")
	case *If:
		w.line("if %s {", outer(s.Cond))
		w.body(s.Then)
		if len(s.Else) > 0 {
			w.line("} else {")
			w.body(s.Else)
		}
		w.line("}")
	case *For:
		w.loop(s, label)
	case *Switch:
		w.line("%sswitch %s {", label, outer(s.Tag))
		for _, c := range s.Cases {
			w.choice(c)
		}
		w.line("}")
	case *Break:
		w.line("leave %s", w.labels[s.Of])
	case *Continue:
		w.line("next %s", w.labels[s.Of])
	case *Return:
		if s.X == nil {
			w.line("return")
		} else {
			w.line("return %s", outer(s.X))
		}
	case *Panic:
		w.line("panic")
	}
}

func (w *printer) loop(s *For, label string) {
	for _, r := range s.Runs {
		w.run(r)
	}
	head := ""
	if s.Init != nil || len(s.Post) > 0 {
		init, post := "", make([]string, len(s.Post))
		if s.Init != nil {
			init = declaration(s.Init)
		}
		for i, p := range s.Post {
			post[i] = assignment(p)
		}
		head = fmt.Sprintf("%s; %s; %s", init, outer(s.Cond), strings.Join(post, ", "))
	} else if s.Cond != nil {
		head = outer(s.Cond)
	}
	w.line("%s", strings.TrimRight(label+"for "+head, " ")+" {")
	w.body(s.Body)
	w.line("}")
}

func (w *printer) choice(c *Case) {
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = text(v)
	}
	switch {
	case !c.Default:
		w.line("case %s:", strings.Join(values, ", "))
	case len(values) == 0:
		w.line("default:")
	default:
		w.line("case %s, default:", strings.Join(values, ", "))
	}
	w.body(c.Body)
	if c.Fallthrough {
		w.line("\tfallthrough")
	}
}

func (w *printer) run(r *Run) {
	if r != nil {
		w.line("run %s [%d]%s = %s // a multiple of %d", r.Name, r.Len, r.First.Type(), text(r.First), r.Multiple)
	}
}

func declaration(s *Declare) string {
	return fmt.Sprintf("var %s %s = %s", s.Var.Name, s.Var.Type, outer(s.Init))
}

func assignment(s *Assign) string {
	if op, ok := s.R.(*Binary); ok && op.X == s.L {
		return fmt.Sprintf("%s %s= %s", text(s.L), operator(op), outer(op.Y))
	}
	return text(s.L) + " = " + outer(s.R)
}

func operator(e *Binary) string {
	if e.NoWrap {
		return e.Op.String() + "!"
	}
	return e.Op.String()
}

// text returns an expression, or "" for none.
func text(x Expr) string {
	switch x := x.(type) {
	case *Const:
		return constant(x)
	case *Local:
		return x.Var.Name
	case *FieldOf:
		return text(x.X) + Member(x.X.Type(), x.Index)
	case *Elem:
		safe := ""
		if x.Safe {
			safe = "!"
		}
		return text(x.X) + "[" + outer(x.I) + safe + "]"
	case *At:
		if x.Run != nil {
			return x.Run.Name + "[" + outer(x.Part) + "]"
		}
		return text(x.View) + "[" + texts(x.Index) + "]"
	case *Dim:
		return text(x.View) + "." + dims(x)
	case *Unary:
		return x.Op.String() + text(x.X)
	case *Binary:
		return "(" + text(x.X) + " " + operator(x) + " " + text(x.Y) + ")"
	case *Convert:
		return x.T.Ident + "(" + outer(x.X) + ")"
	case *Call:
		return x.Func.Ident + "(" + texts(x.Args) + ")"
	case *Intrinsic:
		return x.Name + "(" + texts(x.Args) + ")"
	case *Composite:
		return x.T.Ident + "{" + texts(x.Elems) + "}"
	case *Addr:
		return "&" + text(x.X)
	case *Deref:
		return "*" + text(x.X)
	}
	return ""
}

// outer is text without the parentheses around an expression that needs none.
func outer(x Expr) string {
	s := text(x)
	if _, is := x.(*Binary); is {
		s = s[1 : len(s)-1]
	}
	return s
}

func texts(list []Expr) string {
	all := make([]string, len(list))
	for i, x := range list {
		all[i] = outer(x)
	}
	return strings.Join(all, ", ")
}

// dims names an extent of a view.
func dims(x *Dim) string {
	switch t := x.View.Type(); {
	case t.IsWindow():
		return fmt.Sprint("radius", x.N)
	case !t.Matrix():
		return "n"
	case x.N == 0:
		return "rows"
	}
	return "cols"
}

func constant(x *Const) string {
	value := ""
	switch t := x.T; {
	case t.Kind == Bool:
		return strconv.FormatBool(x.Bits != 0)
	case t.Kind == F32:
		value = strconv.FormatFloat(float64(math.Float32frombits(uint32(x.Bits))), 'g', -1, 32)
	case t.Float():
		return strconv.FormatFloat(math.Float64frombits(x.Bits), 'g', -1, 64)
	case t.Signed():
		value = strconv.FormatInt(int64(x.Bits), 10)
	default:
		value = strconv.FormatUint(x.Bits, 10)
	}
	if x.T.Kind == I64 {
		return value
	}
	return x.T.Ident + "(" + value + ")"
}
