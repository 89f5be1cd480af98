package ir

// value checks an expression that must have type t.
func (v *verifier) value(x Expr, t *Type, pos Pos) {
	before := len(v.errs)
	v.expr(x, pos)
	if len(v.errs) == before && !x.Type().Is(t) {
		v.errorf(pos, "a %s, want a %s", x.Type(), t)
	}
}

// expr checks an expression bottom up, so that Type may be called on checked
// expressions.
func (v *verifier) expr(x Expr, pos Pos) {
	if x == nil {
		v.errorf(pos, "an expression is missing")
		return
	}
	before := len(v.errs)
	for _, c := range Children(x) {
		v.expr(c, pos)
	}
	if len(v.errs) > before {
		return
	}
	switch x := x.(type) {
	case *Const:
		if !x.T.Scalar() {
			v.errorf(pos, "a constant of type %s", x.T)
		}
	case *Local:
		if !v.vars[x.Var] {
			v.errorf(pos, "%s is not in scope", x.Var.Name)
		}
	case *FieldOf:
		if t := x.X.Type(); t.Kind != Struct || x.Index < 0 || x.Index >= len(t.Fields) {
			v.errorf(pos, "field %d of a %s", x.Index, t)
		}
	case *Elem:
		if x.X.Type().Kind != Array || !x.I.Type().Integer() {
			v.errorf(pos, "element %s of a %s", x.I.Type(), x.X.Type())
		}
	case *At:
		v.at(x, pos)
	case *Dim:
		if t := x.View.Type(); !t.IsView() || x.N > 0 && !t.Matrix() {
			v.errorf(pos, "length %d of a %s", x.N, t)
		}
	case *Unary:
		v.unary(x, pos)
	case *Binary:
		v.binary(x, pos)
	case *Convert:
		if from := x.X.Type(); !from.Scalar() || !x.T.Scalar() || (from.Kind == Bool) != (x.T.Kind == Bool) {
			v.errorf(pos, "a conversion of %s to %s", from, x.T)
		}
	case *Call:
		v.call(x, pos)
	case *Intrinsic:
		if x.T == nil || !x.T.Scalar() {
			v.errorf(pos, "%s returns a %s", x.Name, x.T)
		}
	case *Composite:
		v.composite(x, pos)
	case *Addr:
		v.place(x.X, pos)
	case *Deref:
		if x.X.Type().Kind != Pointer {
			v.errorf(pos, "a %s is not a pointer", x.X.Type())
		}
	default:
		v.errorf(pos, "unknown expression %T", x)
	}
}

func (v *verifier) at(x *At, pos Pos) {
	t := x.View.Type()
	want := 1
	if t.Matrix() {
		want = 2
	}
	if !t.IsView() || len(x.Index) != want {
		v.errorf(pos, "%d indices for a %s", len(x.Index), t)
	}
	if x.Run != nil && !v.runs[x.Run] {
		v.errorf(pos, "%s has not been read", x.Run.Name)
	}
	for _, i := range x.Index {
		if !i.Type().Integer() {
			v.errorf(pos, "an index of type %s", i.Type())
		}
	}
}

func (v *verifier) unary(x *Unary, pos Pos) {
	t := x.X.Type()
	ok := false
	switch x.Op {
	case Neg:
		ok = t.Integer() || t.Float()
	case Flip:
		ok = t.Integer()
	case Not:
		ok = t.Kind == Bool
	default: // not a unary operator
	}
	if !ok {
		v.errorf(pos, "%s of a %s", x.Op, t)
	}
}

func (v *verifier) binary(x *Binary, pos Pos) {
	t, u := x.X.Type(), x.Y.Type()
	ok := t.Is(u)
	switch x.Op {
	case Shl, Shr:
		ok = t.Integer() && u.Integer()
	case Add, Sub, Mul, Div:
		ok = ok && (t.Integer() || t.Float())
	case Rem, And, Or, Xor, AndNot:
		ok = ok && t.Integer()
	case LAnd, LOr:
		ok = ok && t.Kind == Bool
	case Eq, Ne:
		ok = ok && t.Scalar()
	default:
		ok = ok && t.Scalar() && t.Kind != Bool
	}
	if !ok {
		v.errorf(pos, "%s %s %s", t, x.Op, u)
	}
}

func (v *verifier) call(x *Call, pos Pos) {
	if x.Func == nil || !v.done[x.Func] {
		v.errorf(pos, "a call of a function that does not precede its caller")
		return
	}
	if len(x.Args) != len(x.Func.Params) {
		v.errorf(pos, "%s needs %d arguments, has %d", x.Func.Ident, len(x.Func.Params), len(x.Args))
		return
	}
	for i, p := range x.Func.Params {
		if t := x.Args[i].Type(); !t.Is(p.Type) {
			v.errorf(pos, "%s: argument %s is a %s, not a %s", x.Func.Ident, p.Name, t, p.Type)
		}
	}
	if !x.Func.Pure {
		if v.calls++; v.calls > 1 {
			v.errorf(pos, "two calls with effects in one statement")
		}
		if v.fn.Pure {
			v.errorf(pos, "a pure function calls %s", x.Func.Ident)
		}
	}
}

func (v *verifier) composite(x *Composite, pos Pos) {
	v.known(x.T, pos)
	if len(x.Elems) == 0 {
		return
	}
	n := int64(len(x.T.Fields))
	if x.T.Kind == Array {
		n = x.T.Len
	}
	if int64(len(x.Elems)) != n || x.T.Kind != Array && x.T.Kind != Struct {
		v.errorf(pos, "%d values for a %s", len(x.Elems), x.T)
		return
	}
	for i, e := range x.Elems {
		want := x.T.Elem
		if x.T.Kind == Struct {
			want = x.T.Fields[i].Type
		}
		if !e.Type().Is(want) {
			v.errorf(pos, "value %d of a %s is a %s, not a %s", i, x.T, e.Type(), want)
		}
	}
}

// VariableOf returns the variable that contains a place.
func VariableOf(place Expr) *Var {
	switch x := place.(type) {
	case *Local:
		return x.Var
	case *FieldOf:
		return VariableOf(x.X)
	case *Elem:
		return VariableOf(x.X)
	}
	return nil
}
