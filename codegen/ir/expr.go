package ir

// Expr is an expression: a value, or a place that can be assigned to (Local,
// FieldOf, Elem, At, Deref).
type Expr interface{ Type() *Type }

// Op is an operator.
type Op int

// Operators. Arithmetic wraps; Shl and Shr take any unsigned or signed count;
// AndNot is Go's &^.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	AndNot
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LAnd
	LOr
	Neg  // unary
	Not  // unary, boolean
	Flip // unary ^
)

// Compares reports whether the result of op is a boolean.
func (op Op) Compares() bool { return op >= Eq && op <= LOr }

var opNames = [...]string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>",
	"==", "!=", "<", "<=", ">", ">=", "&&", "||", "-", "!", "^"}

func (op Op) String() string { return opNames[op] }

type (
	// Const is a number or boolean. Bits holds an integer in two's complement
	// or a float in its IEEE representation.
	Const struct {
		T    *Type
		Bits uint64
	}

	// Local is a parameter or variable.
	Local struct{ Var *Var }

	// FieldOf is a field of a struct.
	FieldOf struct {
		X     Expr
		Index int
	}

	// Elem is an element of an array. Safe means that the index is known to be
	// in range.
	Elem struct {
		X, I Expr
		Safe bool
		Pos  Pos
	}

	// At is an element of device memory, with one index, or two for a matrix.
	// If Run is set, it is element Part of a Run that has been read.
	At struct {
		View  Expr
		Index []Expr
		Run   *Run
		Part  Expr
		Pos   Pos
	}

	// Dim is a length of a view: N is 0 for Len and Rows, and 1 for Cols. For a
	// window it is a radius.
	Dim struct {
		View Expr
		N    int
	}

	// Unary is Neg, Not or Flip.
	Unary struct {
		Op Op
		X  Expr
	}

	// Binary is an operation on two values of the same type (except shifts).
	// NoWrap means that the result is known not to overflow.
	Binary struct {
		Op     Op
		X, Y   Expr
		NoWrap bool
		Pos    Pos
	}

	// Convert is a conversion between numbers with Go's semantics.
	Convert struct {
		T *Type
		X Expr
	}

	// Call is a call of a function of the program.
	Call struct {
		Func *Func
		Args []Expr
	}

	// Intrinsic is a call of a function that the preludes define.
	Intrinsic struct {
		Name string
		T    *Type
		Args []Expr
	}

	// Composite is a struct or array with all its fields or elements. Without
	// any, it is the zero value of any type.
	Composite struct {
		T     *Type
		Elems []Expr
	}

	// Addr is the address of a local place, used as an argument of a call.
	Addr struct{ X Expr }

	// Deref is the variable that a pointer points to.
	Deref struct{ X Expr }
)

// Run is a sequence of adjacent elements of a view of which each iteration of a
// loop, or each of several declarations, reads one. Nothing can keep the
// program from reading all of them, so they may be read together in advance.
type Run struct {
	Name     string // name in C
	First    *At    // the first element; its view and index do not change before the last element is read
	Len      int64
	Multiple uint64 // a power of two that divides the first element's index or column
}

// Type returns the type of the constant.
func (e *Const) Type() *Type { return e.T }

// Type returns the type of the variable.
func (e *Local) Type() *Type { return e.Var.Type }

// Type returns the type of the field.
func (e *FieldOf) Type() *Type { return e.X.Type().Fields[e.Index].Type }

// Type returns the type of the element.
func (e *Elem) Type() *Type { return e.X.Type().Elem }

// Type returns the type of the element.
func (e *At) Type() *Type { return e.View.Type().Elem }

// Type returns Go's int.
func (e *Dim) Type() *Type { return Basic(I64) }

// Type returns the operand's type.
func (e *Unary) Type() *Type { return e.X.Type() }

// Type returns the left operand's type, or Bool for a comparison.
func (e *Binary) Type() *Type {
	if e.Op.Compares() {
		return Basic(Bool)
	}
	return e.X.Type()
}

// Type returns the type converted to.
func (e *Convert) Type() *Type { return e.T }

// Type returns the function's result type, or nil if it has none.
func (e *Call) Type() *Type { return e.Func.Result }

// Type returns the type of the result.
func (e *Intrinsic) Type() *Type { return e.T }

// Type returns the type of the value.
func (e *Composite) Type() *Type { return e.T }

// Type returns the pointer's type.
func (e *Addr) Type() *Type { return PointerTo(e.X.Type()) }

// Type returns the type of the variable pointed to.
func (e *Deref) Type() *Type { return e.X.Type().Elem }

// Children returns the direct subexpressions of e, in order.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *FieldOf:
		return []Expr{e.X}
	case *Elem:
		return []Expr{e.X, e.I}
	case *At:
		return append([]Expr{e.View}, e.Index...)
	case *Dim:
		return []Expr{e.View}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Convert:
		return []Expr{e.X}
	case *Call:
		return e.Args
	case *Intrinsic:
		return e.Args
	case *Composite:
		return e.Elems
	case *Addr:
		return []Expr{e.X}
	case *Deref:
		return []Expr{e.X}
	}
	return nil
}

// Any reports whether f holds for e or any of its subexpressions.
func Any(e Expr, f func(Expr) bool) bool {
	if f(e) {
		return true
	}
	for _, c := range Children(e) {
		if Any(c, f) {
			return true
		}
	}
	return false
}

// HasCall reports whether e calls a function of the program.
func HasCall(e Expr) bool {
	return Any(e, func(e Expr) bool { _, ok := e.(*Call); return ok })
}

// IntConst returns an integer constant.
func IntConst(t *Type, v int64) *Const { return &Const{T: t, Bits: uint64(v)} }

// Zero returns the zero value of any type.
func Zero(t *Type) Expr {
	if t.Scalar() {
		return &Const{T: t}
	}
	return &Composite{T: t}
}
